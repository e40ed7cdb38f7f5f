//! Runs one guide against its own service.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_documents::{ChildReader, Tesseract};
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use regex::{Captures, Regex};
use serde_json::Value;
use tokio::net::TcpListener;

use super::{Block, How, Part, faults, is_like, leaves, parts};
use crate::service::{TestResponse, TestService};

/// Matches `{userId}`, but not `${companyName}`.
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(^|[^$])\{([a-z][A-Za-z]+)\}").unwrap());
/// How long a GET is retried until its response matches: linking and reading are asynchronous.
const LIMIT: Duration = Duration::from_secs(5);

/// A guide and the service that it runs against.
pub struct Guide {
    pub service: TestService,
    pub receiver: Option<Receiver>,
    /// The values of `{name}` in requests.
    pub names: BTreeMap<String, String>,
    pub session: Option<String>,
    /// Text in the guide, and its replacement in this run.
    aliases: Vec<(String, String)>,
    url: String,
    found: Vec<String>,
}

/// A request from a guide, ready to send.
struct GuideRequest {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Guide {
    /// Starts a service that has only its first tenant.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let reader = ChildReader::new(env!("CARGO_BIN_EXE_linchpin"), &["extract"], Tesseract::default());
        let service = TestService::start_reading(Backend::Sqlite, Arc::new(reader), |settings| {
            settings.allowed_hosts.push(address.to_string());
        })
        .await;
        let router = service.router.clone();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let keys = service.sandbox.clone();
        let url = format!("http://{address}");
        let mut guide = Self {
            service,
            receiver: None,
            names: BTreeMap::new(),
            session: None,
            aliases: Vec::new(),
            url,
            found: Vec::new(),
        };
        guide.name("linkTemplateId", &keys.template);
        guide.name("consentTemplateId", &keys.consent);
        guide.name("inviteTemplateId", &keys.invite_template);
        guide
    }

    /// Runs the blocks in order and returns the differences.
    pub async fn run(mut self, name: &str, text: &str) -> Vec<String> {
        let all = parts(text);
        let mut rest = all.iter().peekable();
        while let Some(part) = rest.next() {
            let block = match part {
                Part::Given(what) => {
                    self.establish(what).await;
                    continue;
                }
                Part::Block(block) => block,
            };
            let place = format!("{name}:{}", block.line);
            match block.how() {
                How::Request | How::Shell => {
                    let answers = |it: &&&Part| matches!(it, Part::Block(it) if matches!(it.how(), How::Answer | How::Body));
                    let answer = rest.next_if(|it| answers(&it)).map(|it| match it {
                        Part::Block(block) => block,
                        Part::Given(_) => unreachable!("only a block is a response"),
                    });
                    if matches!(block.how(), How::Shell) {
                        self.shell(&place, block, answer).await;
                    } else {
                        self.request(&place, block, answer).await;
                    }
                }
                How::Delivery => self.delivery(&place, block).await,
                How::Elsewhere | How::Commands => {}
                How::Answer | How::Body => {
                    self.found.push(format!("{place}: the response follows no request"))
                }
                How::Unknown => {
                    let fault = "is neither run nor among the kinds that cannot be";
                    self.found.push(format!("{place}: a block of kind {:?} {fault}", block.kind));
                }
            }
        }
        self.found
    }

    pub fn name(&mut self, name: &str, value: &str) {
        self.names.insert(name.to_owned(), value.to_owned());
    }

    /// Replaces text of the guide in this run.
    pub fn alias(&mut self, written: &str, here: &str) {
        self.aliases.push((written.to_owned(), here.to_owned()));
    }

