//! Structured logs on standard error: JSON lines, or plain ones on a terminal.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Starts logging for this process; a second call changes nothing.
pub fn start(filter: &str) {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = if std::io::stderr().is_terminal() {
        builder.compact().with_target(false).try_init()
    } else {
        builder.json().flatten_event(true).with_current_span(true).with_span_list(false).try_init()
    };
    // Only tests start it twice; the first one's choice holds.
    drop(started);
}
