//! Circuit breaker of a webhook. After 5 consecutive failed attempts, deliveries wait, and one probe at a time is sent
//! until a probe succeeds.

use std::time::Duration;

use super::retry::ATTEMPT_TIMEOUT;
use crate::kernel::clock::{Now, TenantTime, Wall};

/// Number of consecutive failed attempts that open a breaker.
pub const FAILURES_TO_OPEN: u32 = 5;
/// How long every attempt fails before the webhook is disabled: 5 days.
pub const DISABLED_AFTER: Duration = Duration::from_secs(5 * 86_400);
/// Number of consecutive failed attempts without which no webhook is disabled. A sandbox's clock can pass 5 days
/// between two attempts, and a webhook can have two events in 5 days.
const FAILURES_TO_DISABLE: u32 = 10;
/// How long a running probe delays the next one: the time limit of an attempt, plus some time to record it.
pub const PROBE_TIME: Duration = Duration::from_secs(ATTEMPT_TIMEOUT.as_secs() + 5);
/// `disabledReason` of a webhook whose every attempt failed for [`DISABLED_AFTER`].
pub const DISABLED_REASON: &str =
    "Every attempt failed for 5 days. Set `active` to true to send events to this address again.";

const FIRST_WAIT: Duration = Duration::from_secs(5);
const MAX_WAIT: Duration = Duration::from_secs(300);

/// Results of a webhook's recent attempts. Probes use wall time, like leases and rate limits, and the 5 days use the
/// tenant's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaker {
    /// Deliveries are sent when they are due.
    Closed {
        /// The attempts since the last success, if one failed.
        failures: Option<Failures>,
    },
    /// Deliveries wait. One probe at a time is sent.
    Open {
        /// The failed attempts since the last success.
        failures: Failures,
        /// When the breaker opened.
        opened_at: TenantTime,
        /// Earliest time of the next probe.
        probe_at: Wall,
    },
}

/// Failed attempts with no success between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failures {
    /// The number of attempts.
    pub count: u32,
    /// When the first one ended.
    pub since: TenantTime,
}

/// The end of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptEnd {
    /// Whether the receiver accepted the event.
    pub accepted: bool,
    /// When the attempt began.
    pub began: Now,
    /// When it ended.
    pub ended: Now,
}

impl AttemptEnd {
    /// Returns the end of an attempt that failed.
    #[must_use]
    pub const fn failure(began: Now, ended: Now) -> Self {
        Self { accepted: false, began, ended }
    }
}

impl Default for Breaker {
    fn default() -> Self {
        Self::Closed { failures: None }
    }
}

impl Breaker {
    /// Returns the breaker after attempts that ended in this order. A success closes it. `pace` is that of [`record_failure`].
    ///
    /// [`record_failure`]: Self::record_failure
    #[must_use]
    pub fn after(self, ends: &[AttemptEnd], pace: f64) -> Self {
        ends.iter().fold(self, |breaker, end| match end.accepted {
            true => Self::default(),
            false => breaker.record_failure(end.began, end.ended, pace),
        })
    }

    /// Returns the breaker after a failed attempt that started at `began` and ends now. `pace` multiplies the wait
    /// until the next probe. With a pace of 1, the wait is 5 seconds and doubles with each failed probe, up to 5
    /// minutes. Attempts that were running when the breaker opened change nothing.
    #[must_use]
    pub fn record_failure(self, began: Now, now: Now, pace: f64) -> Self {
        let Failures { count, since } = self.failures().unwrap_or(Failures { count: 0, since: now.tenant() });
        let failures = Failures { count: count.saturating_add(1), since };
        let opened_at = match self {
            Self::Open { opened_at, .. } if began.tenant() < opened_at => return self,
            Self::Open { opened_at, .. } => opened_at,
            Self::Closed { .. } if failures.count < FAILURES_TO_OPEN => {
                return Self::Closed { failures: Some(failures) };
            }
            Self::Closed { .. } => now.tenant(),
        };
        let doublings = failures.count.saturating_sub(FAILURES_TO_OPEN).min(16);
        let wait = FIRST_WAIT.saturating_mul(1 << doublings).min(MAX_WAIT);
        Self::Open { failures, opened_at, probe_at: now.wall() + wait.mul_f64(pace) }
    }

    /// Returns the breaker while a probe that starts now is running.
    #[must_use]
    pub fn probing(self, now: Wall) -> Self {
        match self {
            Self::Open { failures, opened_at, .. } => {
                Self::Open { failures, opened_at, probe_at: now + PROBE_TIME }
            }
            Self::Closed { .. } => self,
        }
    }

    /// Returns the breaker with its next probe due now, because the tenant asked to resend a delivery.
    #[must_use]
    pub fn expedite(self, now: Wall) -> Self {
        match self {
            Self::Open { failures, opened_at, .. } => Self::Open { failures, opened_at, probe_at: now },
            Self::Closed { .. } => self,
        }
    }

    /// Returns the failed attempts since the last success.
    pub const fn failures(self) -> Option<Failures> {
        match self {
            Self::Closed { failures } => failures,
            Self::Open { failures, .. } => Some(failures),
        }
    }

