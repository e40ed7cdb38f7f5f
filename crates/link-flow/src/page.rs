//! Builds the view of a state: its content between header and footer, and the dialog over it.

use link_types::Mode;

use crate::context::Context;
use crate::generated::message::Message;
use crate::leaving;
use crate::mark::mark;
use crate::screen::Screen;
use crate::screen::deferred_screen::DeferredScreen;
use crate::sheet::Footer;
use crate::state::State;
use crate::view::build::about;
use crate::view::{Company, Header, Help, Overlay, Page, Text, View};

/// Builds the view of a state.
pub(crate) fn view(state: &State, context: &Context) -> View {
    let sheet = state.sheet(context);
    let company = company(state, context);
    let footer = company.as_deref().and_then(|company| footer(sheet.footer, company));
    let page = Page {
        key: context.page_key(),
        title: sheet.title,
        header: Header {
            back: sheet.back.then(|| Message::HeaderBack.into()),
            company: company.map(|name| Company { mark: mark(&name, None), name }),
            badge: badge(context),
            close: Message::HeaderClose.into(),
        },
        blocks: sheet.blocks,
        form: sheet.form,
        footer,
        help: context.help_url().map(|url| Help { label: Message::HelpLink.into(), url: url.to_owned() }),
    };
    View {
        page,
        overlay: overlay(state, context),
        announcement: context.announcement(),
        focus: context.current_focus(),
    }
}

fn overlay(state: &State, context: &Context) -> Option<Overlay> {
    match state {
        State::Shown(screen) => screen.as_deferred()?.overlay(),
        State::Expired { paused: Some(_), dialog } => Some(dialog.overlay(context)),
        State::Leaving { loss, .. } => Some(leaving::overlay(*loss)),
        State::Expired { paused: None, .. } | State::Closed => None,
    }
}

/// Returns the company's name. The pages that ask for consent show the link template's name, not the option's.
fn company(state: &State, context: &Context) -> Option<String> {
    let session = context.session.as_ref()?;
    let is_consent = match state {
        State::Shown(Screen::Consent(_)) => true,
        State::Shown(screen) => screen.as_deferred().is_some_and(DeferredScreen::is_consent),
        State::Expired { .. } | State::Leaving { .. } | State::Closed => false,
    };
    let name = if is_consent { &session.template.company_name } else { context.company() };
    Some(name.to_owned())
}

fn badge(context: &Context) -> Option<Text> {
    let session = context.session.as_ref()?;
    match session.mode {
        Mode::Sandbox => Some(Message::HeaderSandbox.into()),
        Mode::Production => None,
    }
}

fn footer(footer: Footer, company: &str) -> Option<Text> {
    match footer {
        Footer::None => None,
        Footer::Consent => Some(about(Message::FooterConsent, company)),
        Footer::Password => Some(about(Message::FooterPassword, company)),
    }
}
