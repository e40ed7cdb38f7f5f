//! The widget's brain: (state, event) -> (state, effects), and the view as a list of blocks.
//!
//! # Where to start
//!
//! 1. [`event`]: what can happen. [`effect`]: what the body is asked to do. [`view`]: what is on the screen.

pub mod effect;
pub mod event;
mod flow;
pub mod generated;
mod secrets;
pub mod view;

pub use effect::Effect;
pub use event::Event;
pub use flow::Flow;
pub use secrets::Secrets;
pub use view::View;
