//! Structured logs on standard error: JSON lines, or plain text on a terminal.

mod format;
mod lines;
mod request;
mod sampled;

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use self::format::{Headed, Json};
use self::lines::Lines;
pub use self::lines::Writing;
pub use self::request::{Request, as_served, serving, still_serving};
pub use self::sampled::Sampled;

/// Starts logging for this process. A second call changes nothing. Dropping the returned value writes the remaining
/// lines and stops.
///
/// # Errors
/// If the filter is not valid, or the thread cannot be started.
pub fn start(filter: &str) -> std::io::Result<Writing> {
    let filter =
        EnvFilter::try_new(filter).map_err(|error| std::io::Error::other(format!("--log: {error}")))?;
    let lines = Lines::default();
    let writing = Writing::start(&lines, std::io::stderr())?;
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(lines);
    let started = if std::io::stderr().is_terminal() {
        let lines = tracing_subscriber::fmt::format().compact().with_target(false);
        builder.event_format(Headed(lines)).try_init()
    } else {
        builder.event_format(Json).try_init()
    };
    // Fails if logging has already started, which happens only in tests.
    drop(started);
    Ok(writing)
}
