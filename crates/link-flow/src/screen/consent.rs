//! Consent: the shared data, the period, who sees it, and the text to agree to.

use link_types::host::UiEventName;
use link_types::link::{ConsentGivenBy, ConsentText, DataChoice, SessionTemplate};
use link_types::template::{Retention, SyncInterval};

use crate::chunk;
use crate::consent_state::ConsentState;
use crate::context::Context;
use crate::emit;
use crate::event::Press;
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::resume_point;
use crate::route::{AfterConsent, Route};
use crate::sheet::{Footer, Sheet};
use crate::view::block::{Block, Emblem, Fact, FactIcon, Severity};
use crate::view::build::{about, action, heading_with, notice, paragraph};

/// The consent page.
#[derive(Debug)]
pub(crate) struct Consent {
    then: AfterConsent,
}

impl Consent {
    pub(crate) fn enter(then: AfterConsent, context: &mut Context) -> Self {
        context.turn_page();
        emit::ui_event(UiEventName::ConsentPageOpened, None, context);
        if context.has_choice() {
            chunk::prefetch(context);
        }
        Self { then }
    }

    /// Returns the text about the data that leaving would lose.
    pub(crate) fn loss(&self) -> Option<Message> {
        self.then.loss()
    }

    pub(crate) fn handle(self, input: Input, context: &mut Context) -> Outcome<Self> {
        match input {
            Input::Pressed(Press::Agree) if context.has_choice() => Go(Route::DataChoice(self.then)),
            Input::Pressed(Press::Agree) => Go(agree(self.then, None, context)),
            Input::Replied(_)
            | Input::TimerFired { .. }
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => Stay(self),
        }
    }

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        let mut blocks = Vec::new();
        if let Some(session) = &context.session {
            // The link template's name, not the option's: the person must know who receives the consent.
            let company = &session.template.company_name;
            blocks.push(heading_with(Emblem::Link, about(Message::ConsentTitle, company)));
            if matches!(context.consent, ConsentState::Outdated) {
                blocks.push(notice(Severity::Info, None, Message::ConsentChanged.into()));
            }
            blocks.push(paragraph(about(Message::ConsentIntro, company)));
            blocks.push(Block::Summary { items: facts(company, &session.template) });
            blocks.push(document(&session.template.consent));
        }
        let agree = if context.has_choice() { Message::ConsentChoose } else { Message::ConsentAgree };
        blocks.push(Block::Actions {
            primary: action(agree, Press::Agree),
            secondary: Some(action(Message::ConsentDecline, Press::Leave)),
        });
        Sheet::new(Message::DialogTitle.into(), Footer::Consent, blocks)
    }
}

/// Records the consent, and returns the next step.
pub(crate) fn agree(then: AfterConsent, choice: Option<DataChoice>, context: &mut Context) -> Route {
    context.give_consent(ConsentGivenBy::Person, choice);
    resume_point::save_consent(context);
    emit::ui_event(UiEventName::ConsentGiven, None, context);
    then.route(context)
}

fn facts(company: &str, template: &SessionTemplate) -> Vec<Fact> {
    let has_choice = !template.optional_data.is_empty();
    let data = if has_choice { Message::ConsentDataChoice } else { Message::ConsentDataText };
    let time = match (template.retention, template.sync_interval) {
        (Retention::FromConnection, None) => Message::ConsentTimeOnce,
        (Retention::FromConnection, Some(SyncInterval::Daily)) => Message::ConsentTimeDaily,
        (Retention::FromConnection, Some(SyncInterval::Weekly)) => Message::ConsentTimeWeekly,
        (Retention::FromConnection, Some(SyncInterval::Monthly)) => Message::ConsentTimeMonthly,
        (Retention::FromLastSync, None) => Message::ConsentSyncOnce,
        (Retention::FromLastSync, Some(SyncInterval::Daily)) => Message::ConsentSyncDaily,
        (Retention::FromLastSync, Some(SyncInterval::Weekly)) => Message::ConsentSyncWeekly,
        (Retention::FromLastSync, Some(SyncInterval::Monthly)) => Message::ConsentSyncMonthly,
    };
    let fact = |icon, title: Message, detail| Fact { icon, title: title.into(), detail };
    vec![
        fact(FactIcon::Data, Message::ConsentDataTitle, data.into()),
        fact(FactIcon::Calendar, Message::ConsentTimeTitle, time.into()),
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

/// Splits a text at blank lines.
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
