//! Structured logs on standard error: JSON lines, or plain text on a terminal.

use std::io::{BufWriter, IsTerminal, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::fmt::SubscriberBuilder;
use tracing_subscriber::fmt::format::{Format, Json, JsonFields};
use tracing_subscriber::{EnvFilter, reload};

/// The maximum number of lines that wait to be written. If there are more, logging blocks: no line is dropped.
const MAX_WAITING_LINES: usize = 4_096;
/// The size of the buffer in bytes. The thread writes it when it is full, and when no line waits.
const BUFFER: usize = 64 * 1024;

/// The running log of this process. Dropping `writing` writes the remaining lines, for at most a second, and stops.
pub struct Logs {
    /// Writes the lines.
    pub writing: WorkerGuard,
    /// Decides which lines are written.
    pub filter: LogFilter,
}

/// Changes which lines are written.
pub struct LogFilter(Box<dyn Fn(EnvFilter) -> Result<(), reload::Error> + Send + Sync>);

impl LogFilter {
    /// Replaces the filter.
    pub fn change(&self, filter: EnvFilter) {
        // An error only means that no log runs.
        drop(self.0(filter));
    }
}

/// Parses the value of `--log`.
///
/// # Errors
/// If the filter is not valid.
pub fn parse_filter(filter: &str) -> std::io::Result<EnvFilter> {
    EnvFilter::try_new(filter).map_err(|error| std::io::Error::other(format!("--log: {error}")))
}

/// Starts logging for this process. A second call changes nothing.
///
/// # Errors
/// If the filter is not valid.
pub fn start(filter: &str) -> std::io::Result<Logs> {
    let filter = parse_filter(filter)?;
    let (lines, writing) = NonBlockingBuilder::default()
        .lossy(false)
        .buffered_lines_limit(MAX_WAITING_LINES)
        .thread_name("log")
        .finish(BufWriter::with_capacity(BUFFER, stderr()));
    let builder = tracing_subscriber::fmt();
    let (change, started): (Box<dyn Fn(EnvFilter) -> _ + Send + Sync>, _) = if stderr().is_terminal() {
        let builder = builder.compact().with_target(false).with_writer(lines);
        let builder = builder.with_env_filter(filter).with_filter_reloading();
        let handle = builder.reload_handle();
        (Box::new(move |filter| handle.reload(filter)), builder.try_init())
    } else {
        let builder = in_json(builder).with_writer(lines);
        let builder = builder.with_env_filter(filter).with_filter_reloading();
        let handle = builder.reload_handle();
        (Box::new(move |filter| handle.reload(filter)), builder.try_init())
    };
    // Fails if logging has already started, which happens only in tests.
    drop(started);
    Ok(Logs { writing, filter: LogFilter(change) })
}

/// Formats lines as JSON: the event's fields at the top, and the current span, which is the request, in `span`.
fn in_json(builder: SubscriberBuilder) -> SubscriberBuilder<JsonFields, Format<Json>> {
    builder.json().flatten_event(true).with_span_list(false)
}

/// Logs a failure of the store at ERROR. While the database is away, only at DEBUG: the store logs once that it is away, and
/// once that it is back.
macro_rules! log_failure {
    ($error:expr, $($line:tt)+) => {
        if $error.is_away() { tracing::debug!($($line)+) } else { tracing::error!($($line)+) }
    };
}
pub(crate) use log_failure;

/// The minimum time between two lines.
const MIN_PAUSE: Duration = Duration::from_secs(60);

/// Counts events, and decides when a line is due.
#[derive(Debug, Default)]
pub struct Sampled(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    last: Option<Instant>,
    count: u64,
}

impl Sampled {
    /// Counts an event. If a line is due, returns the number of events since the last line, including this one. The
    /// first event is due at once, later ones once a minute.
    pub fn count(&self, now: Instant) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.count += 1;
        if state.last.is_some_and(|last| now.saturating_duration_since(last) < MIN_PAUSE) {
            return None;
        }
        state.last = Some(now);
        Some(std::mem::take(&mut state.count))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _};

    use serde_json::{Value, json};
    use tracing::Instrument as _;

    use super::*;

    #[test]
    fn lines_of_request_carry_its_span_across_tasks() {
        let mut kept = tempfile::tempfile().unwrap();
        let subscriber = in_json(tracing_subscriber::fmt()).with_writer(kept.try_clone().unwrap()).finish();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        tracing::subscriber::with_default(subscriber, || {
            let span = tracing::error_span!("request", request_id = "req-1", route = "/users");
            let work = async {
                tracing::info!(count = 2, "inside \"quotes\"\n");
                tokio::spawn(async { tracing::warn!("spawned") }.in_current_span()).await.unwrap();
                tokio::spawn(async { tracing::info!("detached") }).await.unwrap();
            };
            runtime.block_on(work.instrument(span));
        });
        let mut text = String::new();
        kept.rewind().unwrap();
        kept.read_to_string(&mut text).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let span = json!({"request_id": "req-1", "route": "/users", "name": "request"});
        let of: Vec<_> = lines.iter().map(|it| (it["message"].as_str().unwrap(), it.get("span"))).collect();
        assert_eq!(of, [("inside \"quotes\"\n", Some(&span)), ("spawned", Some(&span)), ("detached", None)]);
        assert_eq!((&lines[0]["level"], &lines[0]["count"]), (&json!("INFO"), &json!(2)));
    }

    #[test]
    fn sampled_line_is_due_once_a_minute_with_count() {
        let (sampled, start) = (Sampled::default(), Instant::now());
        assert_eq!(sampled.count(start), Some(1));
        assert_eq!(sampled.count(start + Duration::from_secs(1)), None);
        assert_eq!(sampled.count(start + Duration::from_secs(59)), None);
        assert_eq!(sampled.count(start + MIN_PAUSE), Some(3));
        assert_eq!(sampled.count(start + MIN_PAUSE), None);
    }
}
