//! Things to choose from.

use super::Mark;
use crate::view::Text;

/// Things to choose from; a choice goes out as [`Event::Chosen`](crate::event::Event::Chosen).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceList {
    /// What is chosen here.
    pub label: Text,
    /// Whether the label is drawn above the list or is for screen readers only.
    pub label_visible: bool,
    /// How a choice works.
    pub kind: ChoiceKind,
    /// The choices, in order.
    pub choices: Vec<Choice>,
    /// Not to be used now: an answer is on its way.
    pub disabled: bool,
}

/// How a choice works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceKind {
    /// Each row is a button that goes on at once.
    Rows,
    /// Radio buttons: one is selected, the primary action goes on.
    Radios,
}

/// One thing to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What goes into the event.
    pub id: String,
    /// Its name.
    pub title: Text,
    /// More about it.
    pub detail: Option<Text>,
    /// Its logo or monogram.
    pub mark: Option<Mark>,
    /// The selected radio button; always false for rows.
    pub selected: bool,
    /// Cannot be chosen now; `detail` says why.
    pub disabled: bool,
    /// It was chosen and is being opened: a spinner.
    pub busy: bool,
}

/// One filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tab {
    /// What goes into the event.
    pub id: String,
    /// Its label.
    pub label: Text,
    /// Whether it is on.
    pub selected: bool,
}
