//! A running service reads its settings again after SIGHUP.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::test_support::{Backend, TestDatabase};
use link_test_support::relay::Relay;
use link_test_support::wait;
use rustix::process::Signal;
use serde_json::Value;

use crate::process::{Running, free_port, serve_on};
use crate::service::TestService;

const CANARY: &str = "canary-4e0b";

/// A service with a settings file.
struct Configured {
    running: Running,
    file: PathBuf,
    base: String,
    metrics: String,
    authorization: String,
    agent: ureq::Agent,
}

impl Configured {
    fn start(folder: &Path, settings: &str) -> Self {
        Self::start_with(folder, settings, &[])
    }

    fn start_with(folder: &Path, settings: &str, variables: &[(&str, &str)]) -> Self {
        let file = folder.join("linchpin.toml");
        std::fs::write(&file, settings).unwrap();
        let (port, metrics) = (free_port(), free_port());
        let mut command = serve_on(port);
        command.arg("--config").arg(&file).args(["--metrics-listen", &format!("127.0.0.1:{metrics}")]);
        command.envs(variables.iter().copied());
        let mut running = Running::start(command);
        let mut keys = String::new();
        BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut keys).unwrap();
        let keys: Value = serde_json::from_str(&keys).unwrap();
        let [key, secret] =
            ["apiKey", "apiSecret"].map(|it| keys["sandbox"][it].as_str().unwrap().to_owned());
        Self {
            running,
            file,
            base: format!("http://127.0.0.1:{port}/sandbox/v1"),
            metrics: format!("http://127.0.0.1:{metrics}/metrics"),
            authorization: format!("Basic {}", STANDARD.encode(format!("{key}:{secret}"))),
            agent: ureq::Agent::config_builder().http_status_as_error(false).build().into(),
        }
    }

    /// Writes the settings file, sends SIGHUP, and returns the line of the log with this text.
    fn reload(&mut self, settings: &str, line: &str) -> String {
        std::fs::write(&self.file, settings).unwrap();
        self.running.signal(Signal::HUP);
        self.running.line_with(line)
    }

    /// Returns the status of a request, and the burst of its caller.
    fn ask(&self) -> (u16, String) {
        let request = self.agent.get(format!("{}/users", self.base));
        let response = request.header("authorization", &self.authorization).call().unwrap();
        let limit = response.headers()["ratelimit-limit"].to_str().unwrap().to_owned();
        (response.status().as_u16(), limit)
    }

    fn is_refused(&self) -> bool {
        is_refused(&self.agent, &self.metrics)
    }
}

/// Returns whether the metrics say that the settings read last are not valid.
fn is_refused(agent: &ureq::Agent, metrics: &str) -> bool {
    let text = agent.get(metrics).call().unwrap().body_mut().read_to_string().unwrap();
    let line = text.lines().find(|it| it.starts_with("linchpin_settings_refused ")).unwrap();
    line.ends_with(" 1")
}

#[test]
fn hangup_applies_new_rates_and_keeps_them_if_a_file_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let mut service = Configured::start(folder.path(), "rate-per-second = 1\nrate-burst = 3\n");
    // Each second that passes during the test admits one more request.
    let refused = (0..100).map(|_| service.ask()).find(|(status, _)| *status == 429);
    assert_eq!(refused, Some((429, "3".to_owned())), "the old burst");

    let raised = "rate-per-second = 1000\nrate-burst = 5000\nmails-per-tenant = 7\nlog = \"debug\"\n";
    let line = service.reload(raised, "read again and changed");
    for change in [
        "rate-per-second 1 -> 1000",
        "rate-burst 3 -> 5000",
        "mails-per-tenant 1000 -> 7",
        "log info -> debug",
    ] {
        assert!(line.contains(change), "{line}");
    }
    for _ in 0..50 {
        assert_eq!(service.ask(), (200, "5000".to_owned()));
    }

    for (wrong, named) in [
        ("rate-burst = \"many\"\nmails-per-tenant = 9\n", "line 1, rate-burst"),
        ("rate-burst = 0\nmails-per-tenant = 9\n", "--rate-burst must be at least 1"),
        ("rate-brust = 9\n", "rate-brust"),
        ("upload-files = 0\nmails-per-tenant = 9\n", "--upload-files must be at least 1"),
    ] {
        let line = service.reload(wrong, "nothing was changed");
        assert!(line.contains(named) && line.contains("\"ERROR\""), "{line}");
        assert!(service.is_refused());
        assert_eq!(service.ask(), (200, "5000".to_owned()), "{wrong}");
    }
    let line = service.reload(raised, "Nothing that can change without a restart differs");
    assert!(line.contains("\"INFO\"") && !service.is_refused(), "{line}");
}

