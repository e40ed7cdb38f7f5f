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
        Text::with(Message::LoginWait, vec![self.left_ms.div_ceil(1_000).into()])
    }
}
