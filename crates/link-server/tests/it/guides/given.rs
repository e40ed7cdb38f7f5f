//! The preconditions of a guide's requests: what end users did in the widget or on a hosted page.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::LazyLock;
use std::time::Duration;

use axum::http::Method;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use regex::Regex;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::run::Guide;
use super::{Block, How, Part, parts};
use crate::process::free_port;
use crate::service::{As, HOST_ORIGIN, secret, text};
use crate::uploads::Uploader;

impl Guide {
    /// Establishes a precondition.
    pub async fn establish(&mut self, what: &str) {
        let (kind, rest) = what.split_once(": ").unwrap_or((what, ""));
        match kind {
            "a person links" => {
                for place in rest.split(", ") {
                    let (login, provider) = place.split_once(" at ").unwrap();
                    self.link(provider, login).await;
                }
            }
            "a person uploads" => self.upload(rest).await,
            "an invited person answers the form" => self.answer_form(rest).await,
            "a person answers the link site" => self.answer_site(rest).await,
            "a person links with the hosted link" => self.link_hosted(rest).await,
            "a receiver at" => {
                let receiver = Receiver::start(&[]).await;
                self.alias(rest, &receiver.url);
                self.receiver = Some(receiver);
            }
            "a document" => {
                let path = format!("{}/../../docs/samples/{rest}", env!("CARGO_MANIFEST_DIR"));
                let bytes = std::fs::read(path).unwrap();
                use base64::Engine as _;
                self.name("content", &base64::engine::general_purpose::STANDARD.encode(bytes));
            }
            _ => panic!("unknown precondition: {what}"),
        }
    }

    /// Returns the session of the guide's user; opens it on first use.
    async fn session(&mut self) -> String {
        if let Some(session) = &self.session {
            return session.clone();
        }
        let token = match self.names.get("userId") {
            Some(user) => {
                let response = self.service.post(&format!("/tokens?userId={user}"), json!({})).await;
                text(&response.body["accessToken"])
            }
            None => {
                let (user, token) = self.service.user().await;
                self.name("userId", &user);
                token
            }
        };
        let session = secret();
        let opened = self.service.exchange(&token, &session).await;
        assert_eq!(opened.status, 201, "from {HOST_ORIGIN}: {:?}", opened.body);
        self.session = Some(session.clone());
        session
    }

    async fn link(&mut self, provider: &str, login: &str) {
        let session = self.session().await;
        let service = &self.service;
        let shown = service.get(&format!("/providers/{provider}")).await.body;
        let finished = service.event_types().await.iter().filter(|it| *it == "TASK_FINISHED").count();
        let mut body = service.login(&session, provider, login, "pass").await;
        if shown["loginOptions"][0]["id"] != "username" {
            let name = format!("{login}@example.com");
            body["loginOption"] = shown["loginOptions"][0]["id"].clone();
            body["loginName"] = json!(name);
            let form = json!({"email": name, "password": "pass"});
            body["credentials"] = service.sealer(&session).await.credentials(provider, &form);
        }
        let begun = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
        assert_eq!(begun.status, 201, "{provider}: {:?}", begun.body);
        let settled = service.until_settled(&session, &begun.body).await;
        if settled["phase"].get("connected").is_some() {
            service.until_events("TASK_FINISHED", finished + 1).await;
        }
        let account = text(&begun.body["accountId"]);
        self.name("accountId", &account);
    }

    async fn upload(&mut self, sample: &str) {
        let path = format!("{}/../../docs/samples/{sample}", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).unwrap();
        let session = self.session().await;
        let widget = Uploader { service: &self.service, session };
        let archive = widget.submit("PAYSLIP", &bytes).await;
        self.service.until_event("TASK_FINISHED").await;
        self.name("archiveId", &archive);
    }

    async fn answer_form(&mut self, answers: &str) {
        let invite = self.service.invite_ana().await;
        let cookie = self.service.enter(&text(&invite["landingPageUrl"])).await;
        let sent = self.service.browse(Method::POST, "/visit/form", &cookie, Some(answers)).await;
        assert_eq!(sent.status, 303, "{}", String::from_utf8_lossy(&sent.bytes));
    }

    /// Links at a provider with the hosted link that was created last, and leaves: `login at provider`.
    async fn link_hosted(&mut self, what: &str) {
        let (login, provider) = what.split_once(" at ").unwrap();
        let cookie = self.service.enter(&self.names["linkUrl"]).await;
        let session = self.service.widget_of(&cookie).await;
        let progress = self.service.submit(&session, provider, login, "pass").await;
        self.service.until_settled(&session, &progress).await;
        let left = self.service.browse(Method::POST, "/visit/finish", &cookie, None).await;
        assert_eq!(left.status, 200, "{:?}", left.body);
    }

