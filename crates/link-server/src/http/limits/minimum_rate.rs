//! The minimum rate at which a request body must arrive.
//!
//! A slower sender would keep a connection or a scarce permit from other clients.

use std::time::Duration;

use tokio::time::Instant;

/// The minimum number of bytes that must arrive within each interval of this length.
#[derive(Clone, Copy, Debug)]
pub struct MinimumRate {
    /// The number of bytes, at least 1.
    pub bytes: usize,
    /// The length of an interval.
    pub within: Duration,
}

/// Checks a body against its minimum rate.
#[derive(Debug)]
pub struct RateChecked {
    minimum: MinimumRate,
    since: Instant,
    received: usize,
}

impl MinimumRate {
    /// 1 KB a second, on average over 30 seconds.
    pub const SLOWEST: Self = Self { bytes: 30 * 1024, within: Duration::from_secs(30) };

    /// Starts the first interval of a body.
    pub fn begins(self, now: Instant) -> RateChecked {
        RateChecked { minimum: self, since: now, received: 0 }
    }
}

impl RateChecked {
    /// Returns when the body is too slow if no more bytes arrive.
    pub fn deadline(&self) -> Instant {
        self.since + self.minimum.within
    }

    /// Counts received bytes. Starts the next interval once this one has its minimum.
    pub fn received(&mut self, count: usize, now: Instant) {
        self.received = self.received.saturating_add(count);
        if self.received >= self.minimum.bytes {
            (self.since, self.received) = (now, 0);
        }
    }

    /// Extends the interval by time that the service itself took.
    pub fn waited(&mut self, time: Duration) {
        self.since += time;
    }
}
