//! Circuit breaker of a webhook. After 5 consecutive failed attempts, deliveries wait, and one probe at a time is sent
//! until a probe succeeds.

use std::time::Duration;

use super::retry::ATTEMPT_TIMEOUT;
use crate::clock::Wall;

/// Number of consecutive failed attempts that open a breaker.
pub const FAILURES_TO_OPEN: u32 = 5;
/// How long a breaker stays open before its webhook is disabled: 5 days.
pub const DISABLED_AFTER: Duration = Duration::from_secs(5 * 86_400);
/// How long a running probe delays the next one: the time limit of an attempt, plus some time to record it.
pub const PROBE_TIME: Duration = Duration::from_secs(ATTEMPT_TIMEOUT.as_secs() + 5);
/// `disabledReason` of a webhook whose breaker was open for [`DISABLED_AFTER`].
pub const DISABLED_REASON: &str =
    "Every attempt failed for 5 days. Set `active` to true to send events to this address again.";

/// How late a probe may be without counting as a pause: 1 day. If a webhook had nothing to probe with for longer, its 5
/// days restart.
const IDLE_AFTER: Duration = Duration::from_secs(86_400);
const FIRST_WAIT: Duration = Duration::from_secs(5);
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// Results of a webhook's recent attempts. Uses wall time, like leases and rate limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaker {
    /// Deliveries are sent when they are due.
    Closed {
        /// Failed attempts since the last success.
        failures: u32,
    },
    /// Deliveries wait. One probe at a time is sent.
    Open {
        /// Failed attempts since the last success.
        failures: u32,
        /// When the breaker opened.
        since: Wall,
        /// Earliest time of the next probe.
        probe_at: Wall,
    },
}

impl Default for Breaker {
    fn default() -> Self {
        Self::Closed { failures: 0 }
    }
}

impl Breaker {
    /// Returns the breaker after a failed attempt that started at `began` and ends now. `pace` multiplies the wait
    /// until the next probe. With a pace of 1, the wait is 5 seconds and doubles with each failed probe, up to 5
    /// minutes. Attempts that were running when the breaker opened change nothing.
    #[must_use]
    pub fn failed(self, began: Wall, now: Wall, pace: f64) -> Self {
        let failures = self.failures().saturating_add(1);
        let since = match self {
            Self::Open { since, .. } if began < since => return self,
            Self::Open { probe_at, .. } if began > probe_at + IDLE_AFTER => now,
            Self::Open { since, .. } => since,
            Self::Closed { .. } if failures < FAILURES_TO_OPEN => return Self::Closed { failures },
            Self::Closed { .. } => now,
        };
        let doublings = failures.saturating_sub(FAILURES_TO_OPEN).min(16);
        let wait = FIRST_WAIT.saturating_mul(1 << doublings).min(LONGEST_WAIT);
        Self::Open { failures, since, probe_at: now + wait.mul_f64(pace) }
    }

    /// Returns the breaker while a probe that starts now is running.
    #[must_use]
    pub fn probing(self, now: Wall) -> Self {
        match self {
            Self::Open { failures, since, .. } => Self::Open { failures, since, probe_at: now + PROBE_TIME },
            Self::Closed { .. } => self,
        }
    }

    /// Returns the breaker with its next probe due now, because the tenant asked to resend a delivery.
    #[must_use]
    pub fn expedited(self, now: Wall) -> Self {
        match self {
            Self::Open { failures, since, .. } => Self::Open { failures, since, probe_at: now },
            Self::Closed { .. } => self,
        }
    }

    /// Returns the number of failed attempts since the last success.
    pub const fn failures(self) -> u32 {
        match self {
            Self::Closed { failures } | Self::Open { failures, .. } => failures,
        }
    }

    /// Returns whether the webhook must be disabled, because the breaker has been open for 5 days.
    pub fn must_disable(self, now: Wall) -> bool {
        matches!(self, Self::Open { since, .. } if now >= since + DISABLED_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(failures: u32, now: Wall) -> Breaker {
        (0..failures).fold(Breaker::default(), |breaker, _| breaker.failed(now, now, 1.0))
    }

    fn probe_at(breaker: Breaker) -> Wall {
        match breaker {
            Breaker::Open { probe_at, .. } => probe_at,
            Breaker::Closed { .. } => panic!("the breaker is closed"),
        }
    }

    #[test]
    fn breaker_opens_after_five_failures() {
        let now = Wall::from_micros(1_000_000);
        assert_eq!(after(4, now), Breaker::Closed { failures: 4 });
        let open = Breaker::Open { failures: 5, since: now, probe_at: now + Duration::from_secs(5) };
        assert_eq!(after(5, now), open);
    }

    #[test]
    fn probe_waits_double_up_to_five_minutes() {
        let now = Wall::from_micros(0);
        let waits =
            [5, 6, 7, 11, 12, 400].map(|failures| probe_at(after(failures, now)).since(now).as_secs());
        assert_eq!(waits, [5, 10, 20, 300, 300, 300]);
    }

    #[test]
    fn running_probe_delays_the_next_one() {
        let now = Wall::from_micros(0);
        assert_eq!(probe_at(after(5, now).probing(now)), now + Duration::from_secs(20));
        assert_eq!(probe_at(after(9, now).expedited(now)), now);
        assert_eq!(after(4, now).probing(now), after(4, now));
    }

    #[test]
    fn webhook_is_disabled_after_five_days_open() {
        let opened = Wall::from_micros(0);
        let daily = (1..5).map(|day| opened + Duration::from_secs(day * 86_400));
        let open = daily.fold(after(5, opened), |breaker, at| breaker.failed(at, at, 1.0));
        assert!(!open.must_disable(opened + DISABLED_AFTER - Duration::from_secs(1)));
        assert!(open.must_disable(opened + DISABLED_AFTER));
        assert!(!after(4, opened).must_disable(opened + DISABLED_AFTER * 2));
    }

    #[test]
    fn idle_webhook_restarts_its_five_days() {
        let opened = Wall::from_micros(0);
        let week_later = opened + Duration::from_secs(7 * 86_400);
        let open = after(5, opened).failed(week_later, week_later, 1.0);
        assert!(!open.must_disable(week_later));
        assert!(open.must_disable(week_later + DISABLED_AFTER));
    }

    #[test]
    fn attempts_running_when_it_opens_do_not_delay_the_probe() {
        let (began, opened) = (Wall::from_micros(0), Wall::from_micros(10_000_000));
        let open = (0..16).fold(Breaker::default(), |breaker, _| breaker.failed(began, opened, 1.0));
        assert_eq!(probe_at(open), opened + Duration::from_secs(5));
    }
}
