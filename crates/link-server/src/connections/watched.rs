//! Tracks the activity of a connection, as seen by its socket and its service, and its deadline.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;

use super::Slot;
use crate::http::middleware::unauthenticated::UnauthenticatedRequest;

/// Bytes of a response that a client must accept for each second that the service waits for it.
const SLOWEST: u32 = 1024;

/// The time limits of a connection ([`crate::settings::ConnectionLimits`]).
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub(super) head: Duration,
    pub(super) idle: Duration,
    pub(super) write: Duration,
}

/// A connection's activity, shared by its socket, its service and its response bodies.
pub(super) struct Activity {
    times: Times,
    slot: Slot,
    state: Mutex<State>,
}

struct State {
    phase: Phase,
    reading: Reading,
}

/// How fast the client reads its responses. Only the time spent waiting for the client counts.
#[derive(Default)]
struct Reading {
    /// The bytes that the client accepted in this interval.
    accepted: u64,
    /// How long the service waited for the client in this interval, until it accepted bytes.
    waited: Duration,
    /// When the service started to wait for the client to accept more bytes.
    blocked_since: Option<Instant>,
}

impl Reading {
    /// Returns when the client is too slow: fewer than [`SLOWEST`] bytes for each second of `span`.
    fn deadline(&self, span: Duration) -> Option<Instant> {
        self.blocked_since.map(|since| since + span.saturating_sub(self.waited))
    }

    fn is_blocked(&mut self, now: Instant) {
        self.blocked_since.get_or_insert(now);
    }

    fn has_accepted(&mut self, bytes: usize, span: Duration, now: Instant) {
        if let Some(since) = self.blocked_since.take() {
            self.waited += now.saturating_duration_since(since);
        }
        self.accepted = self.accepted.saturating_add(bytes as u64);
        if Duration::from_secs(self.accepted) >= span * SLOWEST {
            *self = Self::default();
        }
    }
}

enum Phase {
    /// Waiting for a complete head. The time for the head runs from its first byte.
    Waiting { until: Instant, has_begun: bool },
    /// The service is processing a request.
    Serving,
    /// The whole response is written or buffered.
    Answered,
}

impl Activity {
    /// Creates the activity of a connection that was just accepted.
    pub(super) fn new(times: Times, slot: Slot, now: Instant) -> Self {
        // A new connection should send a request at once, so the time for its first head runs from the start.
        let phase = Phase::Waiting { until: now + times.head, has_begun: true };
        Self { times, slot, state: Mutex::new(State { phase, reading: Reading::default() }) }
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns when the connection must be closed if nothing changes until then. `None` while the service works.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.with(|state| {
            let blocked = state.reading.deadline(self.times.write);
            let waiting = match state.phase {
                Phase::Waiting { until, .. } => Some(until),
                Phase::Serving | Phase::Answered => None,
            };
            blocked.into_iter().chain(waiting).min()
        })
    }

    /// Records that a complete head was received. Returns false if the connection was evicted and must not serve the
    /// request.
    #[must_use]
    pub(super) fn serves(&self) -> bool {
        self.with(|state| state.phase = Phase::Serving);
        self.slot.serves()
    }

    fn has_read(&self) {
        self.with(|state| {
            if let Phase::Waiting { until, has_begun: has_begun @ false } = &mut state.phase {
                (*until, *has_begun) = (Instant::now() + self.times.head, true);
            }
        });
    }

    fn is_answered(&self) {
        self.with(|state| {
            if matches!(state.phase, Phase::Serving) {
                state.phase = Phase::Answered;
            }
        });
    }

    /// Records that all buffered bytes are written.
    fn is_flushed(&self) {
        let waits = self.with(|state| {
            let is_answered = matches!(state.phase, Phase::Answered);
            is_answered.then(|| {
                let now = Instant::now();
                state.reading = Reading::default();
                state.phase = Phase::Waiting { until: now + self.times.idle, has_begun: false };
                now
            })
        });
        if let Some(now) = waits {
            self.slot.waits(now);
        }
    }

    fn has_written(&self, written: &Poll<io::Result<usize>>) {
        self.with(|state| match written {
            Poll::Pending => state.reading.is_blocked(Instant::now()),
            Poll::Ready(written) => {
                let bytes = *written.as_ref().unwrap_or(&0);
                state.reading.has_accepted(bytes, self.times.write, Instant::now());
            }
        });
    }
}

/// A socket that reports its reads and writes.
pub(super) struct Watched {
    pub(super) stream: TcpStream,
    pub(super) activity: Arc<Activity>,
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.activity.has_read();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.activity.has_written(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.activity.has_written(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        self.activity.is_flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// A response body. The response is complete when hyper drops it.
pub(super) struct AnswerBody {
    pub(super) body: Body,
    pub(super) activity: Arc<Activity>,
    /// Counts the request against its network until the response is written.
    pub(super) unauthenticated: Option<UnauthenticatedRequest>,
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

impl Drop for AnswerBody {
    fn drop(&mut self) {
        drop(self.unauthenticated.take());
        self.activity.is_answered();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Duration = Duration::from_secs(30);

    /// Simulates a client that accepts bytes at a fixed interval. Returns when it is disconnected, if it is.
    fn read(every: u64, bytes: usize, times: u32) -> Option<Duration> {
        let (mut reading, start) = (Reading::default(), Instant::now());
        let mut now = start;
        for _ in 0..times {
            reading.is_blocked(now);
            let next = now + Duration::from_secs(every);
            if let Some(deadline) = reading.deadline(SPAN).filter(|it| *it <= next) {
                return Some(deadline - start);
            }
            now = next;
            reading.has_accepted(bytes, SPAN, now);
        }
        None
    }

    #[test]
    fn client_reading_below_1_kb_per_second_is_disconnected() {
        assert_eq!(read(9, 11_000, 100), None);
        assert_eq!(read(1, 40_000, 100), None);
        assert_eq!(read(10, 10, 100), Some(SPAN), "a few bytes every 10 seconds");
        assert_eq!(read(1, 1_000, 100), Some(SPAN));
        assert_eq!(read(31, 1_000_000, 100), Some(SPAN), "silence");
    }

    #[test]
    fn service_delays_do_not_count_against_the_client() {
        let (mut reading, start) = (Reading::default(), Instant::now());
        reading.is_blocked(start);
        reading.has_accepted(10, SPAN, start + Duration::from_secs(1));
        assert_eq!(reading.deadline(SPAN), None, "nothing is left to read");
        reading.is_blocked(start + Duration::from_secs(3_600));
        assert_eq!(reading.deadline(SPAN), Some(start + Duration::from_secs(3_629)));
    }
}