    /// Answers a link site: `slug?query answers`.
    async fn answer_site(&mut self, what: &str) {
        let (address, answers) = what.split_once(' ').unwrap();
        let cookie = self.service.enter(&format!("/s/{address}")).await;
        wait::until("a person can have read the form", async || {
            self.service.browse(Method::POST, "/visit/form", &cookie, Some(answers)).await.status == 303
        })
        .await;
    }

    /// Records the ids of a response as names for later requests.
    pub fn learn(&mut self, answer: &Value) {
        for (field, value) in answer.as_object().into_iter().flatten() {
            if let (true, Some(id)) = (field.ends_with("Id"), value.as_str()) {
                self.name(field, id);
            }
        }
        let one = if answer["items"].is_array() { &answer["items"][0] } else { answer };
        if let Some((name, id)) = one["id"].as_str().and_then(|id| Some((name_of(id)?, id))) {
            self.name(name, id);
        }
        if let Some(url) = answer["url"].as_str().filter(|it| it.contains("/l/")) {
            self.name("linkUrl", url);
        }
        if let Some(id) = answer["files"][0]["id"].as_str() {
            self.name("fileId", id);
        }
    }
}

/// Returns the name that guides use for an id, by its prefix.
fn name_of(id: &str) -> Option<&'static str> {
    let (prefix, _) = id.split_once('-')?;
    let name = match prefix {
        "a" => "accountId",
        "archive" => "archiveId",
        "bl" | "bb" | "bs" | "cl" | "fp" | "maw" | "vf" | "sss" | "ie" => "signalId",
        "con" => "contributionId",
        "ct" => "consentTemplateId",
        "d" => "documentId",
        "demo" => "userId",
        "dlv" => "deliveryId",
        "e" => "employmentId",
        "einc" => "eincomeId",
        "et" => "eventId",
        "export" => "exportId",
        "form" => "formId",
        "hl" => "linkSessionId",
        "i" => "identityId",
        "inc" => "incomeId",
        "insight" => "insightId",
        "iv" => "inviteId",
        "ivt" => "inviteTemplateId",
        "lia" => "liabilityId",
        "link" => "linkId",
        "lt" => "linkTemplateId",
        "r" => "ratingId",
        "scn" => "scenarioId",
        "site" => "linkSiteId",
        "ss" => "recordId",
        "t" | "trx" | "tx" => "transactionId",
        "task" => "taskId",
        "wh" => "webhookId",
        _ => return None,
    };
    Some(name)
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_linchpin");
/// How long a command is retried until its output matches: deliveries are asynchronous.
const LIMIT: Duration = Duration::from_secs(5);

/// Values that differ in each run: ids, keys, times, numbers.
static VARYING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"whsec_[A-Za-z0-9+/]+=*|[0-9a-f]{4,}|[0-9]+").unwrap());

/// A running service, and the real values of the guide's ids.
struct CommandRunner {
    folder: tempfile::TempDir,
    service: Child,
    words: BTreeMap<String, String>,
}

impl CommandRunner {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut service = Command::new(PROGRAM)
            .args(["serve", "--webhook-allow", "127.0.0.0/8,::1/128", "--listen"])
            .arg(format!("127.0.0.1:{}", free_port()))
            .env("LINCHPIN_DATA_DIR", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(service.stdout.take().unwrap()).lines();
        let first = lines.next_line().await.unwrap().unwrap();
        assert!(first.starts_with("linchpin: "), "{first}");
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self { folder, service, words: BTreeMap::new() }
    }

