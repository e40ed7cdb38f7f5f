//! The events that a screen handles itself.

use crate::event::{Press, Reply, TimerId};
use crate::route::Route;
use crate::submission::Secrets;
use crate::view::Typed;

/// An event for a screen. The flow drops stale replies and timers before this point.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Replied(Reply),
    TimerFired { timer: TimerId, elapsed_ms: u32 },
    Pressed(Press),
    Chosen { id: String },
    Searched { text: Typed },
    Filtered { tab: String },
    Edited { field: String, text: Typed },
    Left { field: String },
    SecretLeft { field: String, empty: bool, stray_space: bool },
    Submitted(Secrets),
}

/// Result of an event: the screen stays, or another one follows.
#[derive(Debug)]
pub(crate) enum Outcome<S> {
    /// The screen stays, in this state.
    Stay(S),
    /// Leaves the screen; [`navigate`](crate::navigate) builds the next state.
    Go(Route),
}

impl<S> Outcome<S> {
    /// Wraps the screen, if it stays.
    pub(crate) fn map<T>(self, wrap: impl FnOnce(S) -> T) -> Outcome<T> {
        match self {
            Self::Stay(screen) => Outcome::Stay(wrap(screen)),
            Self::Go(route) => Outcome::Go(route),
        }
    }
}
