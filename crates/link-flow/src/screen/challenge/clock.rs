//! The clock of a challenge: until it expires, and until a code may be sent again.

use link_types::challenge::Challenge;

use crate::context::Context;
use crate::event::TimerId;
use crate::generated::message::Message;
use crate::view::Text;

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
        let passes =
            |limit: u32| before.is_some_and(|it| it > limit) && self.left_ms.is_some_and(|it| it <= limit);
        if self.may_extend && passes(EXTEND_CALL_MS) && !self.has_run_out() {
            context.announce(self.time(Message::ChallengeTimeLow));
        } else if passes(LAST_CALL_MS) && !self.has_run_out() {
            context.announce(self.text());
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

    /// Returns the seconds left and at the start; `None` if there is no limit or it has passed.
    pub(super) fn seconds(&self) -> Option<(u32, u32)> {
        let left = self.left_ms.filter(|left| *left > 0)?;
        Some((left.div_ceil(1_000), self.total_ms.div_ceil(1_000)))
    }

    /// Returns the sentence with the time left.
    pub(super) fn text(&self) -> Text {
        self.time(Message::ChallengeTimeLeft)
    }

    fn time(&self, message: Message) -> Text {
        let (left, _) = self.seconds().unwrap_or_default();
        let time = format!("{}:{:02}", left / 60, left % 60);
        Text::with(message, vec![time.as_str().into()])
    }

    /// Returns the seconds until a code may be sent again; `None` if it never may.
    pub(super) fn resend_seconds(&self) -> Option<u32> {
        self.resend_ms.map(|left| left.div_ceil(1_000))
    }

    /// Whether a code may be sent again now.
    pub(super) fn may_resend(&self) -> bool {
        self.resend_ms == Some(0)
    }
}
