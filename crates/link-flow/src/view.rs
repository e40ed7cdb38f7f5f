//! The view as plain values. The shell draws it and makes no decisions.

pub mod block;
pub(crate) mod build;
mod text;

pub use block::Block;
pub use text::Typed;
pub use text::{Argument, Text};

use block::Mark;

/// The whole screen. Equal views are drawn alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The page.
    pub page: Page,
    /// An alert dialog over the page. The page stays mounted below it, inert, so that typed text is not lost.
    pub overlay: Option<Overlay>,
    /// The text of the polite live region.
    pub announcement: Announcement,
    /// The focus.
    pub focus: Focus,
}

impl View {
    /// Returns whether a notice has appeared on a page that was already shown. The person may have scrolled away from it, so
    /// the shell scrolls to it.
    pub fn has_new_notice(&self, before: &Self) -> bool {
        // A countdown in it does not make it another one.
        let is_new = |words: &Text| !before.page.notices().any(|shown| shown.has_words_of(words));
        self.page.key == before.page.key && self.page.notices().any(is_new)
    }
}

/// One step of the flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Changes if the blocks must be rebuilt: another step, or the same step with its secrets cleared. The shell uses
    /// it as the key of the page's element, so secrets in the DOM disappear with the old element.
    pub key: u32,
    /// The dialog's name and the document's title.
    pub title: Text,
    /// The bar at the top.
    pub header: Header,
    /// The content.
    pub blocks: Vec<Block>,
    /// Whether the blocks are a form. The shell wraps them in one and sends
    /// [`Event::Submitted`](crate::event::Event::Submitted) when it is submitted.
    pub form: bool,
    /// The line at the bottom: who sees the data.
    pub footer: Option<Text>,
    /// The link to the tenant's help, below the line.
    pub help: Option<Help>,
}

impl Page {
    /// Returns the titles of the notices, or the texts of those without one.
    fn notices(&self) -> impl Iterator<Item = &Text> {
        self.blocks.iter().filter_map(|block| {
            if let Block::Notice { title, text, .. } = block { title.as_ref().or(Some(text)) } else { None }
        })
    }
}

/// A link to the tenant's help. It opens another tab, and sends [`Press::Help`](crate::event::Press::Help).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// The label.
    pub label: Text,
    /// The address, which begins with `https://`.
    pub url: String,
}

/// The bar at the top of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The label of the back button ([`Press::Back`](crate::event::Press::Back)); `None` hides it.
    pub back: Option<Text>,
    /// The tenant; unknown before there is a session.
    pub company: Option<Company>,
    /// A badge next to the name if no data is real ("Sandbox").
    pub badge: Option<Text>,
    /// The label of the close button ([`Event::CloseRequested`](crate::event::Event::CloseRequested)).
    pub close: Text,
}

/// The tenant in the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Company {
    /// The name.
    pub name: String,
    /// The logo or monogram.
    pub mark: Mark,
}

/// An alert dialog over a page. Escape in it sends [`Event::CloseRequested`](crate::event::Event::CloseRequested), as
/// everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// The dialog's name.
    pub title: Text,
    /// The content: its heading first, its actions last.
    pub blocks: Vec<Block>,
}

/// An announcement. The shell writes it again when `turn` changes, even if the text is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Grows with every announcement.
    pub turn: u32,
    /// The text; `None` before the first announcement.
    pub text: Option<Text>,
}

/// The focus. The shell moves it after drawing when `turn` changes, and never otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Focus {
    /// Grows with every move.
    pub turn: u32,
    /// The next focus.
    pub target: FocusTarget,
}

/// The element that gets the focus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FocusTarget {
    /// The heading of the overlay if there is one, otherwise of the page.
    Heading,
    /// The input with this id.
    Field(String),
    /// The element that had the focus before the overlay opened.
    Restore,
}
