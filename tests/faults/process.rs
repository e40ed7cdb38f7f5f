//! The real binary in its own process.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::StoreSettings;
use link_store::test_support::{Backend, TestDatabase};
use link_test_support::wait;
use secrecy::ExposeSecret;
use serde_json::Value;

use crate::kills::random;

/// Returns a port that stays free while a killed service restarts: below the range for outgoing connections.
pub fn lasting_port() -> u16 {
    loop {
        let port = u16::try_from(random(15_000, 30_000)).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Returns the program to test: the debug build, or what `LINCHPIN_FAULT_PROGRAM` names.
fn program() -> PathBuf {
    std::env::var_os("LINCHPIN_FAULT_PROGRAM").map_or(env!("CARGO_BIN_EXE_linchpin").into(), PathBuf::from)
}

/// A service that can be killed and started again on the same data.
pub struct Linchpin {
    port: u16,
    database: TestDatabase,
    child: Option<Child>,
    agent: ureq::Agent,
    flags: Vec<String>,
}

impl Linchpin {
    /// Starts a service on an empty database.
    pub fn start(backend: Backend) -> Self {
        Self::start_with(backend, &[])
    }

    /// Starts a service with further flags.
    pub fn start_with(backend: Backend, flags: &[&str]) -> Self {
        let port = lasting_port();
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(5)))
            .build()
            .into();
        let flags = flags.iter().map(|it| (*it).to_owned()).collect();
        let mut service = Self { port, database: TestDatabase::new(backend), child: None, agent, flags };
        service.restart();
        service
    }

    /// Returns the database.
    pub fn database(&self) -> &TestDatabase {
        &self.database
    }

    /// Returns the database, to change its address.
    pub fn database_mut(&mut self) -> &mut TestDatabase {
        &mut self.database
    }

    /// Starts a second node on the same PostgreSQL and keys.
    pub fn start_second_node(&self) -> SecondNode {
        let folder = tempfile::tempdir().unwrap();
        let mut command = self.command_in(folder.path(), lasting_port());
        command.arg("--keys-dir").arg(self.data_dir());
        SecondNode { child: spawn(command), _folder: folder }
    }

    /// Returns the command line of `serve`.
    pub fn command(&self) -> Command {
        self.command_in(&self.data_dir(), self.port)
    }

    fn command_in(&self, data_dir: &Path, port: u16) -> Command {
        let mut command = Command::new(program());
        command.arg("serve").arg("--data-dir").arg(data_dir);
        command.args(["--listen", &format!("127.0.0.1:{port}")]);
        command.args(["--webhook-allow", "127.0.0.0/8", "--resend-seconds", "0.3", "--log", "warn"]);
        command.args(["--rate-per-second", "100000", "--rate-burst", "100000"]);
        command.args(["--tenant-rate-per-second", "100000", "--tenant-rate-burst", "100000"]);
        command.args(&self.flags);
        if let StoreSettings::Postgres { address, .. } = self.database.settings() {
            command.env("LINCHPIN_DATABASE_URL", address.expose_secret());
        }
        command
    }

    /// Returns the folder of the keys, the database and the admin socket.
    pub fn data_dir(&self) -> PathBuf {
        match self.database.settings() {
            StoreSettings::Sqlite { folder, .. } => folder,
            StoreSettings::Postgres { .. } | StoreSettings::Ephemeral => self.database.folder().to_owned(),
        }
    }

    /// Starts the process (again) and waits for its greeting.
    pub fn restart(&mut self) {
        self.child = Some(spawn(self.command()));
    }

    /// Returns the peak memory of the process since its start or [`Self::reset_peak_kib`].
    pub fn peak_kib(&self) -> u64 {
        let status = std::fs::read_to_string(self.proc("status")).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Resets the peak and returns the current memory.
    pub fn reset_peak_kib(&self) -> u64 {
        // proc_pid_clear_refs(5): 5 sets the peak to the current value.
        std::fs::write(self.proc("clear_refs"), "5").unwrap();
        self.peak_kib()
    }

    fn proc(&self, file: &str) -> PathBuf {
        Path::new("/proc").join(self.child.as_ref().unwrap().id().to_string()).join(file)
    }

    /// Sends SIGKILL and waits for the end.
    pub fn kill(&mut self) {
        let mut child = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Sends SIGTERM and returns the exit status.
    pub fn terminate(&mut self) -> std::process::ExitStatus {
        let mut child = self.child.take().unwrap();
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        wait::blocking::until_some("the process stops", || child.try_wait().unwrap())
    }

    /// Returns a client with the sandbox keys.
    pub fn client(&self) -> Client {
        let keys = read_keys(&self.data_dir());
        let pair = format!("{}:{}", keys["apiKey"].as_str().unwrap(), keys["apiSecret"].as_str().unwrap());
        self.client_with(format!("Basic {}", STANDARD.encode(pair)))
    }

    /// Returns a client with a value of `Authorization`.
    pub fn client_with(&self, authorization: String) -> Client {
        let base = format!("http://127.0.0.1:{}/sandbox/v1", self.port);
        Client { base, authorization, agent: self.agent.clone() }
    }
}

impl Drop for Linchpin {
    fn drop(&mut self) {
        if self.child.is_some() {
            self.kill();
        }
    }
}

/// Starts the process and waits for its greeting.
fn spawn(mut command: Command) -> Child {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap_or_else(|| panic!("the process ended without output")).unwrap();
    assert!(first.starts_with("linchpin: "), "{first}");
    // The pipe must be drained, or a later line would block the process.
    std::thread::spawn(move || lines.for_each(drop));
    child
}

/// A node that shares another one's database. Dropping it kills it.
pub struct SecondNode {
    child: Child,
    _folder: tempfile::TempDir,
}

impl SecondNode {
    /// Sends SIGKILL and waits for the end.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for SecondNode {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads the sandbox keys of the first start.
fn read_keys(folder: &Path) -> Value {
    let bytes = std::fs::read(folder.join("first-keys.json")).unwrap();
    serde_json::from_slice::<Value>(&bytes).unwrap()["sandbox"].clone()
}

/// A client of the service: a tenant's server or a widget.
#[derive(Clone)]
pub struct Client {
    base: String,
    authorization: String,
    agent: ureq::Agent,
}

impl Client {
    /// Returns a client of the same service with a session's secret.
    pub fn with_session(&self, secret: &str) -> Self {
        Self { authorization: format!("Bearer {secret}"), ..self.clone() }
    }

    /// Returns a client of another service with the same credentials.
    pub fn at(&self, other: &Self) -> Self {
        Self { base: other.base.clone(), ..self.clone() }
    }

    /// Sends a PATCH; `None` if there is no response.
    pub fn patch(&self, path: &str, body: &Value) -> Option<(u16, Value)> {
        let request =
            self.agent.patch(format!("{}{path}", self.base)).header("authorization", &self.authorization);
        read(request.header("content-type", "application/json").send(body.to_string()))
    }

    /// Sends a POST; `None` if there is no response.
    pub fn post(&self, path: &str, body: &Value) -> Option<(u16, Value)> {
        let request =
            self.agent.post(format!("{}{path}", self.base)).header("authorization", &self.authorization);
        read(request.header("content-type", "application/json").send(body.to_string()))
    }

    /// Sends a POST with an `Idempotency-Key`; `None` if there is no response.
    pub fn post_once(&self, key: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let request =
            self.agent.post(format!("{}{path}", self.base)).header("authorization", &self.authorization);
        let request = request.header("content-type", "application/json").header("idempotency-key", key);
        read(request.send(body.to_string()))
    }

    /// Sends a GET; `None` if there is no response.
    pub fn get(&self, path: &str) -> Option<(u16, Value)> {
        read(
            self.agent
                .get(format!("{}{path}", self.base))
                .header("authorization", &self.authorization)
                .call(),
        )
    }

    /// Returns every item of a list, such as `/users` or `/events?type=USER_CREATED`.
    pub fn all(&self, list: &str) -> Vec<Value> {
        let mut items = Vec::new();
        let list = format!("{list}{}size=150", if list.contains('?') { '&' } else { '?' });
        let mut path = list.clone();
        loop {
            let (status, page) = self.get(&path).unwrap_or_else(|| panic!("no response from {list}"));
            assert_eq!(status, 200, "{page}");
            items.extend(page["items"].as_array().unwrap().iter().cloned());
            match page["nextCursor"].as_str() {
                Some(cursor) => path = format!("{list}&cursor={cursor}"),
                None => return items,
            }
        }
    }
}

impl Client {
    /// Returns the host with port, and the full path of a path below the base URL.
    pub fn address(&self, path: &str) -> (String, String) {
        let (host, base) = self.base.strip_prefix("http://").unwrap().split_once('/').unwrap();
        (host.to_owned(), format!("/{base}{path}"))
    }

    /// Returns the value of the `Authorization` header.
    pub fn authorization(&self) -> &str {
        &self.authorization
    }

    /// Runs a request with a timeout of 60 s, for responses that wait for an inspection.
    fn patient(
        &self,
        request: ureq::http::Request<impl ureq::AsSendBody>,
    ) -> Result<ureq::http::Response<ureq::Body>, ureq::Error> {
        let request = self.agent.configure_request(request);
        self.agent.run(request.timeout_global(Some(Duration::from_secs(60))).build())
    }

    /// Sends a request with any body and returns the status and the body.
    pub fn send(&self, method: &str, path: &str, content_type: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header("authorization", &self.authorization)
            .header("content-type", content_type)
            .body(body)
            .unwrap();
        let mut response = self.patient(request).unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        let read = response.body_mut().with_config().limit(u64::MAX).read_to_vec();
        (response.status().as_u16(), read.unwrap())
    }

    /// Sends a tus request and returns the status and headers; `None` if there is no response.
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
        let response = match method {
            "HEAD" => self.patient(request.body(()).unwrap()),
            _ => self.patient(request.body(body).unwrap()),
        };
        let response = response.ok()?;
        let headers = response.headers().iter();
        let text = |value: &ureq::http::HeaderValue| value.to_str().unwrap_or_default().to_owned();
        let headers = headers.map(|(name, value)| (name.to_string(), text(value))).collect();
        Some((response.status().as_u16(), headers))
    }
}

fn read(response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Option<(u16, Value)> {
    let mut response = response.ok()?;
    let text = response.body_mut().read_to_string().ok()?;
    Some((response.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::Null)))
}

/// Returns the value of a JSON string.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}")).to_owned()
}
