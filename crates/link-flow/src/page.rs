//! The view of a state: its sheet between header and footer, with what lies over it.

use link_types::Mode;

use crate::context::Context;
use crate::generated::message::Message;
use crate::mark::mark;
use crate::screen::{Footer, about};
use crate::state::State;
use crate::view::{Company, Header, Overlay, Page, Text, View};

/// The view of a state.
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
    };
    View {
        page,
        overlay: overlay(state, context),
        announcement: context.announcement(),
        focus: context.focused(),
    }
}

fn overlay(state: &State, context: &Context) -> Option<Overlay> {
    match state {
        State::TokenExpired(screen) => screen.overlay(context),
        State::Leaving(screen) => Some(screen.overlay()),
        State::Uploads(screen) => screen.overlay(),
        State::Starting(_)
        | State::Consent(_)
        | State::Providers(_)
        | State::LoginOptions(_)
        | State::Login(_)
        | State::Connecting(_)
        | State::Challenge(_)
        | State::Success(_)
        | State::Failure(_)
        | State::Accounts(_)
        | State::Survey(_)
        | State::Closed => None,
    }
}

/// The consent page shows the link template's name and no option's.
fn company(state: &State, context: &Context) -> Option<String> {
    let session = context.session.as_ref()?;
    let is_consent = matches!(state, State::Consent(_));
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
