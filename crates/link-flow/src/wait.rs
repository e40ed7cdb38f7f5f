//! A wait until the service accepts something again, with a countdown that the person sees.

use crate::context::Context;
use crate::event::TimerId;
use crate::generated::message::Message;
use crate::view::Text;

const TICK_MS: u32 = 1_000;

/// A wait that is not over.
#[derive(Debug)]
pub(crate) struct Wait {
    left_ms: u32,
    timer: TimerId,
}

impl Wait {
    /// Starts a wait. Returns `None` if there is nothing to wait for.
    pub(crate) fn start(left_ms: u32, context: &mut Context) -> Option<Self> {
        (left_ms > 0).then(|| Self { left_ms, timer: context.start_timer(TICK_MS.min(left_ms)) })
    }

    /// Handles a tick. Returns `None` when the wait is over.
    pub(crate) fn tick(&self, elapsed_ms: u32, context: &mut Context) -> Option<Self> {
        Self::start(self.left_ms.saturating_sub(elapsed_ms), context)
    }

    /// Continues the wait in a new session. The length of the pause is unknown, so no time is subtracted.
    pub(crate) fn resume(&self, context: &mut Context) -> Option<Self> {
        Self::start(self.left_ms, context)
    }

    /// Returns the timer under way.
    pub(crate) fn timer(&self) -> TimerId {
        self.timer
    }

    /// Returns the milliseconds left.
    pub(crate) fn left_ms(&self) -> u32 {
        self.left_ms
    }

    /// Returns the time left, in words.
    pub(crate) fn text(&self) -> Text {
        words(self.left_ms)
    }
}

/// Up to this count, a unit is used: "in 90 seconds" is clearer than "in 2 minutes".
const MAX_OF_A_UNIT: u32 = 90;

/// Returns a wait in words, in the largest clear unit. Rounds up, so that no attempt comes too early.
pub(crate) fn words(left_ms: u32) -> Text {
    let seconds = left_ms.div_ceil(1_000);
    let (minutes, hours) = (seconds.div_ceil(60), seconds.div_ceil(3_600));
    let (message, count) = match (seconds, minutes) {
        (..=MAX_OF_A_UNIT, _) => (Message::LoginWait, seconds),
        (_, ..=MAX_OF_A_UNIT) => (Message::LoginWaitMinutes, minutes),
        _ => (Message::LoginWaitHours, hours),
    };
    Text::with(message, vec![count.into()])
}
