//! Runs the commands of docs/how-to/administration.md with the real binary against a real service.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::LazyLock;
use std::time::Duration;

use link_test_support::receiver::Receiver;
use link_test_support::wait;
use regex::Regex;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::blocks::{Block, How, Part, parts};

const PROGRAM: &str = env!("CARGO_BIN_EXE_linchpin");
/// How long a command is retried until its output matches: deliveries are asynchronous.
const LIMIT: Duration = Duration::from_secs(5);

/// Values that differ in each run: ids, keys, times, numbers.
static VARYING: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[0-9a-f]{4,}|[0-9]+").unwrap());

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
            .args(["serve", "--listen", "127.0.0.1:0", "--webhook-allow", "127.0.0.0/8,::1/128"])
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
        shell.kill_on_drop(true);
        shell
    }

    /// Runs a command and returns its stdout and stderr.
    async fn printed(&self, command: &str) -> String {
        let output = self.command(command).output().await.unwrap();
        let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        format!("{out}{error}")
    }

    /// Runs a command, if it shows progress until its output matches; returns the difference.
    async fn run(&mut self, command: &str, shown: &str) -> Option<String> {
        let is_waiting = command.contains("deliveries") || command.contains("clock show");
        let limit = if is_waiting { LIMIT } else { Duration::ZERO };
        let printed = wait::retry_for(limit, async || {
            let printed = self.printed(command).await;
            if alike(shown) == alike(&printed) { Ok(printed) } else { Err(printed) }
        })
        .await;
        let (Ok(text) | Err(text)) = &printed;
        self.learn(shown, text);
        printed.err().map(|text| format!("$ {command}\nprinted\n{text}but the guide shows\n{shown}"))
    }

    /// Runs `linchpin listen`, fires the event types that the guide shows, then kills the command.
    async fn listen(&mut self, command: &str, shown: &str) -> Option<String> {
        let mut listening = self.command(command).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(listening.stdout.take().unwrap()).lines();
        let mut printed = String::new();
        for line in shown.lines() {
            if let Some(event_type) = line.split("  ").nth(1).filter(|_| line.contains(" -> ")) {
                self.printed(&format!("linchpin fire {event_type} --tenant demo")).await;
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
fn parted(block: &Block) -> (&str, &str) {
    let (command, shown) = block.text.split_once('\n').unwrap();
    (command.strip_prefix("$ ").unwrap(), shown)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guide_commands_print_the_documented_output() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/how-to");
    let text = std::fs::read_to_string(folder.join("administration.md")).unwrap();
    let receiver = Receiver::start(&[204; 64]).await;
    let mut runner = CommandRunner::start().await;
    runner.words.insert("http://localhost:3000/webhooks".to_owned(), receiver.url.clone());
    let (mut found, mut run) = (Vec::new(), 0);
    for part in parts(&text) {
        match part {
            Part::Given(what) => {
                let event = what.strip_prefix("an event: ").unwrap();
                runner.printed(&format!("linchpin fire {event} --tenant demo")).await;
            }
            Part::Block(block) if block.how() == How::Commands => {
                let (command, shown) = parted(&block);
                // The test's receiver replaces the guide's URL and the name derived from it.
                let shown = shown.replace("http://localhost:3000/webhooks", &receiver.url);
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
