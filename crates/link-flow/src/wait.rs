//! Time that must pass before something is accepted again, counted down where the person sees it.

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
    /// Starts one; `None` when there is nothing to wait for.
    pub(crate) fn start(left_ms: u32, context: &mut Context) -> Option<Self> {
        (left_ms > 0).then(|| Self { left_ms, timer: context.start_timer(TICK_MS.min(left_ms)) })
    }

    /// Time has passed; `None` when it is over.
    pub(crate) fn tick(&self, elapsed_ms: u32, context: &mut Context) -> Option<Self> {
        Self::start(self.left_ms.saturating_sub(elapsed_ms), context)
    }

    /// Starts the clock of a session anew: how long a pause was is not known, so the wait goes on where it was.
    pub(crate) fn resume(&self, context: &mut Context) -> Option<Self> {
        Self::start(self.left_ms, context)
    }

    /// The timer that is waited for.
    pub(crate) fn timer(&self) -> TimerId {
        self.timer
    }

    /// Milliseconds left.
    pub(crate) fn left_ms(&self) -> u32 {
        self.left_ms
    }

    /// How long it still is, in words.
    pub(crate) fn text(&self) -> Text {
        words(self.left_ms)
    }
}

/// Up to this many seconds or minutes are said as such: "in 90 seconds" is clearer than "in 2 minutes".
const MOST_OF_A_UNIT: u32 = 90;

/// A wait in words, in the largest unit that says it well. It is rounded up, so that no try comes too early.
pub(crate) fn words(left_ms: u32) -> Text {
    let seconds = left_ms.div_ceil(1_000);
    let (minutes, hours) = (seconds.div_ceil(60), seconds.div_ceil(3_600));
    let (message, count) = match (seconds, minutes) {
        (..=MOST_OF_A_UNIT, _) => (Message::LoginWait, seconds),
        (_, ..=MOST_OF_A_UNIT) => (Message::LoginWaitMinutes, minutes),
        _ => (Message::LoginWaitHours, hours),
    };
    Text::with(message, vec![count.into()])
}
