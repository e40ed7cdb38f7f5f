//! Runs the documentation: sends every request that a guide shows and compares the response.
//!
//! docs/README.md explains the format of a guide in "How the examples are run".

mod commands;
mod elsewhere;
mod given;
mod run;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use futures_util::{StreamExt as _, stream};
use link_types::data::DataPointKind;
use regex::Regex;
use serde_json::Value;

use self::elsewhere::{COMMANDS_ELSEWHERE, ELSEWHERE};
use self::run::Guide;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the Markdown files in `docs` and its folders, without ADRs and samples.
fn pages() -> Vec<PathBuf> {
    let folders = ["docs", "docs/how-to", "docs/reference", "docs/explanation"];
    let files = folders.iter().flat_map(|it| std::fs::read_dir(root().join(it)).unwrap());
    let pages = files.map(|it| it.unwrap().path());
    let mut pages: Vec<_> = pages.filter(|it| it.extension().is_some_and(|it| it == "md")).collect();
    pages.sort();
    pages
}

/// Returns the guides and `README.md`: path and text.
fn guides() -> Vec<(String, String)> {
    let mut paths = pages();
    paths.push(root().join("README.md"));
    let named = |path: &PathBuf| {
        let path = path.strip_prefix(root()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    paths.iter().map(|path| (named(path), std::fs::read_to_string(path).unwrap())).collect()
}

fn has_requests(text: &str) -> bool {
    parts(text).iter().any(|it| match it {
        Part::Block(block) => !matches!(block.how(), How::Elsewhere | How::Commands),
        Part::Given(_) => false,
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guide_requests_return_the_documented_responses() {
    let only = std::env::var("GUIDE").unwrap_or_default();
    let shown: Vec<_> =
        guides().into_iter().filter(|it| it.0.contains(&only) && has_requests(&it.1)).collect();
    let run = shown.len();
    // An async closure here crashes rustc 1.95 in some incremental builds.
    let run_guide =
        |(name, text): (String, String)| async move { Guide::start().await.run(&name, &text).await };
    let runs = shown.into_iter().map(run_guide);
    let found: Vec<Vec<String>> = stream::iter(runs).buffer_unordered(4).collect().await;
    let found = found.concat();
    assert!(found.is_empty(), "{} differences:\n{}", found.len(), found.join("\n"));
    assert!(run > 10 || !only.is_empty(), "only {run} guides have requests");
}

#[test]
fn excluded_guide_blocks_still_exist() {
    let all: Vec<_> = guides().iter().flat_map(|(_, text)| parts(text)).collect();
    let blocks = || all.iter().filter_map(|it| if let Part::Block(it) = it { Some(it) } else { None });
    for (kind, reason) in ELSEWHERE {
        assert!(blocks().any(|it| it.kind == kind), "no block is of kind {kind:?} ({reason})");
    }
    for (command, reason) in COMMANDS_ELSEWHERE {
        let used =
            blocks().any(|it| it.kind == "console" && it.commands().iter().any(|it| it.starts_with(command)));
        assert!(used, "no guide has {command:?} ({reason})");
    }
}

/// Checks that code blocks in doc comments are Rust, which rustdoc runs, or plain text.
#[test]
fn doc_comments_contain_no_requests() {
    fn walk(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                for (index, line) in text.lines().enumerate() {
                    let comment =
                        line.trim_start().strip_prefix("///").or(line.trim_start().strip_prefix("//!"));
                    let kind = comment.and_then(|it| it.trim().strip_prefix("```"));
                    if kind.is_some_and(|it| ["http", "json", "sh", "bash", "console"].contains(&it)) {
                        found.push(format!("{}:{}", path.display(), index + 1));
                    }
                }
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join("crates"), &mut found);
    assert_eq!(found, Vec::<String>::new());
}

#[tokio::test]
async fn guide_runner_reports_wrong_responses() {
    let wrong = "```http\nPOST /sandbox/v1/users\n\n{\"reference\": \"r\"}\n```\n```json\n{\"reference\": \"s\", \"…\": \"…\"}\n```\n\
                 ```http\nGET /sandbox/v1/users/{userId}/nothing\n```\n```json\n{}\n```\n```yaml\n```\n";
    let found = Guide::start().await.run("wrong", wrong).await.join("\n");
    for fault in [".reference is \"r\", \"s\" in the guide", "404", "\"yaml\" is neither run nor"] {
        assert!(found.contains(fault), "{fault}: {found}");
    }
}

// Compares the response that a guide shows with the real one.
//
// Both must have the same fields with the same types. Strings must be equal, except values that differ in each run:
// ids, times, days, URLs, digests, digits inside a string, and the part from `…` on. Values from the request must be
// echoed exactly. Other numbers only have to be numbers. `"…": "…"` in an object, or `"…"` at the end of a list, allows
// further fields or items; the string `…` alone matches any value.

/// The placeholder that guides use for omitted content.
const MORE: &str = "…";

static VARYING: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let kinds = [
        r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$",
        r"^\d{4}-\d\d-\d\d$",
        r"^\d{4}-\d\d$",
        r"^https?://\S+$",
        r"^[0-9a-f]{32,}$",
        r"^req-[0-9a-f]+$",
    ];
    kinds.iter().map(|it| Regex::new(it).unwrap()).collect()
});
/// Months and numbers inside strings, as in the id of a payslip.
static DIGITS: LazyLock<Regex> = LazyLock::new(|| Regex::new("[0-9]+").unwrap());
static ID: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^([a-z]+-)[0-9a-f]{16,}$").unwrap());

/// Collects the strings and numbers of a value, which a response may echo.
fn leaves(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.values().for_each(|it| leaves(it, found)),
        Value::Array(items) => items.iter().for_each(|it| leaves(it, found)),
        Value::String(text) => drop(found.insert(text.clone())),
        Value::Number(number) => drop(found.insert(number.to_string())),
        Value::Null | Value::Bool(_) => {}
    }
}

/// Collects the differences between the shown and the real response.
fn faults(shown: &Value, real: &Value, at: &str, said: &BTreeSet<String>, found: &mut Vec<String>) {
    match (shown, real) {
        (Value::String(shown), _) if shown == MORE => {}
        (Value::Object(shown), Value::Object(real)) => {
            for (name, value) in shown.iter().filter(|(name, _)| *name != MORE) {
                match real.get(name) {
                    Some(real) => faults(value, real, &format!("{at}.{name}"), said, found),
                    None => found.push(format!("{at}.{name} is not in the response")),
                }
            }
            if !shown.contains_key(MORE) {
                // A payload has a key for each kind of data points. The guides show those that have a value.
                let is_left_out = |name: &str| {
                    at.ends_with(".payload") && DataPointKind::ALL.iter().any(|kind| kind.key() == name)
                };
                let more = real.iter().filter(|(name, real)| {
                    !shown.contains_key(*name) && (!real.is_null() || !is_left_out(name))
                });
                found.extend(more.map(|(name, _)| format!("{at}.{name} is not in the guide")));
            }
        }
        (Value::Array(shown), Value::Array(real)) => {
            let has_more = shown.last().is_some_and(|it| it == MORE);
            let shown = if has_more { &shown[..shown.len() - 1] } else { &shown[..] };
            if shown.len() > real.len() || (!has_more && shown.len() < real.len()) {
                found.push(format!("{at} has {} items, {} in the guide", real.len(), shown.len()));
            }
            for (index, (shown, real)) in shown.iter().zip(real).enumerate() {
                faults(shown, real, &format!("{at}[{index}]"), said, found);
            }
        }
        (Value::String(shown), Value::String(real)) => {
            if !is_like(shown, real, said) {
                found.push(format!("{at} is {real:?}, {shown:?} in the guide"));
            }
        }
        (Value::Number(shown), Value::Number(real)) => {
            if said.contains(&shown.to_string()) && shown != real {
                found.push(format!("{at} is {real}, {shown} in the guide"));
            }
        }
        (shown, real) if shown == real => {}
        (shown, real) => found.push(format!("{at} is {real}, {shown} in the guide")),
    }
}

/// Returns true if a real string matches the one that a guide shows.
fn is_like(shown: &str, real: &str, said: &BTreeSet<String>) -> bool {
    if shown == real {
        return true;
    }
    if said.contains(shown) {
        return false;
    }
    if let Some((before, _)) = shown.split_once(MORE) {
        let is_address = ["https://", "http://"].iter().any(|it| before.starts_with(it));
        if is_address {
            return real.starts_with("http");
        }
        let fixed: String = before.chars().take_while(|it| !it.is_ascii_digit()).collect();
        return real.starts_with(&fixed);
    }
    match ID.captures(shown) {
        Some(id) => ID.captures(real).is_some_and(|real| real[1] == id[1]),
        None => {
            let is_kind = VARYING.iter().any(|it| it.is_match(shown) && it.is_match(real));
            is_kind
                || (DIGITS.is_match(shown) && DIGITS.replace_all(shown, "0") == DIGITS.replace_all(real, "0"))
        }
    }
}

#[test]
fn comparison_ignores_values_that_vary() {
    let found = |shown: Value, real: Value| {
        let mut found = Vec::new();
        let said = ["mx".to_owned(), "5".to_owned(), "2026-01-01".to_owned()].into();
        faults(&shown, &real, "", &said, &mut found);
        found
    };
    use serde_json::json;
    let id = |prefix: &str, digit: &str| format!("{prefix}-{}", digit.repeat(32));
    let shown = json!({"id": id("a", "0"), "at": "2026-11-20T11:07:11.000Z", "word": "GOOD", "many": [1, "…"], "any": "…"});
    let real = json!({"id": id("a", "7"), "at": "2027-01-20T11:07:11.123Z", "word": "GOOD", "many": [2, 3], "any": null});
    assert_eq!(found(shown, real), Vec::<String>::new());
    assert_eq!(found(json!({"a": 1}), json!({"b": 1})).len(), 2, "one missing field, one extra field");
    assert_eq!(found(json!({"a": 1, "…": "…"}), json!({"a": 3, "b": 1})).len(), 0);
    for (shown, real) in [
        (json!("GOOD"), json!("BAD")),
        (json!(id("a", "0")), json!(id("et", "0"))),
        (json!("2026-01-01"), json!("2026-01-02")),
        (json!(5), json!(6)),
        (json!([1]), json!([1, 2])),
        (json!([1, "…"]), json!([])),
        (json!(null), json!("…")),
        (json!(true), json!(false)),
        (json!("lpt_…"), json!("lps_1")),
        (json!("C202610"), json!("D202611")),
        (json!(1), json!("1")),
    ] {
        assert_eq!(found(shown.clone(), real.clone()).len(), 1, "{shown} {real}");
    }
}

/// A part of a guide that the runner handles.
#[derive(Clone, Debug)]
enum Part {
    Block(Block),
    /// `<!-- given: … -->`: a precondition of the next request, in words.
    Given(String),
}

/// A fenced block.
#[derive(Clone, Debug)]
struct Block {
    pub line: usize,
    /// The info string of the opening fence.
    pub kind: String,
    pub text: String,
}

/// How a block is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// A request that is sent.
    Request,
    /// The response to the previous request: status, headers, body.
    Answer,
    /// The body of the response to the previous request.
    Body,
    /// The body of a webhook delivery.
    Delivery,
    /// Shell commands that call the service with curl.
    Shell,
    /// `linchpin` commands and their output.
    Commands,
    /// Not run here, for the reason in [`ELSEWHERE`] or [`COMMANDS_ELSEWHERE`].
    Elsewhere,
    /// Neither run nor listed as excluded.
    Unknown,
}

/// Parses a guide into its parts, in order.
fn parts(text: &str) -> Vec<Part> {
    let (mut parts, mut open): (Vec<Part>, Option<Block>) = (Vec::new(), None);
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => parts.extend(open.take().map(Part::Block)),
            (Some(kind), None) => {
                open = Some(Block { line: index + 1, kind: kind.trim().to_owned(), text: String::new() });
            }
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {
                let given = line.strip_prefix("<!-- given: ").and_then(|rest| rest.strip_suffix(" -->"));
                parts.extend(given.map(|it| Part::Given(it.to_owned())));
            }
        }
    }
    assert!(open.is_none(), "a block is not closed: {open:?}");
    parts
}

