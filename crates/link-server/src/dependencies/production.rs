//! The settings that production needs beyond those of the sandbox.

use link_types::Mode;
use link_types::record::RecordType;
use link_types::signal::SignalKind;
use serde_json::{Value, json};

use crate::settings::Settings;

const CONNECT: &str = "Add a --connector that serves it";

/// Returns the sources and the mail server that production needs and these settings do not have, as lines of
/// `linchpin check`.
pub fn find_missing_of_production(settings: &Settings) -> Vec<Value> {
    let line = |what: &str, remedy: &str| {
        json!({
            "check": "production",
            "subject": what,
            "result": "MISSING",
            "code": "",
            "cause": "",
            "remedy": remedy,
        })
    };
    let serves =
        || settings.connectors.iter().filter(|it| it.mode == Mode::Production).map(|it| &it.settings.serves);
    let mut lines = Vec::new();
    if serves().all(|it| it.providers.is_empty()) {
        lines.push(line("providers", CONNECT));
    }
    if settings.smtp_url.is_none() {
        lines.push(line("mail server", "Set --smtp-url and --mail-from"));
    }
    let records = RecordType::ALL.iter().filter(|kind| !serves().any(|it| it.records.contains(kind)));
    let signals = SignalKind::ALL.iter().filter(|kind| !serves().any(|it| it.signals.contains(kind)));
    let unserved = records.map(|it| it.as_str()).chain(signals.map(|it| it.as_str()));
    lines.extend(unserved.map(|what| line(what, CONNECT)));
    lines
}
