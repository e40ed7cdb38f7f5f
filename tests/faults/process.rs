//! The real binary as a process of its own.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::StoreSettings;
use link_store::test_support::{Backend, TestDatabase};
use secrecy::ExposeSecret;
use serde_json::Value;

use crate::kills::random;

/// A port that is still free when a service that was killed starts again: below those that the system gives to outgoing
/// connections.
fn lasting_port() -> u16 {
    loop {
        let port = u16::try_from(random(15_000, 30_000)).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// A service that can be killed and started again on the same data.
pub struct Linchpin {
    port: u16,
    database: TestDatabase,
    child: Option<Child>,
    agent: ureq::Agent,
    flags: &'static [&'static str],
}

impl Linchpin {
    /// A service on an empty database, running.
    pub fn start(backend: Backend) -> Self {
        Self::start_with(backend, &[])
    }

    /// The same with further flags.
    pub fn start_with(backend: Backend, flags: &'static [&'static str]) -> Self {
        let port = lasting_port();
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(5)))
            .build()
            .into();
        let mut service = Self { port, database: TestDatabase::new(backend), child: None, agent, flags };
        service.restart();
        service
    }

    /// The command line of `serve`.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linchpin"));
        command.arg("serve").arg("--data-dir").arg(self.data_dir());
        command.args(["--listen", &format!("127.0.0.1:{}", self.port)]);
        command.args(["--webhook-allow", "127.0.0.0/8", "--resend-seconds", "0.3", "--log", "warn"]);
        command.args(["--rate-per-second", "100000", "--rate-burst", "100000"]);
        command.args(["--tenant-rate-per-second", "100000", "--tenant-rate-burst", "100000"]);
        command.args(self.flags);
        if let StoreSettings::Postgres { address, .. } = self.database.settings() {
            command.env("LINCHPIN_DATABASE_URL", address.expose_secret());
        }
        command
    }

    /// Where keys, database and admin socket are.
    pub fn data_dir(&self) -> PathBuf {
        match self.database.settings() {
            StoreSettings::Sqlite { folder, .. } => folder,
            StoreSettings::Postgres { .. } | StoreSettings::Ephemeral => self.database.folder().to_owned(),
        }
    }

    /// Starts it (again) and waits until it says that it listens.
    pub fn restart(&mut self) {
        let mut child = self.command().stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().unwrap_or_else(|| panic!("it ended without a word")).unwrap();
        assert!(first.starts_with("linchpin: "), "{first}");
        // Somebody has to read on, or a later line would end the process.
        std::thread::spawn(move || lines.for_each(drop));
        self.child = Some(child);
    }

    /// The most memory that the process has had so far, or since [`Self::reset_peak_kib`].
    pub fn peak_kib(&self) -> u64 {
        let status = std::fs::read_to_string(self.proc("status")).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Forgets the peak so far; gives the memory that the process has now.
    pub fn reset_peak_kib(&self) -> u64 {
        // proc_pid_clear_refs(5): 5 sets the peak to the current value.
        std::fs::write(self.proc("clear_refs"), "5").unwrap();
        self.peak_kib()
    }

    fn proc(&self, file: &str) -> PathBuf {
        Path::new("/proc").join(self.child.as_ref().unwrap().id().to_string()).join(file)
    }

    /// SIGKILL.
    pub fn kill(&mut self) {
        let mut child = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// SIGTERM; gives how it ended.
    pub fn terminate(&mut self) -> std::process::ExitStatus {
        let mut child = self.child.take().unwrap();
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        let began = Instant::now();
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return status;
            }
            assert!(began.elapsed() < Duration::from_secs(20), "it does not stop");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What calls it.
    pub fn client(&self) -> Client {
        let keys = read_keys(&self.data_dir());
        let pair = format!("{}:{}", keys["apiKey"].as_str().unwrap(), keys["apiSecret"].as_str().unwrap());
        Client {
            base: format!("http://127.0.0.1:{}/sandbox/v1", self.port),
            authorization: format!("Basic {}", STANDARD.encode(pair)),
            agent: self.agent.clone(),
        }
    }
}

impl Drop for Linchpin {
    fn drop(&mut self) {
        if self.child.is_some() {
            self.kill();
        }
    }
}

/// The sandbox's keys of the first start.
fn read_keys(folder: &Path) -> Value {
    let bytes = std::fs::read(folder.join("first-keys.json")).unwrap();
    serde_json::from_slice::<Value>(&bytes).unwrap()["sandbox"].clone()
}

/// A tenant's server, or a widget.
#[derive(Clone)]
pub struct Client {
    base: String,
    authorization: String,
    agent: ureq::Agent,
}

impl Client {
    /// The same service, called with a session's bearer.
    pub fn with_session(&self, secret: &str) -> Self {
        Self { authorization: format!("Bearer {secret}"), ..self.clone() }
    }

    /// PATCH; status and body, or `None` when no answer came.
    pub fn patch(&self, path: &str, body: &Value) -> Option<(u16, Value)> {
        let request =
            self.agent.patch(format!("{}{path}", self.base)).header("authorization", &self.authorization);
        read(request.header("content-type", "application/json").send(body.to_string()))
    }

    /// POST; status and body, or `None` when no answer came.
    pub fn post(&self, path: &str, body: &Value) -> Option<(u16, Value)> {
        let request =
            self.agent.post(format!("{}{path}", self.base)).header("authorization", &self.authorization);
        read(request.header("content-type", "application/json").send(body.to_string()))
    }

    /// POST under an `Idempotency-Key`; status and body, or `None` when no answer came.
    pub fn post_once(&self, key: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let request =
            self.agent.post(format!("{}{path}", self.base)).header("authorization", &self.authorization);
        let request = request.header("content-type", "application/json").header("idempotency-key", key);
        read(request.send(body.to_string()))
    }

    /// GET; status and body, or `None` when no answer came.
    pub fn get(&self, path: &str) -> Option<(u16, Value)> {
        read(
            self.agent
                .get(format!("{}{path}", self.base))
                .header("authorization", &self.authorization)
                .call(),
        )
    }

    /// Every item of a list.
    pub fn all(&self, list: &str) -> Vec<Value> {
        let mut items = Vec::new();
        let mut path = format!("{list}?size=150");
        loop {
            let (status, page) = self.get(&path).unwrap_or_else(|| panic!("{list} does not answer"));
            assert_eq!(status, 200, "{page}");
            items.extend(page["items"].as_array().unwrap().iter().cloned());
            match page["nextCursor"].as_str() {
                Some(cursor) => path = format!("{list}?size=150&cursor={cursor}"),
                None => return items,
            }
        }
    }
}

impl Client {
    /// Host and port, and a path below the base.
    pub fn address(&self, path: &str) -> (String, String) {
        let (host, base) = self.base.strip_prefix("http://").unwrap().split_once('/').unwrap();
        (host.to_owned(), format!("/{base}{path}"))
    }

    /// What it says who it is with.
    pub fn authorization(&self) -> &str {
        &self.authorization
    }

    /// Runs a request whose answer waits for a file to be looked at.
    fn patient(
        &self,
        request: ureq::http::Request<impl ureq::AsSendBody>,
    ) -> Result<ureq::http::Response<ureq::Body>, ureq::Error> {
        let request = self.agent.configure_request(request);
        self.agent.run(request.timeout_global(Some(Duration::from_secs(60))).build())
    }

    /// A request with any body; status and body of the answer.
    pub fn send(&self, method: &str, path: &str, content_type: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header("authorization", &self.authorization)
            .header("content-type", content_type)
            .body(body)
            .unwrap();
        let mut answer = self.patient(request).unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        let read = answer.body_mut().with_config().limit(u64::MAX).read_to_vec();
        (answer.status().as_u16(), read.unwrap())
    }

    /// A request of tus; status and headers, or `None` when no answer came.
    pub fn tus(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, String)],
        body: &[u8],
    ) -> Option<(u16, HashMap<String, String>)> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header("authorization", &self.authorization)
            .header("tus-resumable", "1.0.0");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let answer = match method {
            "HEAD" => self.patient(request.body(()).unwrap()),
            _ => self.patient(request.body(body).unwrap()),
        };
        let answer = answer.ok()?;
        let headers = answer.headers().iter();
        let text = |value: &ureq::http::HeaderValue| value.to_str().unwrap_or_default().to_owned();
        let headers = headers.map(|(name, value)| (name.to_string(), text(value))).collect();
        Some((answer.status().as_u16(), headers))
    }
}

fn read(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Option<(u16, Value)> {
    let mut answer = answer.ok()?;
    let text = answer.body_mut().read_to_string().ok()?;
    Some((answer.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::Null)))
}

/// A JSON text.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}
