//! Short ways to build the common blocks.

use super::Text;
use super::block::{Action, ActionState, Block, Choice, ChoiceKind, ChoiceList, Emblem, Severity, Tone};
use crate::event::Press;
use crate::generated::message::Message;

/// Builds a catalogue text whose only argument is a name.
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

/// Builds a row or radio button with a title only.
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

/// Builds the list of links to other screens at the end of a page.
pub(crate) fn rows(choices: Vec<Choice>, disabled: bool) -> Block {
    let label = Message::ActionMore.into();
    Block::Choices(ChoiceList { label, label_visible: false, kind: ChoiceKind::Rows, choices, disabled })
}

pub(crate) fn action(label: impl Into<Text>, press: Press) -> Action {
    Action { label: label.into(), press, state: ActionState::Ready, destructive: false }
}
