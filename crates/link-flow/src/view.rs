//! What is on the screen, as plain values. The body draws it and decides nothing.

pub mod block;
mod text;
mod typed;

pub use block::Block;
pub use text::{Argument, Text};
pub use typed::Typed;

use block::Mark;

/// Everything on the screen at one moment. Two equal views are drawn alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The page.
    pub page: Page,
    /// An alert dialog over the page. The page stays mounted beneath it, inert, so that typed text is kept.
    pub overlay: Option<Overlay>,
    /// What the one polite live region says.
    pub announcement: Announcement,
    /// What has the focus.
    pub focus: Focus,
}

/// One step of the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Changes when the blocks must be built from nothing: another step, or the same with its secrets cleared. The
    /// body uses it as the key of the page's element; what the DOM alone holds (secrets) goes with the old one.
    pub key: u32,
    /// The dialog's name and the document's title.
    pub title: Text,
    /// The bar at the top.
    pub header: Header,
    /// The page itself.
    pub blocks: Vec<Block>,
    /// Whether the blocks are a form: the body wraps them in one and sends
    /// [`Event::Submitted`](crate::event::Event::Submitted) when it is submitted.
    pub form: bool,
    /// The line at the bottom: who sees what.
    pub footer: Option<Text>,
}

/// The bar at the top of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The label of the back button ([`Press::Back`](crate::event::Press::Back)); there is none where there is no way back.
    pub back: Option<Text>,
    /// The tenant; not known until the session is.
    pub company: Option<Company>,
    /// Said beside the name where nothing is real ("Sandbox").
    pub badge: Option<Text>,
    /// The label of the close button ([`Event::CloseRequested`](crate::event::Event::CloseRequested)).
    pub close: Text,
}

/// The tenant as the header shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Company {
    /// Its name.
    pub name: String,
    /// Its logo or monogram.
    pub mark: Mark,
}

/// An alert dialog over a page: leave?, the session ended. Escape in it sends
/// [`Event::CloseRequested`](crate::event::Event::CloseRequested), as anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// Its name.
    pub title: Text,
    /// What it says, its heading first and its actions last.
    pub blocks: Vec<Block>,
}

/// What the live region says. The body writes it anew when `turn` changes, even when the words are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Grows with every announcement.
    pub turn: u32,
    /// The words; `None` before the first.
    pub text: Option<Text>,
}

/// What has the focus. The body moves it, after drawing, when `turn` changes, and leaves it alone otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Focus {
    /// Grows with every move.
    pub turn: u32,
    /// Where to.
    pub target: FocusTarget,
}

/// Where the focus goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FocusTarget {
    /// The heading of the overlay when there is one, else of the page.
    Heading,
    /// The input with this id.
    Field(String),
    /// Where it was on the page before the overlay opened.
    Restore,
}
