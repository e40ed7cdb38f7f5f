//! The core of the widget: (state, event) -> (state, effects), and the view as a list of blocks.
//!
//! It does not know Yew, web-sys, fetch, clocks, randomness or async, so its tests run natively in microseconds. It
//! returns effects as values.
//!
//! # Where to start
//!
//! 1. [`Flow`]: the state machine. [`event`]: its inputs. [`effect`]: its orders to the shell.
//! 2. [`view`]: the screen, as about a dozen kinds of [`view::block`].
//! 3. `screen`: one file for each screen. A screen returns an `Outcome` (`input.rs`): it stays, or it goes to a `route`. `navigate`
//!    builds the screen of a route, and loads the deferred chunk first if the route needs it. `screen::deferred` builds the
//!    screens of the chunk.
//! 4. `state`: a screen, alone or below a dialog of the flow (`leaving`, `token_expired`).
//! 5. [`options`]: the options of a tenant's page.
//!
//! No state, view or `Debug` contains a secret: the DOM holds the text of secret inputs, [`Event::Submitted`] carries
//! it here once, and the flow moves it into the effect.

mod arrival;
mod call;
mod chunk;
mod closing_point;
mod consent_state;
mod context;
pub mod effect;
mod emit;
pub mod event;
mod fault;
mod flow;
pub mod generated;
mod input;
mod leaving;
mod linking;
mod login_draft;
mod login_form;
mod mark;
mod navigate;
pub mod options;
mod page;
mod pause;
mod poll;
mod preferences;
mod provider_list;
mod resume_point;
mod route;
mod screen;
mod search;
mod session;
mod sheet;
mod state;
pub mod submission;
#[cfg(test)]
mod tests;
mod token_expired;
mod uploads;
pub mod view;
mod wait;

pub use effect::Effect;
pub use event::Event;
pub use flow::Flow;
pub use submission::Secrets;
pub use view::View;