#[test]
fn hangup_names_settings_that_need_a_restart_without_values() {
    let folder = tempfile::tempdir().unwrap();
    let mut service = Configured::start(folder.path(), "audit-days = 400\n");
    let changed = format!(
        "audit-days = 30\nsmtp-url = \"smtps://user:{CANARY}@mail.example\"\nrate-burst = 201\n\
         drain-seconds = 5\n"
    );
    let line = service.reload(&changed, "needs a restart");
    assert!(line.contains("\"settings\":\"smtp-url, audit-days\"") && line.contains("\"WARN\""), "{line}");
    assert!(!line.contains(CANARY) && !line.contains("drain"), "a flag goes before the file: {line}");
    let line = service.running.line_with("goes before each");
    assert!(line.contains("\"settings\":\"drain-seconds\"") && line.contains("\"WARN\""), "{line}");
    let line = service.reload("rate-burst = 202\n", "needs a restart");
    assert!(line.contains("\"settings\":\"audit-days\""), "an absent setting differs too: {line}");
}

#[test]
fn hangup_names_limits_of_the_file_that_a_variable_overrides() {
    let folder = tempfile::tempdir().unwrap();
    let mut service = Configured::start_with(folder.path(), "", &[("LINCHPIN_RATE_BURST", "40")]);
    let line = service.reload("rate-burst = 400\nlong-polls = 9\n", "goes before each");
    assert!(line.contains("\"settings\":\"rate-burst\"") && line.contains("\"WARN\""), "{line}");
    assert_eq!(service.ask().1, "40");
}

#[test]
fn change_to_a_stricter_log_filter_is_logged_with_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut service = Configured::start(folder.path(), "rate-burst = 200\n");
    let line = service.reload("rate-burst = 300\nlog = \"error\"\n", "read again and changed");
    assert!(line.contains("rate-burst 200 -> 300, log info -> error"), "{line}");
    let line = service.reload("rate-burst = 400\nlog = \"info\"\n", "read again and changed");
    assert!(line.contains("rate-burst 300 -> 400, log error -> info"), "{line}");
}

#[test]
fn refusal_before_the_service_is_open_is_in_its_metrics() {
    let database = TestDatabase::new(Backend::Postgres);
    let (socket, name) = database.socket();
    let relay = Relay::start(&socket.with_file_name("no-server"));
    let address = format!("host=127.0.0.1 port={} user=linchpin dbname={name} sslmode=disable", relay.port());
    let (file, data) = (database.folder().join("linchpin.toml"), database.folder().join("data"));
    std::fs::write(&file, "rate-burst = 200\n").unwrap();
    let metrics = free_port();
    let mut command = Command::new(env!("CARGO_BIN_EXE_linchpin"));
    command
        .args([
            "serve",
            "--document-sandbox",
            "best-effort",
            "--drain-seconds",
            "0",
            "--database-url",
            &address,
        ])
        .args(["--listen", &format!("127.0.0.1:{}", free_port())])
        .args(["--metrics-listen", &format!("127.0.0.1:{metrics}")])
        .arg("--data-dir")
        .arg(data)
        .arg("--config")
        .arg(&file)
        .env_remove("LINCHPIN_LOG")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut running = Running(command.spawn().unwrap());
    running.line_with("Waiting for the database before the start");
    std::fs::write(&file, "rate-burst = 0\n").unwrap();
    running.signal(Signal::HUP);
    running.line_with("nothing was changed");
    relay.move_to(&socket);
    running.line_with("\"Started\"");
    let agent = ureq::Agent::new_with_defaults();
    let metrics = format!("http://127.0.0.1:{metrics}/metrics");
    wait::blocking::until("the refusal is in the metrics", || is_refused(&agent, &metrics));
}

#[tokio::test]
async fn apply_changes_rates_and_the_shared_settings() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 5.try_into().unwrap();
        });
    })
    .await;
    while service.get("/users").await.status == 200 {}
    let settings = service.app.settings.clone();
    let mut live = (*settings.live.now()).clone();
    live.rate_burst = 10.try_into().unwrap();
    live.mails_per_tenant = 3.try_into().unwrap();
    live.mails_per_recipient = 2.try_into().unwrap();
    live.upload_files = 4;
    live.upload_megabytes = 5;
    live.token_minutes = 1.0;
    let changes = service.app.apply(&live);
    assert_eq!(changes.len(), 6, "{changes:?}");
    for _ in 0..5 {
        assert_eq!(service.get("/users").await.status, 200, "five of ten are left");
    }
    assert_eq!(service.app.apply(&live), Vec::<String>::new(), "the same settings change nothing");
    let mails = settings.mail_limits();
    assert_eq!((mails.per_tenant, mails.per_recipient), (3, 2), "clones share the settings in effect");
    let quota = settings.upload_quota();
    assert_eq!((quota.files, quota.bytes), (4, 5_000_000));
    assert_eq!(settings.token_life().as_secs(), 60);
}
