//! Consent: what is shared, for how long, who sees it, and the text the person agrees to.

use link_types::host::UiEventName;
use link_types::link::{ConsentGivenBy, ConsentText};
use link_types::uploading::AttemptPlace;

use super::{Footer, Input, Sheet, about, action, heading_with, paragraph};
use crate::context::Context;
use crate::event::Press;
use crate::generated::message::Message;
use crate::place;
use crate::rest::{self, Door};
use crate::screen::login::Login;
use crate::screen::providers::Providers;
use crate::screen::starting::{Starting, Then};
use crate::state::State;
use crate::tell;
use crate::view::block::{Block, Emblem, Fact, FactIcon};

/// The consent page.
#[derive(Debug)]
pub(crate) struct Consent {
    then: AfterConsent,
}

/// Where the person goes after agreeing.
#[derive(Debug)]
pub(crate) enum AfterConsent {
    /// To the provider.
    Provider,
    /// To the upload of documents.
    Uploads,
    /// Back to the login they came from: an attempt taken up again knows no consent of this opening.
    Login(Box<Login>),
}

/// On to a provider, over consent unless that was given, or the link template lets the tenant vouch for it.
pub(crate) fn begin(context: &mut Context) -> State {
    let may_skip = context.session.as_ref().is_some_and(|session| session.template.allow_consent_skip);
    if context.consent.is_none() && may_skip && !context.preferences.consent_page {
        context.consent = Some(ConsentGivenBy::Tenant);
        place::consented(context);
    }
    if context.consent.is_some() {
        to_provider(context)
    } else {
        Consent::enter(AfterConsent::Provider, context)
    }
}

/// To the upload of documents, over consent unless that was given.
pub(crate) fn to_uploads(context: &mut Context) -> State {
    if context.consent.is_some() {
        rest::open(Door::Uploads, context)
    } else {
        Consent::enter(AfterConsent::Uploads, context)
    }
}

/// To the provider that the page asked for, or where the person was before, or to the list.
fn to_provider(context: &mut Context) -> State {
    let AttemptPlace { provider_id, login_option, .. } = context.place.at.clone();
    match context.preferences.provider.clone().or(provider_id) {
        Some(provider) => Starting::load(provider, Then::SignIn(login_option), context),
        None => Providers::enter(context),
    }
}

impl Consent {
    pub(crate) fn enter(then: AfterConsent, context: &mut Context) -> State {
        context.turn_page();
        tell::ui_event(UiEventName::ConsentPageOpened, None, context);
        State::Consent(Self { then })
    }

    pub(crate) fn handle(self, input: Input, context: &mut Context) -> State {
        match input {
            Input::Pressed(Press::Agree) => {
                context.consent = Some(ConsentGivenBy::Person);
                place::consented(context);
                tell::ui_event(UiEventName::ConsentGiven, None, context);
                match self.then {
                    AfterConsent::Provider => to_provider(context),
                    AfterConsent::Uploads => rest::open(Door::Uploads, context),
                    AfterConsent::Login(login) => login.reenter(context),
                }
            }
            Input::Replied(_)
            | Input::TimerFired { .. }
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => State::Consent(self),
        }
    }

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        let mut blocks = Vec::new();
        if let Some(session) = &context.session {
            // The link template's name and no option's: the person must know to whom they consent.
            let company = &session.template.company_name;
            blocks.push(heading_with(Emblem::Link, about(Message::ConsentTitle, company)));
            blocks.push(paragraph(about(Message::ConsentIntro, company)));
            blocks.push(Block::Summary { items: facts(company) });
            blocks.push(document(&session.template.consent));
        }
        blocks.push(Block::Actions {
            primary: action(Message::ConsentAgree, Press::Agree),
            secondary: Some(action(Message::ConsentDecline, Press::Leave)),
        });
        Sheet::new(Message::DialogTitle.into(), Footer::Consent, blocks)
    }
}

fn facts(company: &str) -> Vec<Fact> {
    let fact = |icon, title: Message, detail| Fact { icon, title: title.into(), detail };
    vec![
        fact(FactIcon::Data, Message::ConsentDataTitle, Message::ConsentDataText.into()),
        fact(FactIcon::Calendar, Message::ConsentTimeTitle, Message::ConsentTimeText.into()),
        fact(FactIcon::Shield, Message::ConsentPrivateTitle, about(Message::ConsentPrivateText, company)),
        fact(FactIcon::Undo, Message::ConsentStopTitle, about(Message::ConsentStopText, company)),
    ]
}

fn document(consent: &ConsentText) -> Block {
    Block::Document {
        title: crate::view::Text::Verbatim(consent.title.clone()),
        version: about(Message::ConsentVersion, &consent.version),
        paragraphs: paragraphs(&consent.text),
    }
}

/// Paragraphs are separated by blank lines.
fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs = Vec::new();
    let mut paragraph = String::new();
    for line in text.split('\n').map(str::trim).chain([""]) {
        if !line.is_empty() {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line);
        } else if !paragraph.is_empty() {
            paragraphs.push(core::mem::take(&mut paragraph));
        }
    }
    paragraphs
}
