//! A developer's machine with the commands of a tenant, and a receiver on it.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use link_test_support::wait::{self, TIMEOUT};
use serde_json::Value;
use tempfile::TempDir;

use crate::process::{Client, Linchpin, text};

/// A developer's machine: a home folder, and an API key of the service's sandbox.
pub struct Machine {
    pub home: TempDir,
    pub url: String,
    pub key: String,
}

impl Machine {
    pub fn new(service: &Linchpin) -> Self {
        let keys = std::fs::read(service.data_dir().join("first-keys.json")).unwrap();
        let keys: Value = serde_json::from_slice(&keys).unwrap();
        let key = format!("{}:{}", text(&keys["sandbox"]["apiKey"]), text(&keys["sandbox"]["apiSecret"]));
        let (host, _) = service.client().address("");
        Self { home: tempfile::tempdir().unwrap(), url: format!("http://{host}/sandbox/v1"), key }
    }

    /// Returns a command with the API key in its environment.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.bare_command(arguments);
        command.env("LINCHPIN_URL", &self.url).env("LINCHPIN_API_KEY", &self.key);
        command
    }

    /// Returns a command without an API key.
    pub fn bare_command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linchpin"));
        command.args(arguments).stdin(Stdio::null()).env("HOME", self.home.path());
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "LINCHPIN_URL", "LINCHPIN_API_KEY"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs a command with `--json` and returns its output.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.command(&[arguments, &["--json"]].concat()).output().unwrap();
        assert!(output.status.success(), "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub fn fire(&self) -> String {
        text(&self.json(&["fire", "TASK_FINISHED"])["id"])
    }

    /// Starts `linchpin listen --json`, and waits until it listens.
    pub fn listen(&self, arguments: &[&str]) -> Listening {
        let mut command = self.command(&[&["listen", "--json"], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (lines, errors) =
            (read_lines(child.stdout.take().unwrap()), read_lines(child.stderr.take().unwrap()));
        let listening = Listening { child, lines, errors };
        assert_eq!(text(&listening.line()["url"]), self.url);
        listening
    }

    /// Returns the file of the only position of `listen`.
    fn position(&self) -> PathBuf {
        let folder = self.home.path().join(".local/state/linchpin/listen");
        let files = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        let mut files = files.filter(|it| it.extension().is_some_and(|it| it == "json"));
        let (file, None) = (files.next().unwrap(), files.next()) else { panic!("more than one file") };
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        file
    }

    /// Returns the text of the only position of `listen`.
    pub fn read_position(&self) -> String {
        std::fs::read_to_string(self.position()).unwrap()
    }

    /// Overwrites the only position of `listen`.
    pub fn write_position(&self, text: &str) {
        std::fs::write(self.position(), text).unwrap();
    }

    /// Waits until the position is after all events. A `listen` that is killed before prints the last one again.
    pub fn wait_until_stored(&self, client: &Client) {
        wait::blocking::until_ok("the position is stored", || {
            let stored: Value = serde_json::from_str(&self.read_position()).unwrap();
            let (_, rest) =
                client.get(&format!("/events/feed?cursor={}", text(&stored["start"]["cursor"]))).unwrap();
            if rest["items"] == Value::Array(Vec::new()) { Ok(()) } else { Err(rest) }
        });
    }

    pub fn profile(&self) -> PathBuf {
        self.home.path().join(".config/linchpin/profiles/default.json")
    }
}

pub fn read_lines(source: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, received) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(source).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    received
}

/// A running `linchpin listen`, killed at the end of a test.
pub struct Listening {
    pub child: Child,
    lines: Receiver<String>,
    pub errors: Receiver<String>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Listening {
    pub fn line(&self) -> Value {
        match self.lines.recv_timeout(TIMEOUT) {
            Ok(line) => serde_json::from_str(&line).unwrap(),
            Err(error) => panic!("{error}: {:?}", self.errors.try_iter().collect::<Vec<_>>()),
        }
    }

    pub fn event(&self) -> String {
        text(&self.line()["event"]["id"])
    }

    /// Returns the events that arrive until one with this id, which is the last.
    pub fn events_until(&self, last: &str) -> Vec<String> {
        let mut found = Vec::new();
        while found.last().is_none_or(|it| it != last) {
            found.push(self.event());
        }
        found
    }
}

/// Runs a command that must fail, and returns its exit status and error.
pub fn fail(command: &mut Command) -> (i32, String) {
    let output: Output = command.output().unwrap();
    assert!(output.stdout.is_empty(), "{output:?}");
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// Starts a receiver that responds with 204; returns its URL, and the head and body of each request.
pub fn receiver() -> (String, Receiver<(String, String)>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let (sender, received) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut head, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap() == 0 || line == "\r\n" {
                    break;
                }
                if let Some((_, value)) =
                    line.split_once(':').filter(|(it, _)| it.eq_ignore_ascii_case("content-length"))
                {
                    length = value.trim().parse().unwrap();
                }
                head.push_str(&line);
            }
            let mut body = vec![0; length];
            std::io::Read::read_exact(&mut reader, &mut body).unwrap();
            stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").unwrap();
            if sender.send((head, String::from_utf8(body).unwrap())).is_err() {
                return;
            }
        }
    });
    (url, received)
}
