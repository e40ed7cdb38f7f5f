//! The result of an event on a screen.

use crate::route::Route;

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
