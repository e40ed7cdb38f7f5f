//! How slowly bytes may come: a sender that goes slower keeps a connection, or a turn where there are few, from others.

use std::time::Duration;

use tokio::time::Instant;

/// The minimum number of bytes that must arrive within each interval of this length.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The bytes, at least 1.
    pub bytes: usize,
    /// The span.
    pub within: Duration,
}

/// A body that must keep a pace.
#[derive(Debug)]
pub struct Paced {
    pace: Pace,
    since: Instant,
    received: usize,
}

impl Pace {
    /// 1 KB a second, on average.
    pub const SLOWEST: Self = Self { bytes: 30 * 1024, within: Duration::from_secs(30) };

    /// A body that begins now.
    pub fn begins(self, now: Instant) -> Paced {
        Paced { pace: self, since: now, received: 0 }
    }
}

impl Paced {
    /// The moment at which the body is too slow, if nothing comes until then.
    pub fn deadline(&self) -> Instant {
        self.since + self.pace.within
    }

    /// Counts bytes that came. Each time enough are there, the next span begins.
    pub fn received(&mut self, count: usize, now: Instant) {
        self.received = self.received.saturating_add(count);
        if self.received >= self.pace.bytes {
            (self.since, self.received) = (now, 0);
        }
    }

    /// Time that the service itself took is not the sender's.
    pub fn waited(&mut self, time: Duration) {
        self.since += time;
    }
}