    /// Fills in the names and aliases of a guide's text.
    fn fill_in(&mut self, text: &str) -> String {
        let mut unknown = Vec::new();
        let filled = NAME.replace_all(text, |found: &Captures<'_>| {
            let value = self.names.get(&found[2]).cloned();
            let value = value.unwrap_or_else(|| {
                unknown.push(format!("{{{}}} has no value yet", &found[2]));
                String::new()
            });
            format!("{}{value}", &found[1])
        });
        let filled = self
            .aliases
            .iter()
            .fold(filled.into_owned(), |text, (written, here)| text.replace(written, here));
        self.found.extend(unknown);
        filled
    }

    async fn request(&mut self, place: &str, block: &Block, answer: Option<&Block>) {
        let asked = GuideRequest::read(&self.fill_in(&block.text));
        let mut said = BTreeSet::new();
        if let Ok(body) = serde_json::from_str(&asked.body) {
            leaves(&body, &mut said);
        } else if !asked.body.is_empty() {
            self.found.push(format!("{place}: the request body is not JSON"));
        }
        let shown = answer.map(|it| self.fill_in(&it.text));
        let limit = if asked.method == "GET" { LIMIT } else { Duration::ZERO };
        let answered = wait::retry_for(limit, async || {
            let real = self.send(&asked).await;
            let wrong = differences(shown.as_deref(), &real, &said);
            if wrong.is_empty() { Ok(real) } else { Err((wrong, real)) }
        })
        .await;
        let (mut wrong, real) = match answered {
            Ok(real) => return self.learn(&real.body),
            Err(differing) => differing,
        };
        wrong.push(format!("the response was {} {}", real.status, real.body));
        if asked.method != "GET" {
            self.learn(&real.body);
        }
        let line = answer.map_or(0, |it| it.line);
        self.found.extend(wrong.into_iter().map(|it| format!("{place} (response at {line}): {it}")));
    }

    async fn send(&self, asked: &GuideRequest) -> TestResponse {
        let mut request = Request::builder()
            .method(asked.method.as_str())
            .uri(&asked.path)
            .header("host", "localhost:8787")
            .header("authorization", format!("Basic {}", self.keys_of(&asked.path)));
        for (name, value) in &asked.headers {
            request = request.header(name, value);
        }
        if !asked.body.is_empty() {
            request = request.header("content-type", "application/json");
        }
        self.service.send_raw(request.body(Body::from(asked.body.clone())).unwrap()).await
    }

    fn keys_of(&self, path: &str) -> &str {
        let is_sandbox = path.starts_with("/sandbox/");
        if is_sandbox { &self.service.sandbox.basic } else { &self.service.production.basic }
    }

    /// Runs commands in a shell in the repository's root folder.
    async fn shell(&mut self, place: &str, block: &Block, answer: Option<&Block>) {
        let script = match block.kind.as_str() {
            "console" => block.text.replacen("$ ", "", 1).replace("\n$ ", "\n"),
            _ => block.text.clone(),
        };
        let script = self.fill_in(&script);
        let pair = String::from_utf8(STANDARD.decode(&self.service.sandbox.basic).unwrap()).unwrap();
        let (key, secret) = pair.split_once(':').unwrap();
        let variables = [("TEMPLATE", "linkTemplateId"), ("ACCOUNT", "accountId"), ("WEBHOOK", "webhookId")];
        let mut command = tokio::process::Command::new("bash");
        command
            .args(["-euo", "pipefail", "-c", &script])
            .env("KEY", key)
            .env("SECRET", secret)
            .env("BASE", format!("{}/sandbox/v1", self.url))
            .envs(
                variables.into_iter().filter_map(|(variable, name)| Some((variable, self.names.get(name)?))),
            )
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let output = command.output().await.unwrap();
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr);
            return self.found.push(format!("{place}: {}: {words}", output.status));
        }
        let Some(shown) = answer.map(|it| self.fill_in(&it.text)) else { return };
        let line = answer.map_or(0, |it| it.line);
        let printed = String::from_utf8_lossy(&output.stdout);
        let (Ok(shown), Ok(real)) = (serde_json::from_str(&shown), serde_json::from_str(&printed)) else {
            return self.found.push(format!("{place}: the output is not JSON: {printed}"));
        };
        let mut wrong = Vec::new();
        let mut said = BTreeSet::new();
        said.extend(self.names.values().filter(|it| script.contains(*it)).cloned());
        faults(&shown, &real, "", &said, &mut wrong);
        if !wrong.is_empty() {
            wrong.push(format!("the response was 200 {real}"));
        }
        self.learn(&real);
        self.found.extend(wrong.into_iter().map(|it| format!("{place} (response at {line}): {it}")));
    }

    /// Waits for a delivery that matches the one shown.
    async fn delivery(&mut self, place: &str, block: &Block) {
        let shown: Value = serde_json::from_str(&block.text).unwrap();
        let Some(receiver) = self.receiver.clone() else {
            panic!("{place}: a guide that shows a delivery needs a receiver");
        };
        let arrived = wait::retry_for(LIMIT, async || {
            let received = receiver.requests();
            let Some(delivery) = received.iter().rev().find(|it| it.event["type"] == shown["type"]) else {
                return Err(vec![format!("no {} arrived: {:?}", shown["type"], receiver.types())]);
            };
            let mut wrong = Vec::new();
            faults(&shown, &delivery.event, "", &BTreeSet::new(), &mut wrong);
            if wrong.is_empty() {
                return Ok(());
            }
            wrong.push(format!("the delivery was {}", delivery.event));
            Err(wrong)
        })
        .await;
        let line = block.line;
        let wrong = arrived.err().unwrap_or_default();
        self.found.extend(wrong.into_iter().map(|it| format!("{place} (response at {line}): {it}")));
    }
}