    fn command(&self, command: &str) -> Command {
        let said = self.words.iter().fold(command.to_owned(), |it, (shown, real)| it.replace(shown, real));
        let said = said.replacen("linchpin", PROGRAM, 1);
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("exec {said}")]).env("LINCHPIN_DATA_DIR", self.folder.path());
        shell.env("HOME", self.folder.path()).env_remove("XDG_CONFIG_HOME").env_remove("XDG_STATE_HOME");
        shell.kill_on_drop(true);
        shell
    }

    /// Runs a command and returns its stdout and stderr.
    async fn read_output(&self, command: &str) -> String {
        let output = self.command(command).output().await.unwrap();
        let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        format!("{out}{error}")
    }

    /// Runs a command, if it shows progress until its output matches; returns the difference.
    async fn run(&mut self, command: &str, shown: &str) -> Option<String> {
        let is_waiting = command.contains("deliveries") || command.contains("clock show");
        let limit = if is_waiting { LIMIT } else { Duration::ZERO };
        let printed = wait::retry_for(limit, async || {
            let printed = self.read_output(command).await;
            if alike(shown) == alike(&printed) { Ok(printed) } else { Err(printed) }
        })
        .await;
        let (Ok(text) | Err(text)) = &printed;
        self.learn(shown, text);
        printed.err().map(|text| format!("$ {command}\nprinted\n{text}but the guide shows\n{shown}"))
    }

    /// Runs `linchpin listen`, fires the event types that the guide shows with an outcome, then kills the command. The
    /// others occurred before.
    async fn listen(&mut self, command: &str, shown: &str) -> Option<String> {
        let mut listening = self.command(command).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(listening.stdout.take().unwrap()).lines();
        let mut printed = String::new();
        for line in shown.lines() {
            if let Some(event_type) = line.split("  ").nth(1).filter(|_| line.contains(" -> ")) {
                self.read_output(&format!("linchpin fire {event_type} --tenant demo")).await;
            }
            let line = tokio::time::timeout(Duration::from_secs(20), lines.next_line()).await;
            let Ok(Ok(Some(line))) = line else { break };
            printed.push_str(&line);
            printed.push('\n');
        }
        listening.kill().await.unwrap();
        (alike(shown) != alike(&printed)).then(|| format!("$ {command}\nprinted\n{printed}"))
    }

    /// Records the real value of each id that the guide shows.
    fn learn(&mut self, shown: &str, printed: &str) {
        for (shown, printed) in shown.split_whitespace().zip(printed.split_whitespace()) {
            if shown != printed && shown.len() >= 12 && VARYING.is_match(shown) {
                self.words.insert(shown.to_owned(), printed.to_owned());
            }
        }
    }
}

/// Normalizes column widths, ids, times and numbers.
fn alike(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    VARYING.replace_all(&lines.collect::<Vec<_>>().join("\n"), "#").into_owned()
}

/// Splits a block into its command and the output shown.
fn split_block(block: &Block) -> (&str, &str) {
    let (command, shown) = block.text.split_once('\n').unwrap();
    (command.strip_prefix("$ ").unwrap(), shown)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guide_commands_print_the_documented_output() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/how-to");
    let texts = ["administration.md", "console.md", "listen.md"]
        .map(|it| std::fs::read_to_string(folder.join(it)).unwrap());
    let text = texts.join("\n");
    let receiver = Receiver::start(&[204; 64]).await;
    let mut runner = CommandRunner::start().await;
    runner.words.insert("http://localhost:3000/webhooks".to_owned(), receiver.url.clone());
    let keys = std::fs::read(runner.folder.path().join("first-keys.json")).unwrap();
    let keys: serde_json::Value = serde_json::from_slice(&keys).unwrap();
    let key = |name: &str| keys["sandbox"][name].as_str().unwrap();
    let base = key("baseUrl").to_owned();
    runner.words.insert("http://localhost:8787/sandbox/v1".to_owned(), base.clone());
    runner.words.insert("lpk_…:lps_…".to_owned(), format!("{}:{}", key("apiKey"), key("apiSecret")));
    let home = runner.folder.path().display().to_string();
    let (mut found, mut run) = (Vec::new(), 0);
    for part in parts(&text) {
        match part {
            Part::Given(what) => {
                let event = what.strip_prefix("an event: ").unwrap();
                runner.read_output(&format!("linchpin fire {event} --tenant demo")).await;
            }
            Part::Block(block) if block.how() == How::Commands => {
                let (command, shown) = split_block(&block);
                // The test's receiver replaces the guide's URL and the name derived from it.
                let shown = shown.replace("http://localhost:3000/webhooks", &receiver.url);
                let shown = shown
                    .replace("http://localhost:8787/sandbox/v1", &base)
                    .replace("~/", &format!("{home}/"));
                let shown = shown.replace("localhost\n", "127.0.0.1\n").replace("localhost  ", "127.0.0.1  ");
                let fault = if command.starts_with("linchpin listen") {
                    runner.listen(command, &shown).await
                } else {
                    runner.run(command, &shown).await
                };
                found.extend(fault);
                run += 1;
            }
            Part::Block(_) => {}
        }
    }
    runner.service.kill().await.unwrap();
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(run > 15, "{run} commands");
}
