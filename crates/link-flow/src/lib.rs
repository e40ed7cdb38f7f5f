//! The widget's brain: (state, event) -> (state, effects), and the view as a list of blocks.
//!
//! It knows nothing of Yew, web-sys, fetch, clocks, randomness or async, so all of it is tested natively in
//! microseconds. What it wants done it returns as values.
//!
//! # Where to start
//!
//! 1. [`Flow`]: the machine. [`event`]: what can happen. [`effect`]: what the body is asked to do.
//! 2. [`view`]: what is on the screen, as a dozen kinds of [`view::block`].
//! 3. `state`: one variant a screen; `screen`: one file a screen.
//! 4. [`options`]: what a tenant's page may ask for.
//!
//! No secret is in any state, view or `Debug`: the DOM holds what is typed into a secret input,
//! [`Event::Submitted`] carries it here once, and it moves into the effect.

mod call;
mod context;
pub mod effect;
pub mod event;
mod fault;
mod flow;
pub mod generated;

mod linking;
mod mark;
pub mod options;
mod page;
mod pause;
mod place;
mod poll;
mod preferences;
mod rest;
mod screen;
mod search;
mod secrets;
mod session;
mod state;
pub mod submission;
mod tell;
#[cfg(test)]
mod tests;
mod uploads;
pub mod view;
mod wait;

pub use effect::Effect;
pub use event::Event;
pub use flow::Flow;
pub use secrets::Secrets;
pub use view::View;