impl Block {
    /// Returns how the block is handled.
    pub fn how(&self) -> How {
        match self.kind.as_str() {
            "http" if is_request(&self.text) => How::Request,
            "http" => How::Answer,
            "json" => How::Body,
            "json delivery" => How::Delivery,
            "sh" | "bash" => How::Shell,
            "console" => self.how_of_commands(),
            kind if is_connectors(kind) => How::Elsewhere,
            kind if ELSEWHERE.iter().any(|(known, _)| *known == kind) => How::Elsewhere,
            "text signatures" => How::Elsewhere,
            _ => How::Unknown,
        }
    }

    fn how_of_commands(&self) -> How {
        let commands = self.commands();
        let all = |is: &dyn Fn(&str) -> bool| !commands.is_empty() && commands.iter().all(|it| is(it));
        let elsewhere = |it: &str| COMMANDS_ELSEWHERE.iter().any(|(known, _)| it.starts_with(known));
        match () {
            () if all(&elsewhere) => How::Elsewhere,
            () if all(&|it| it.starts_with("curl ")) => How::Shell,
            () if all(&|it| it.starts_with("linchpin ")) => How::Commands,
            () => How::Unknown,
        }
    }

    /// Returns the commands of a console block, without their output.
    pub fn commands(&self) -> Vec<&str> {
        self.text.lines().filter_map(|line| line.strip_prefix("$ ")).collect()
    }
}

/// Returns true for a message of connectors.md, named by operation and direction.
fn is_connectors(kind: &str) -> bool {
    let mut words = kind.strip_prefix("json ").unwrap_or_default().split(' ');
    let operation = words.next().unwrap_or_default();
    let direction = words.next().unwrap_or_default();
    // A task follows its operation, as in `record/5b1c`.
    let (operation, _) = operation.split_once('/').unwrap_or((operation, ""));
    ["providers", "start", "step", "fetch", "refresh", "document", "record", "signal", "redirect", "revoke"]
        .contains(&operation)
        && ["request", "answer"].contains(&direction)
}

fn is_request(text: &str) -> bool {
    let method = text.split(' ').next().unwrap_or_default();
    ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"].contains(&method)
}
