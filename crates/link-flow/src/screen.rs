//! The screens, one file each: what it owns, how it answers each input, what it shows.

pub(crate) mod accounts;
pub(crate) mod archive_end;
pub(crate) mod archive_reading;
pub(crate) mod challenge;
pub(crate) mod connecting;
pub(crate) mod consent;
pub(crate) mod failure;
pub(crate) mod file_types;
pub(crate) mod leaving;
pub(crate) mod login;
pub(crate) mod login_options;
pub(crate) mod providers;
pub(crate) mod starting;
pub(crate) mod success;
pub(crate) mod survey;
pub(crate) mod token_expired;
pub(crate) mod upload;

use crate::call::Trouble;
use crate::context::Context;
use crate::event::{Press, Reply, TimerId};
use crate::generated::message::Message;
use crate::secrets::Secrets;
use crate::view::block::{
    Action, ActionState, Block, Choice, ChoiceKind, ChoiceList, Emblem, Severity, Tone,
};
use crate::view::{Text, Typed};
use crate::wait::{self, Wait};

/// The row that leads to the upload of documents. The ids of rows that lead elsewhere begin with a slash, which no
/// provider's id has.
pub(crate) const UPLOAD: &str = "/upload";

/// The row that leads to what is already linked.
pub(crate) const ACCOUNTS: &str = "/accounts";

/// What a screen is given: the events that are its own. Stale replies and timers never come this far.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Replied(Reply),
    TimerFired { timer: TimerId, elapsed_ms: u32 },
    Pressed(Press),
    Chosen { id: String },
    Searched { text: Typed },
    Filtered { tab: String },
    Edited { field: String, text: Typed },
    Left { field: String },
    SecretLeft { field: String, empty: bool, stray_space: bool },
    Submitted(Secrets),
}

/// What a screen shows, before the header and footer that the flow adds.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) title: Text,
    pub(crate) blocks: Vec<Block>,
    pub(crate) back: bool,
    pub(crate) form: bool,
    pub(crate) footer: Footer,
}

/// The line at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Footer {
    None,
    /// The tenant sees only what is agreed to.
    Consent,
    /// The tenant never sees the password.
    Password,
}

impl Sheet {
    /// A sheet that is no form and has no way back.
    pub(crate) fn new(title: Text, footer: Footer, blocks: Vec<Block>) -> Self {
        Self { title, blocks, back: false, form: false, footer }
    }
}

/// A catalogue text with one name in it.
pub(crate) fn about(message: Message, name: &str) -> Text {
    Text::with(message, vec![name.into()])
}

pub(crate) fn heading(text: Text) -> Block {
    Block::Heading { text, emblem: None }
}

pub(crate) fn heading_with(emblem: Emblem, text: Text) -> Block {
    Block::Heading { text, emblem: Some(emblem) }
}

pub(crate) fn paragraph(text: Text) -> Block {
    Block::Paragraph { text, tone: Tone::Normal }
}

pub(crate) fn remark(text: Text) -> Block {
    Block::Paragraph { text, tone: Tone::Secondary }
}

pub(crate) fn notice(severity: Severity, title: Option<Text>, text: Text) -> Block {
    Block::Notice { severity, title, text }
}

/// A row or radio button, plain.
pub(crate) fn row(id: &str, title: Text) -> Choice {
    Choice {
        id: id.to_owned(),
        title,
        detail: None,
        mark: None,
        selected: false,
        disabled: false,
        busy: false,
    }
}

/// Other ways on, as rows at a page's end.
pub(crate) fn rows(choices: Vec<Choice>, disabled: bool) -> Block {
    let label = Message::ActionMore.into();
    Block::Choices(ChoiceList { label, label_visible: false, kind: ChoiceKind::Rows, choices, disabled })
}

pub(crate) fn action(label: impl Into<Text>, press: Press) -> Action {
    Action { label: label.into(), press, state: ActionState::Ready, destructive: false }
}

/// The way on for a person who cannot sign in to this provider.
pub(crate) fn elsewhere(context: &Context) -> Action {
    if context.preferences.provider.is_some() {
        action(Message::ActionClose, Press::Leave)
    } else {
        action(Message::ActionChooseAnother, Press::ChooseAnother)
    }
}

/// What a failed request looks like where there is nothing else to show.
pub(crate) fn trouble_blocks(trouble: Trouble, secondary: Option<Action>) -> Vec<Block> {
    let (emblem, title, text) = trouble_words(trouble);
    vec![
        heading_with(emblem, title.into()),
        paragraph(text),
        Block::Actions { primary: retry(trouble), secondary },
    ]
}

/// Sends it again; what is limited is sent again by itself.
pub(crate) fn retry(trouble: Trouble) -> Action {
    let state = if trouble.is_limited() { ActionState::Off } else { ActionState::Ready };
    Action { state, ..action(Message::ActionRetry, Press::Retry) }
}

/// What a failed request looks like over something else, and how long the wait still is.
pub(crate) fn trouble_notice(trouble: Trouble, wait: Option<&Wait>) -> Block {
    let (_, title, text) = trouble_words(trouble);
    notice(Severity::Warning, Some(title.into()), wait.map_or(text, Wait::text))
}

/// Too many logins or answers failed.
pub(crate) fn limit_notice(wait: Option<&Wait>) -> Block {
    let text = wait.map_or(Message::LoginAgain.into(), Wait::text);
    notice(Severity::Warning, Some(Message::LoginLimitTitle.into()), text)
}

fn trouble_words(trouble: Trouble) -> (Emblem, Message, Text) {
    match trouble {
        Trouble::Offline => (Emblem::Offline, Message::OfflineTitle, Message::OfflineText.into()),
        Trouble::Busy(left_ms) => (Emblem::Clock, Message::BusyTitle, wait::words(left_ms)),
        Trouble::Unavailable | Trouble::Unreadable | Trouble::Refused => {
            (Emblem::Offline, Message::UnavailableTitle, Message::UnavailableText.into())
        }
    }
}