    /// Returns whether the webhook must be disabled, because every attempt of the last 5 days failed. How often it has
    /// something to send does not matter.
    pub fn must_disable(self, now: TenantTime) -> bool {
        self.failures().is_some_and(|it| it.count >= FAILURES_TO_DISABLE && now >= it.since + DISABLED_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::clock::ClockOffset;

    const START: Wall = Wall::from_micros(1_000_000);

    /// Returns the instant this many seconds after the start, on a clock that is this many days ahead.
    fn at(seconds: u64, days_ahead: u64) -> Now {
        let ahead =
            Now::new(START, ClockOffset::default()).tenant() + Duration::from_secs(days_ahead * 86_400);
        let offset = Now::new(START, ClockOffset::default()).offset_at(ahead);
        Now::new(START + Duration::from_secs(seconds), offset)
    }

    fn after(failures: u32, now: Now) -> Breaker {
        (0..failures).fold(Breaker::default(), |breaker, _| breaker.record_failure(now, now, 1.0))
    }

    fn probe_at(breaker: Breaker) -> Wall {
        match breaker {
            Breaker::Open { probe_at, .. } => probe_at,
            Breaker::Closed { .. } => panic!("the breaker is closed"),
        }
    }

    #[test]
    fn breaker_opens_after_five_failures() {
        let now = at(0, 0);
        let failures = |count| Failures { count, since: now.tenant() };
        assert_eq!(after(4, now), Breaker::Closed { failures: Some(failures(4)) });
        let probe_at = START + Duration::from_secs(5);
        let open = Breaker::Open { failures: failures(5), opened_at: now.tenant(), probe_at };
        assert_eq!(after(5, now), open);
    }

    #[test]
    fn probe_waits_double_up_to_five_minutes() {
        let waits =
            [5, 6, 7, 11, 12, 400].map(|failures| probe_at(after(failures, at(0, 0))).since(START).as_secs());
        assert_eq!(waits, [5, 10, 20, 300, 300, 300]);
    }

    #[test]
    fn running_probe_delays_the_next_one() {
        let now = at(0, 0);
        assert_eq!(probe_at(after(5, now).probing(START)), START + Duration::from_secs(20));
        assert_eq!(probe_at(after(9, now).expedite(START)), START);
        assert_eq!(after(4, now).probing(START), after(4, now));
    }

    #[test]
    fn webhook_is_disabled_after_five_days_of_failures() {
        let daily = (1..5).map(|day| at(day * 86_400, 0));
        let open = daily.fold(after(6, at(0, 0)), |breaker, at| breaker.record_failure(at, at, 1.0));
        let end = 5 * 86_400;
        assert!(!open.must_disable(at(end - 1, 0).tenant()));
        assert!(open.must_disable(at(end, 0).tenant()));
        assert!(!after(4, at(0, 0)).must_disable(at(2 * end, 0).tenant()));
    }

    #[test]
    fn little_traffic_does_not_delay_the_five_days() {
        for hours in [25, 48, 100] {
            let mut breaker = Breaker::default();
            let mut disabled_after = None;
            for event in 0..6 {
                // Each event has up to 3 attempts, of which the retries are soon after the first one.
                for attempt in 0..3 {
                    let now = at(event * hours * 3_600 + attempt * 300, 0);
                    breaker = breaker.record_failure(now, now, 1.0);
                    if breaker.must_disable(now.tenant()) {
                        disabled_after = disabled_after.or(Some(event * hours));
                    }
                }
            }
            // The first event after 5 days, and not before the fourth, which has the tenth attempt.
            let expected = 120_u64.div_ceil(hours).max(3) * hours;
            assert_eq!(disabled_after, Some(expected), "an event every {hours} hours");
        }
    }

    #[test]
    fn five_days_begin_with_the_first_failure_before_it_opens() {
        let day = |day: u64| at(day * 86_400, 0);
        let before = after(4, day(0)).record_failure(day(2), day(2), 1.0);
        assert!(matches!(before, Breaker::Open { opened_at, .. } if opened_at == day(2).tenant()));
        let failing = (0..5).fold(before, |breaker, _| breaker.record_failure(day(5), day(5), 1.0));
        assert!(failing.must_disable(day(5).tenant()));
    }

    #[test]
    fn five_days_pass_on_the_clock_of_the_sandbox() {
        let open = after(9, at(0, 0)).record_failure(at(10, 6), at(10, 6), 1.0);
        assert!(!open.must_disable(at(10, 4).tenant()));
        assert!(open.must_disable(at(10, 6).tenant()));
        assert!(!after(9, at(0, 0)).must_disable(at(10, 6).tenant()), "a short outage during an advance");
        assert_eq!(probe_at(open), START + Duration::from_secs(10 + 160), "probes are in real time");
    }

    #[test]
    fn success_closes_it_and_later_failures_count_from_zero() {
        let now = at(0, 0);
        let (failed, accepted) =
            (AttemptEnd::failure(now, now), AttemptEnd { accepted: true, ..AttemptEnd::failure(now, now) });
        assert_eq!(after(9, now).after(&[failed, accepted], 1.0), Breaker::default());
        assert_eq!(after(9, now).after(&[accepted, failed, failed], 1.0), after(2, now));
        assert_eq!(after(4, now).after(&[failed; 3], 1.0), after(7, now));
    }

    #[test]
    fn attempts_running_when_it_opens_do_not_delay_the_probe() {
        let open =
            (0..16).fold(Breaker::default(), |breaker, _| breaker.record_failure(at(0, 0), at(10, 0), 1.0));
        assert_eq!(probe_at(open), START + Duration::from_secs(10 + 5));
    }
}
