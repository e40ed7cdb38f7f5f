//! Parts that several screens share: links to other screens, and how a failed request looks.

use crate::call::{Call, Trouble};
use crate::context::Context;
use crate::event::Press;
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::{Action, ActionState, Block, Emblem, Severity};
use crate::view::build::{action, heading_with, notice, paragraph};
use crate::wait::{self, Wait};

/// Id of the row that leads to the upload of documents. Ids of rows that lead to other screens begin with a slash,
/// which provider ids cannot contain.
pub(crate) const UPLOAD: &str = "/upload";

/// Id of the row that leads to the linked accounts.
pub(crate) const ACCOUNTS: &str = "/accounts";

/// Id of the row that continues the step on the person's phone.
pub(crate) const PHONE: &str = "/phone";

/// Builds the action for a person who cannot sign in to this provider.
pub(crate) fn elsewhere(context: &Context) -> Action {
    if context.preferences.is_fixed() {
        action(Message::ActionClose, Press::Leave)
    } else {
        action(Message::ActionChooseAnother, Press::ChooseAnother)
    }
}

/// Builds the page of a failed request.
pub(crate) fn trouble_blocks(trouble: Trouble, secondary: Option<Action>) -> Vec<Block> {
    let (emblem, title, text) = trouble_words(trouble);
    vec![
        heading_with(emblem, title.into()),
        paragraph(text),
        Block::Actions { primary: retry(trouble), secondary },
    ]
}

/// Builds the page of a request whose response takes longer than usual.
pub(crate) fn slow_blocks() -> Vec<Block> {
    vec![
        heading_with(Emblem::Clock, Message::SlowTitle.into()),
        paragraph(Message::SlowText.into()),
        Block::Actions {
            primary: action(Message::ActionRetry, Press::Retry),
            secondary: Some(action(Message::ActionClose, Press::Leave)),
        },
    ]
}

/// Builds the retry button. It is off during a wait, because the request is then sent again automatically.
pub(crate) fn retry(trouble: Trouble) -> Action {
    let state = if trouble.is_limited() { ActionState::Off } else { ActionState::Ready };
    Action { state, ..action(Message::ActionRetry, Press::Retry) }
}

/// Builds the notice of a failed request above other content, with the time left to wait.
pub(crate) fn trouble_notice(trouble: Trouble, wait: Option<&Wait>) -> Block {
    let (_, title, text) = trouble_words(trouble);
    notice(Severity::Warning, Some(title.into()), wait.map_or(text, Wait::text))
}

/// Announces why a request was given up, if it was.
pub(crate) fn announce_trouble(call: &Call, context: &mut Context) {
    if let Some(trouble) = call.trouble() {
        context.announce(trouble_words(trouble).1);
    }
}

/// Builds the notice of a poll that has lost its connection.
pub(crate) fn lost_notice() -> Block {
    let title = Message::ConnectingLostTitle.into();
    notice(Severity::Warning, Some(title), Message::ConnectingLostText.into())
}

/// Builds the notice after too many failed logins or answers.
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
