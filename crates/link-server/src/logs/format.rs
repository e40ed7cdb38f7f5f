//! The format of log lines: a JSON object for programs, or the format of `tracing_subscriber` for people.
//!
//! Our own: the JSON format of `tracing_subscriber` took a fifth of the cost of a GET (ADR 119). It builds a tree of
//! each line and parses the fields of its span again. This format writes each field directly.

use std::fmt::{self, Write};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::request::with_served;

/// Writes `{"timestamp", "level", the event's fields, "target", "span": {"request_id", "route", "name"}}`. Only lines
/// of a request have a `span`.
pub(super) struct Json;

impl<S, N> FormatEvent<S, N> for Json
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _context: &FmtContext<'_, S, N>,
        mut line: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        line.write_str("{\"timestamp\":\"")?;
        SystemTime.format_time(&mut line)?;
        line.write_str("\",\"level\":\"")?;
        line.write_str(event.metadata().level().as_str())?;
        line.write_char('"')?;
        let mut fields = Fields { line: &mut line, target: None, written: Ok(()) };
        event.record(&mut fields);
        let Fields { target, written, .. } = fields;
        written?;
        name(&mut line, "target")?;
        string(&mut line, target.as_deref().unwrap_or_else(|| event.metadata().target()))?;
        with_served(|request| {
            name(&mut line, "span")?;
            line.write_str("{\"request_id\":")?;
            string(&mut line, &request.id)?;
            name(&mut line, "route")?;
            string(&mut line, request.route())?;
            name(&mut line, "name")?;
            line.write_str("\"request\"}")
        })
        .unwrap_or(Ok(()))?;
        line.write_str("}\n")
    }
}

/// Wraps another format, and puts the request's id before each line of a request.
pub(super) struct Headed<F>(pub(super) F);

impl<F, S, N> FormatEvent<S, N> for Headed<F>
where
    F: FormatEvent<S, N>,
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut line: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        with_served(|request| write!(line, "{} {} ", request.id, request.route())).unwrap_or(Ok(()))?;
        self.0.format_event(context, line, event)
    }
}

/// Appends an event's fields to a line.
struct Fields<'l, 'w> {
    line: &'l mut Writer<'w>,
    /// The target of an event that came from the crate `log`.
    target: Option<String>,
    written: fmt::Result,
}

impl Fields<'_, '_> {
    fn field(&mut self, field: &Field, value: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        // Skip the metadata that events from the crate `log` have as fields.
        if self.written.is_ok() && !field.name().starts_with("log.") {
            self.written = name(self.line, field.name()).and_then(|()| value(self.line));
        }
    }
}

impl Visit for Fields<'_, '_> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.field(field, |line| match value.is_finite() {
            true => write!(line, "{value}"),
            false => line.write_str("null"),
        });
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.field(field, |line| write!(line, "{value}"));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.field(field, |line| write!(line, "{value}"));
    }

    fn record_i128(&mut self, field: &Field, value: i128) {
        self.field(field, |line| write!(line, "{value}"));
    }

    fn record_u128(&mut self, field: &Field, value: u128) {
        self.field(field, |line| write!(line, "{value}"));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.field(field, |line| write!(line, "{value}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "log.target" {
            self.target = Some(value.to_owned());
        }
        self.field(field, |line| string(line, value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.field(field, |line| {
            line.write_char('"')?;
            write!(Escaped(line), "{value:?}")?;
            line.write_char('"')
        });
    }
}

/// Writes the name of the next member.
fn name(line: &mut Writer<'_>, name: &str) -> fmt::Result {
    line.write_str(",\"")?;
    line.write_str(name.strip_prefix("r#").unwrap_or(name))?;
    line.write_str("\":")
}

fn string(line: &mut Writer<'_>, value: &str) -> fmt::Result {
    line.write_char('"')?;
    Escaped(line).write_str(value)?;
    line.write_char('"')
}

/// Writes text as the contents of a JSON string.
struct Escaped<'l, 'w>(&'l mut Writer<'w>);

impl Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let is_special = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
        let mut rest = text;
        while let Some((plain, special, after)) =
            rest.bytes().position(is_special).and_then(|at| split(rest, at))
        {
            self.0.write_str(plain)?;
            match special {
                '"' => self.0.write_str("\\\"")?,
                '\\' => self.0.write_str("\\\\")?,
                '\n' => self.0.write_str("\\n")?,
                '\r' => self.0.write_str("\\r")?,
                '\t' => self.0.write_str("\\t")?,
                control => write!(self.0, "\\u{:04x}", u32::from(control))?,
            }
            rest = after;
        }
        self.0.write_str(rest)
    }
}