impl GuideRequest {
    fn read(text: &str) -> Self {
        let (head, body) = text.split_once("\n\n").unwrap_or((text.trim_end(), ""));
        let mut lines = head.lines();
        let mut first = lines.next().unwrap_or_default().split(' ');
        let (method, path) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
        // The test sets these headers itself.
        let own = ["host", "authorization", "content-type"];
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.filter(|(name, _)| !own.contains(&name.to_lowercase().as_str()));
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            headers: headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            body: body.trim().to_owned(),
        }
    }
}

/// Returns the differences between a response and the one shown. If none is shown, the response must be a success.
fn differences(shown: Option<&str>, real: &TestResponse, said: &BTreeSet<String>) -> Vec<String> {
    let mut wrong = Vec::new();
    let Some(shown) = shown else {
        return if real.status.is_success() { wrong } else { vec!["the request failed".to_owned()] };
    };
    let body = match shown.strip_prefix("HTTP/1.1 ") {
        Some(whole) => {
            let (head, body) = whole.split_once("\n\n").unwrap_or((whole.trim_end(), ""));
            let mut lines = head.lines();
            let status = lines.next().unwrap_or_default();
            if !status.starts_with(real.status.as_str()) {
                wrong.push(format!("the status is {}, {status} in the guide", real.status));
            }
            headers(lines, real, &mut wrong);
            body
        }
        None if shown.trim_start().starts_with(['{', '[']) => {
            if !real.status.is_success() {
                wrong.push(format!("the status is {}", real.status));
            }
            shown
        }
        None => {
            headers(shown.lines(), real, &mut wrong);
            return wrong;
        }
    };
    match (body.trim(), serde_json::from_str(body)) {
        ("", _) => {
            if !real.bytes.is_empty() {
                wrong.push("the response has a body".to_owned());
            }
        }
        (_, Ok(body)) => faults(&body, &real.body, "", said, &mut wrong),
        (_, Err(error)) => wrong.push(format!("the shown response is not JSON: {error}")),
    }
    wrong
}

/// Compares the shown headers, ignoring digits.
fn headers<'a>(shown: impl Iterator<Item = &'a str>, real: &TestResponse, wrong: &mut Vec<String>) {
    static DIGITS: LazyLock<Regex> = LazyLock::new(|| Regex::new("[0-9]+").unwrap());
    for (name, value) in shown.filter_map(|line| line.split_once(": ")) {
        let Some(real) = real.headers.get(name).and_then(|it| it.to_str().ok()) else {
            wrong.push(format!("the header {name} is not in the response"));
            continue;
        };
        let bare = |it: &str| DIGITS.replace_all(it, "0").into_owned();
        if bare(value) != bare(real) && !is_like(value, real, &BTreeSet::new()) {
            wrong.push(format!("{name} is {real:?}, {value:?} in the guide"));
        }
    }
}
