//! Lists of choices and tabs.

use super::Mark;
use crate::view::Text;

/// A list of choices. Sends [`Event::Chosen`](crate::event::Event::Chosen).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceList {
    /// The label.
    pub label: Text,
    /// Whether the label is visible or only for screen readers.
    pub label_visible: bool,
    /// How the choices work.
    pub kind: ChoiceKind,
    /// The choices, in order.
    pub choices: Vec<Choice>,
    /// Whether the choices are off, because a request is under way.
    pub disabled: bool,
}

/// How a choice works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceKind {
    /// Rows: each is a button that continues at once.
    Rows,
    /// Radio buttons: one is selected, and the primary action continues.
    Radios,
    /// Check boxes: any number is selected. The event says which one changed.
    Checks,
    /// No controls: a list of what is chosen already.
    Fixed,
}

/// A choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The id to send.
    pub id: String,
    /// The title.
    pub title: Text,
    /// A second line.
    pub detail: Option<Text>,
    /// The logo or monogram.
    pub mark: Option<Mark>,
    /// Whether the radio button or check box is selected; always false for rows.
    pub selected: bool,
    /// Whether it cannot be chosen now; `detail` or another line of the page says why.
    pub disabled: bool,
    /// Whether it is being opened: draws a spinner.
    pub busy: bool,
}

/// A filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tab {
    /// The id to send.
    pub id: String,
    /// The label.
    pub label: Text,
    /// Whether it is selected.
    pub selected: bool,
}
