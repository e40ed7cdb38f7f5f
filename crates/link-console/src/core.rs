//! The rules of the portal: (state, event) -> (state, effects). No browser, no Yew, no clock.

pub mod audit;
pub mod failure;
pub mod page;
pub mod request;
#[cfg(test)]
mod session_tests;
pub mod state;
#[cfg(test)]
mod tests;
pub mod texts;
mod transition;
mod visit;

pub use failure::Failure;
pub use page::Page;
pub use request::{Body, Request, Response};
pub use state::{Event, Loaded, Once, Question, State, Visitor};
pub use texts::{Language, Text};

/// An action of the shell after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send a request, and report its response.
    Send(Request),
    /// Show another page, in place of the present one in the browser's history.
    GoTo(Page),
    /// Move the focus to this element, which is drawn now.
    Focus(&'static str),
}