/// Splits a text at a one-byte character, and returns the text before it, the character, and the text after it.
fn split(text: &str, at: usize) -> Option<(&str, char, &str)> {
    let (before, from) = text.split_at_checked(at)?;
    let mut characters = from.chars();
    let character = characters.next()?;
    Some((before, character, characters.as_str()))
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use serde_json::{Value, json};
    use tracing_subscriber::fmt::MakeWriter;

    use super::*;
    use crate::logs::request::{Request, serving, still_serving};

    /// Captures what is written.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl io::Write for &Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl<'a> MakeWriter<'a> for Kept {
        type Writer = &'a Kept;

        fn make_writer(&'a self) -> Self::Writer {
            self
        }
    }

    impl Kept {
        fn lines(&self) -> Vec<Value> {
            let bytes = self.0.lock().unwrap().clone();
            String::from_utf8(bytes)
                .unwrap()
                .lines()
                .map(|line| serde_json::from_str(line).unwrap_or_else(|fault| panic!("{fault}: {line}")))
                .collect()
        }
    }

    fn logged(say: impl FnOnce()) -> Vec<Value> {
        let kept = Kept::default();
        let subscriber = tracing_subscriber::fmt().event_format(Json).with_writer(kept.clone()).finish();
        tracing::subscriber::with_default(subscriber, say);
        kept.lines()
    }

    fn request() -> Request {
        Request { id: "req-1".into(), route: None }
    }

    #[test]
    fn line_keeps_type_of_each_field() {
        let lines = logged(|| {
            let error = io::Error::other("went");
            tracing::warn!(
                target: "here",
                a = 1u64, b = -2i64, c = 0.5, d = f64::NAN, e = true, f = u128::MAX, g = "text",
                h = %"shown", i = ?Some("quoted"), r#type = "raw", error = &error as &dyn std::error::Error, "said {}", 7
            );
        });
        let line = &lines[0];
        assert_eq!(line["level"], "WARN");
        assert_eq!(line["target"], "here");
        assert_eq!(line["message"], "said 7");
        assert_eq!(
            [&line["a"], &line["b"], &line["c"], &line["e"]],
            [&json!(1), &json!(-2), &json!(0.5), &json!(true)]
        );
        assert!(line["d"].is_null());
        assert_eq!([&line["g"], &line["h"], &line["i"]], ["text", "shown", "Some(\"quoted\")"]);
        assert_eq!([&line["type"], &line["error"]], ["raw", "went"]);
        let at = line["timestamp"].as_str().unwrap();
        assert!(at.len() == "2026-01-02T03:04:05.123456Z".len() && at.ends_with('Z'), "{at}");
        assert!(line.get("span").is_none(), "not in a request");
    }

    #[test]
    fn special_characters_are_escaped_within_one_line() {
        let special = "a\"b\\c\nd\re\tf\u{0}g\u{1f}h\u{7f}ü€😀";
        let lines = logged(|| tracing::info!(as_text = special, as_shown = %special, "{special}"));
        assert_eq!(lines.len(), 1);
        for name in ["as_text", "as_shown", "message"] {
            assert_eq!(lines[0][name], special, "{name}");
        }
    }

    #[test]
    fn lines_of_request_carry_its_id_across_tasks() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let lines = logged(|| {
            runtime.block_on(async {
                serving(request(), async {
                    tracing::info!("inside");
                    tokio::spawn(still_serving(async { tracing::info!("spawned") })).await.unwrap();
                    tokio::spawn(async { tracing::info!("detached") }).await.unwrap();
                })
                .await;
                tokio::spawn(still_serving(async { tracing::info!("outside") })).await.unwrap();
            });
        });
        let span = json!({"request_id": "req-1", "route": "unmatched", "name": "request"});
        let of: Vec<_> = lines.iter().map(|it| (it["message"].as_str().unwrap(), it.get("span"))).collect();
        assert_eq!(
            of,
            [("inside", Some(&span)), ("spawned", Some(&span)), ("detached", None), ("outside", None)]
        );
    }

    #[test]
    fn plain_line_starts_with_request_id() {
        let kept = Kept::default();
        let format = Headed(tracing_subscriber::fmt::format().compact().without_time().with_ansi(false));
        let subscriber = tracing_subscriber::fmt().event_format(format).with_writer(kept.clone()).finish();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        tracing::subscriber::with_default(subscriber, || {
            runtime.block_on(serving(request(), async { tracing::info!("inside") }));
            tracing::info!("outside");
        });
        let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        let (inside, outside) = text.split_once('\n').unwrap();
        assert!(inside.starts_with("req-1 unmatched ") && inside.contains("inside"), "{inside}");
        assert!(!outside.contains("req-1") && outside.contains("outside"), "{outside}");
    }
}
