//! The check command: what the operator has not configured, so that production cannot do it.

use link_types::Mode;
use serde_json::{Value, json};

use crate::app::App;

const CONNECT: &str = "add a --connector that serves it";

/// Returns one line for each part of production: whether it is configured, and what to do.
pub(super) fn show(app: &App) -> Value {
    let unserved = app.record_source(Mode::Production).unserved();
    let line = |what: &str, is_configured: bool, advice: &str| {
        let advice = if is_configured { "" } else { advice };
        json!({"what": what, "configured": is_configured, "advice": advice})
    };
    let sources = [
        ("providers", app.source(Mode::Production).is_configured(), CONNECT),
        ("mail server", app.settings().smtp_url.is_some(), "set --smtp-url and --mail-from"),
    ];
    let mut lines: Vec<Value> =
        sources.into_iter().map(|(what, it, advice)| line(what, it, advice)).collect();
    lines.extend(unserved.into_iter().map(|what| line(what, false, CONNECT)));
    lines.into()
}
