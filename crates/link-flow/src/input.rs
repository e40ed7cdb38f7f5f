//! The events that a screen handles itself.

use crate::event::{Press, Reply, TimerId};
use crate::secrets::Secrets;
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
