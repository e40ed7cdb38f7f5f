//! The clock of a challenge: until it expires, and until a code may be sent again.

use link_types::challenge::Challenge;

use crate::context::Context;
use crate::event::TimerId;
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::Block;

const TICK_MS: u32 = 1_000;

/// The live region announces the time left once, at this point.
const LAST_CALL_MS: u32 = 30_000;

/// The live region announces once, at this point, that the person can ask for more time.
const EXTEND_CALL_MS: u32 = 60_000;

/// Counts down while time is left.
#[derive(Debug)]
pub(super) struct Clock {
    left_ms: Option<u32>,
    total_ms: u32,
    resend_ms: Option<u32>,
    resend_total_ms: u32,
    timer: Option<TimerId>,
    may_extend: bool,
}

impl Clock {
    /// Starts with the durations of the challenge.
    pub(super) fn start(challenge: &Challenge, context: &mut Context) -> Self {
        let left_ms = challenge.expires_in_ms;
        let resend_ms = challenge.resend.as_ref().map(|rule| rule.available_in_ms);
        let mut clock = Self {
            left_ms,
            total_ms: left_ms.unwrap_or(0),
            resend_ms,
            resend_total_ms: resend_ms.unwrap_or(0),
            timer: None,
            may_extend: challenge.extendable,
        };
        clock.wind(context);
        clock
    }

    fn wind(&mut self, context: &mut Context) {
        let counts = self.left_ms.unwrap_or(0) > 0 || self.resend_ms.unwrap_or(0) > 0;
        self.timer = counts.then(|| context.start_timer(TICK_MS));
    }

    /// Handles a tick.
    pub(super) fn tick(&mut self, elapsed_ms: u32, context: &mut Context) {
        let before = self.left_ms;
        self.left_ms = before.map(|left| left.saturating_sub(elapsed_ms));
        self.resend_ms = self.resend_ms.map(|left| left.saturating_sub(elapsed_ms));
        // The first tick of a short challenge passes the limit, too.
        let longest = self.total_ms.saturating_sub(TICK_MS);
        let passes = |limit: u32| {
            let limit = limit.min(longest);
            before.is_some_and(|it| it > limit) && self.left_ms.is_some_and(|it| it <= limit)
        };
        if self.may_extend && passes(EXTEND_CALL_MS) && !self.has_run_out() {
            context.announce(self.time(Message::ChallengeTimeLow));
        } else if passes(LAST_CALL_MS) && !self.has_run_out() {
            context.announce(self.time(Message::ChallengeTimeLeft));
        }
        self.wind(context);
    }

    /// Whether the challenge has expired.
    pub(super) fn has_run_out(&self) -> bool {
        self.left_ms == Some(0)
    }

    pub(super) fn timer(&self) -> Option<TimerId> {
        self.timer
    }

    /// Builds the only countdown of the page: the time left, the time until a code may be sent again, or both.
    pub(super) fn block(&self) -> Option<Block> {
        let left = whole_seconds(self.left_ms);
        let resend = whole_seconds(self.resend_ms);
        let (text, left, total) = match (left, resend) {
            (Some(left), None) => (self.time(Message::ChallengeTimeLeft), left, self.total_ms),
            (Some(left), Some(resend)) => {
                let args = vec![minutes(left).as_str().into(), resend.into()];
                (Text::with(Message::ChallengeTimeBoth, args), left, self.total_ms)
            }
            (None, Some(resend)) => {
                let text = Text::with(Message::ChallengeResendWait, vec![resend.into()]);
                (text, resend, self.resend_total_ms)
            }
            (None, None) => return None,
        };
        Some(Block::Countdown { text, left, total: total.div_ceil(1_000) })
    }

    fn time(&self, message: Message) -> Text {
        let left = whole_seconds(self.left_ms).unwrap_or_default();
        Text::with(message, vec![minutes(left).as_str().into()])
    }

    /// Whether a code may be sent again now.
    pub(super) fn may_resend(&self) -> bool {
        self.resend_ms == Some(0)
    }
}

/// Returns the seconds left, rounded up; `None` if there is no limit or it has passed.
fn whole_seconds(left_ms: Option<u32>) -> Option<u32> {
    left_ms.filter(|left| *left > 0).map(|left| left.div_ceil(1_000))
}

fn minutes(seconds: u32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
