//! Reads the bytes of a body within limits on its size and on the time that it takes.
//!
//! Our own: tower-http's body timeout starts again at each chunk, so a body that arrives byte by byte never times out.

use std::time::Duration;

use axum::http::StatusCode;
use futures_util::StreamExt as _;
use link_types::problem::ProblemCode;
use tokio::time::{Instant, timeout_at};

use crate::http::problem::Problem;

/// How long a body may take to arrive. A slower sender would occupy a connection and, on some endpoints, a scarce
/// permit.
#[derive(Clone, Copy, Debug)]
pub struct BodyTimeouts {
    /// The longest pause between two chunks.
    pub silence: Duration,
    /// The longest time from the first byte to the last.
    pub whole: Duration,
    /// The minimum rate at which the body must arrive.
    pub minimum_rate: MinimumRate,
}

impl BodyTimeouts {
    /// For a small body from an unauthenticated caller.
    pub const SHORT: Self = Self {
        silence: Duration::from_secs(5),
        whole: Duration::from_secs(5),
        minimum_rate: MinimumRate::KILOBYTE_PER_SECOND,
    };
}

impl Default for BodyTimeouts {
    fn default() -> Self {
        let minimum_rate = MinimumRate { bytes: 15 * 1024, within: Duration::from_secs(15) };
        Self { silence: minimum_rate.within, whole: Duration::from_secs(60), minimum_rate }
    }
}

/// Reads the bytes of a body, up to `limit`.
///
/// # Errors
/// 413 if the body is longer, 408 if it does not arrive in time, 400 if it ends early.
pub async fn read(body: axum::body::Body, limit: usize, timeout: BodyTimeouts) -> Result<Vec<u8>, Problem> {
    let mut chunks = body.into_data_stream();
    let whole = async move {
        let mut bytes = Vec::new();
        let mut rate = timeout.minimum_rate.begins(Instant::now());
        loop {
            let deadline = rate.deadline().min(Instant::now() + timeout.silence);
            let Some(chunk) = timeout_at(deadline, chunks.next()).await.map_err(|_| late())? else { break };
            let chunk = chunk.map_err(|_| Problem::unparseable("The body ended early."))?;
            rate.count_bytes(chunk.len(), Instant::now());
            if bytes.len().saturating_add(chunk.len()) > limit {
                return Err(Problem::new(ProblemCode::PayloadTooLarge, "Send a smaller body."));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    };
    tokio::time::timeout(timeout.whole, whole).await.unwrap_or_else(|_| Err(late()))
}

/// Returns a 408: the body did not arrive in time.
pub fn late() -> Problem {
    let detail = "The body did not arrive in time. Send it without pauses and fast enough.";
    Problem::new(ProblemCode::InvalidParameters, detail).with_status(StatusCode::REQUEST_TIMEOUT)
}

// The minimum rate at which a request body must arrive.
//
// A slower sender would keep a connection or a scarce permit from other clients.

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
    pub const KILOBYTE_PER_SECOND: Self = Self { bytes: 30 * 1024, within: Duration::from_secs(30) };

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
    pub fn count_bytes(&mut self, count: usize, now: Instant) {
        self.received = self.received.saturating_add(count);
        if self.received >= self.minimum.bytes {
            (self.since, self.received) = (now, 0);
        }
    }

    /// Extends the interval by time that the service itself took.
    pub fn extend(&mut self, time: Duration) {
        self.since += time;
    }
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse as _;
    use futures_util::stream;

    use super::*;

    const TIMEOUT: BodyTimeouts = BodyTimeouts {
        silence: Duration::from_secs(10),
        whole: Duration::from_secs(60),
        minimum_rate: MinimumRate { bytes: 1, within: Duration::from_secs(10) },
    };

    /// Reads a body that sends `count` bytes, one every `seconds`.
    async fn trickle(seconds: u64, count: usize) -> Result<Vec<u8>, u16> {
        trickle_to(TIMEOUT, seconds, count).await
    }

    async fn trickle_to(timeout: BodyTimeouts, seconds: u64, count: usize) -> Result<Vec<u8>, u16> {
        let chunks = stream::iter(0..count).then(move |_| async move {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            Ok::<_, std::io::Error>("x")
        });
        let read = read(axum::body::Body::from_stream(chunks), 100, timeout).await;
        read.map_err(|refused| refused.into_response().status().as_u16())
    }

    #[tokio::test(start_paused = true)]
    async fn slow_or_oversized_body_is_rejected() {
        assert_eq!(trickle(5, 3).await.unwrap(), b"xxx");
        assert_eq!(trickle(11, 1).await, Err(408), "a long pause");
        assert_eq!(trickle(5, 13).await, Err(408), "too slow overall");
        assert_eq!(trickle(0, 101).await, Err(413));
    }

    #[tokio::test(start_paused = true)]
    async fn body_below_minimum_rate_is_408() {
        let minimum_rate = MinimumRate { bytes: 3, within: Duration::from_secs(20) };
        let timeout = BodyTimeouts { minimum_rate, ..TIMEOUT };
        assert_eq!(trickle_to(timeout, 6, 9).await.unwrap().len(), 9, "3 bytes in 18 seconds");
        let begun = Instant::now();
        assert_eq!(trickle_to(timeout, 8, 7).await, Err(408), "2 bytes in 20 seconds");
        assert_eq!(begun.elapsed(), Duration::from_secs(20));
        let begun = Instant::now();
        assert_eq!(trickle_to(BodyTimeouts::default(), 5, 7).await, Err(408), "1 byte every 5 seconds");
        assert_eq!(begun.elapsed(), Duration::from_secs(15));
    }

    #[tokio::test]
    async fn truncated_body_is_rejected_with_400() {
        let broken = stream::iter([Ok("{"), Err(std::io::Error::other("reset"))]);
        let refused = read(axum::body::Body::from_stream(broken), 100, TIMEOUT).await.unwrap_err();
        assert_eq!(refused.into_response().status(), 400);
    }
}
