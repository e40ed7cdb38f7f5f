//! Operator mistakes and accidents with a data folder: the service works correctly or refuses to start with a reason.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use link_store::test_support::{Backend, sqlite};
use link_test_support::wait::{self, TIMEOUT};
use rstest::rstest;
use serde_json::{Value, json};

use crate::process::{Client, Linchpin, text};

fn database(service: &Linchpin) -> PathBuf {
    service.data_dir().join("linchpin.db")
}

fn log(service: &Linchpin) -> PathBuf {
    service.data_dir().join("linchpin.db-wal")
}

fn make_user(client: &Client) -> String {
    let (status, user) = client.post("/users", &json!({})).unwrap();
    assert_eq!(status, 201, "{user}");
    text(&user["id"])
}

fn users(client: &Client) -> Vec<String> {
    client.all("/users").iter().map(|user| text(&user["id"])).collect()
}

/// Returns the output of a start that must fail.
fn refusal(service: &Linchpin, more: &[&str]) -> String {
    output_of_failure(service.command().args(more))
}

/// Runs a process that must fail without being killed, and does not wait for a database. Returns its stderr and stdout.
fn output_of_failure(command: &mut Command) -> String {
    command.env("LINCHPIN_DATABASE_WAIT_SECONDS", "0");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let ended = wait::blocking::retry_for(TIMEOUT, || child.try_wait().unwrap().ok_or(()));
    if ended.is_err() {
        child.kill().unwrap();
        panic!("the process did not exit: {:?}", child.wait_with_output().unwrap());
    }
    let ended = child.wait_with_output().unwrap();
    assert!(!ended.status.success(), "{ended:?}");
    String::from_utf8(ended.stderr).unwrap() + &String::from_utf8(ended.stdout).unwrap()
}

/// Returns the status of `/health/ready`.
fn readiness(client: &Client) -> u16 {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(5)))
        .build()
        .into();
    let (host, _) = client.address("");
    agent.get(format!("http://{host}/health/ready")).call().unwrap().status().as_u16()
}

/// Waits up to 5 s, the longest delay of a readiness change.
fn until_ready_is(client: &Client, status: u16) {
    let changed = wait::blocking::retry_for(Duration::from_secs(5), || match readiness(client) {
        found if found == status => Ok(()),
        other => Err(other),
    });
    assert_eq!(changed, Ok(()), "/health/ready never returned {status}");
}

/// Returns the command line of a command about the service's data folder.
fn linchpin(service: &Linchpin, command: &str, file: &Path) -> Command {
    let mut line = Command::new(env!("CARGO_BIN_EXE_linchpin"));
    line.arg(command).arg(file).arg("--data-dir").arg(service.data_dir());
    if command == "restore" {
        line.arg("--replace");
    }
    line
}

#[test]
fn backup_made_under_writes_is_restored_after_a_kill() {
    let mut service = Linchpin::start(Backend::Sqlite);
    let client = service.client();
    let before: Vec<String> = (0..20).map(|_| make_user(&client)).collect();
    let folder = tempfile::tempdir().unwrap();
    let backup = folder.path().join("backup.db");
    let is_done = AtomicBool::new(false);
    let meanwhile = std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            let mut made = Vec::new();
            while !is_done.load(Ordering::Relaxed) {
                made.push(make_user(&client));
            }
            made
        });
        let output = linchpin(&service, "backup", &backup).output().unwrap();
        is_done.store(true, Ordering::Relaxed);
        assert!(output.status.success(), "{output:?}");
        writing.join().unwrap()
    });
    let after = make_user(&client);
    let said = output_of_failure(&mut linchpin(&service, "backup", &backup));
    assert!(said.contains("exists. Name a new file"), "{said}");
    let said = output_of_failure(&mut linchpin(&service, "restore", &backup));
    assert!(said.contains("a service runs on the data folder"), "{said}");
    service.kill();
    assert!(std::fs::metadata(log(&service)).unwrap().len() > 0, "a killed process leaves its WAL");

    assert!(linchpin(&service, "restore", &backup).status().unwrap().success());
    assert!(!log(&service).exists(), "the WAL belongs to the replaced database");
    service.restart();
    let found = users(&client);
    assert!(before.iter().all(|user| found.contains(user)), "{found:?}");
    assert!(!found.contains(&after));
    // Writes come one after the other, so the backup has the first of those that came while it was written.
    let kept = meanwhile.iter().take_while(|user| found.contains(user)).count();
    assert_eq!(found.len(), before.len() + kept);
    assert_eq!(readiness(&client), 200);
    make_user(&client);
}

#[test]
fn clean_stop_removes_the_wal() {
    let mut service = Linchpin::start(Backend::Sqlite);
    make_user(&service.client());
    assert!(service.terminate().success());
    assert!(!log(&service).exists());
}

#[test]
fn wal_of_killed_process_is_applied() {
    let mut service = Linchpin::start(Backend::Sqlite);
    let client = service.client();
    let made: Vec<String> = (0..20).map(|_| make_user(&client)).collect();
    service.kill();
    assert!(std::fs::metadata(log(&service)).unwrap().len() > 0);
    service.restart();
    let found = users(&client);
    assert!(made.iter().all(|user| found.contains(user)) && found.len() == 20, "{found:?}");
}

#[test]
fn empty_database_next_to_keys_is_rejected() {
    let mut service = Linchpin::start(Backend::Sqlite);
    let first_keys = service.data_dir().join("first-keys.json");
    let before = std::fs::read(&first_keys).unwrap();
    assert!(service.terminate().success());
    std::fs::rename(database(&service), service.data_dir().join("away")).unwrap();
    for gone in ["", "master.key"] {
        if !gone.is_empty() {
            std::fs::rename(service.data_dir().join(gone), service.data_dir().join("key-away")).unwrap();
        }
        let said = refusal(&service, &[]);
        assert!(said.contains("the database is empty") && said.contains("or restore it from"), "{said}");
        assert_eq!(std::fs::read(&first_keys).unwrap(), before, "the first keys are unchanged");
        std::fs::remove_file(database(&service)).unwrap();
        drop(std::fs::remove_file(service.data_dir().join("master.key.new")));
        if !gone.is_empty() {
            drop(std::fs::remove_file(service.data_dir().join(gone)));
            std::fs::rename(service.data_dir().join("key-away"), service.data_dir().join(gone)).unwrap();
        }
    }
    std::fs::rename(service.data_dir().join("away"), database(&service)).unwrap();
    service.restart();
    assert_eq!(service.client().get("/users").unwrap().0, 200);
}

#[rstest]
fn missing_day_keys_are_rejected_unless_accepted(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let mut service = Linchpin::start(backend);
    let client = service.client();
    let user = make_user(&client);
    assert!(service.terminate().success());
    let (keys, away) = (service.data_dir().join("keys"), service.data_dir().join("keys-away"));
    std::fs::rename(&keys, &away).unwrap();
    let said = refusal(&service, &[]);
    assert!(said.contains("1 day keys are missing") && said.contains("--accept-lost-keys"), "{said}");
    let mut accepted = service.command();
    let (mut child, _lines) = spawn(accepted.arg("--accept-lost-keys"));
    until_ready_is(&client, 200);
    assert!(users(&client).is_empty());
    child.kill().unwrap();
    child.wait().unwrap();
    // A folder with a key, but not with the missing one.
    std::fs::remove_dir_all(&keys).unwrap();
    std::fs::create_dir(&keys).unwrap();
    std::fs::write(keys.join("30000.day"), "00".repeat(32)).unwrap();
    assert!(refusal(&service, &[]).contains("1 day keys are missing"));
    std::fs::remove_dir_all(&keys).unwrap();
    std::fs::rename(&away, &keys).unwrap();
    service.restart();
    assert_eq!(users(&client), [user]);
}

/// Starts a service that survives failing writes; returns its log lines.
fn spawn(command: &Command) -> (Child, Receiver<Value>) {
    // A process that exceeds its file size limit is killed unless it ignores SIGXFSZ.
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(command.get_program())
        .args(command.get_args());
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut greeting = BufReader::new(child.stdout.take().unwrap()).lines();
    let lines: Lines<BufReader<ChildStderr>> = BufReader::new(child.stderr.take().unwrap()).lines();
    let (sender, logged) = channel();
    std::thread::spawn(move || {
        for line in lines {
            let Ok(line) = line else { return };
            drop(sender.send(serde_json::from_str(&line).unwrap_or(Value::String(line))));
        }
    });
    let first = greeting.next();
    assert!(first.is_some(), "{:?}", logged.try_iter().collect::<Vec<_>>());
    std::thread::spawn(move || greeting.for_each(drop));
    (child, logged)
}

/// Sets the file size limit of a process.
fn limit_files(child: &Child, limit: &str) {
    let limit = format!("--fsize={limit}");
    let set = Command::new("prlimit").args(["--pid", &child.id().to_string(), &limit]).status().unwrap();
    assert!(set.success());
}

/// Counts the log lines of failed requests, and those without a request id.
fn failures(logged: &Receiver<Value>, message: &str) -> (usize, usize) {
    let lines: Vec<Value> = logged.try_iter().filter(|line| line["message"] == message).collect();
    let without = lines.iter().filter(|line| line["span"]["request_id"].is_null()).count();
    (lines.len(), without)
}

#[test]
fn full_disk_is_reported_by_status_readiness_and_log() {
    let mut service = Linchpin::start(Backend::Sqlite);
    let client = service.client();
    assert!(service.terminate().success());
    let (mut child, logged) = spawn(&service.command());
    let user = make_user(&client);
    until_ready_is(&client, 200);
    limit_files(&child, "0:unlimited");
    for _ in 0..40 {
        let (status, problem) = client.post("/users", &json!({})).unwrap();
        assert_eq!((status, &problem["code"]), (503, &json!("SERVICE_UNAVAILABLE")), "{problem}");
    }
    assert_eq!(client.get("/users").unwrap().0, 200, "reads still work");
    until_ready_is(&client, 503);
    limit_files(&child, "unlimited:unlimited");
    until_ready_is(&client, 200);
    let other = make_user(&client);
    let found = users(&client);
    assert!(found.len() == 2 && found.contains(&user) && found.contains(&other), "{found:?}");
    let (lines, without) = failures(&logged, "Request could not be served");
    assert_eq!((lines, without), (40, 0));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn damaged_database_is_reported_by_readiness_and_log() {
    let mut service = Linchpin::start(Backend::Sqlite);
    let client = service.client();
    make_user(&client);
    assert!(service.terminate().success());
    sqlite::damage(&database(&service), "users");
    let (mut child, logged) = spawn(&service.command());
    for _ in 0..5 {
        assert_eq!(client.get("/users").unwrap().0, 500);
    }
    until_ready_is(&client, 503);
    // Log lines are written asynchronously.
    let (mut lines, mut without) = (0, 0);
    wait::blocking::until("5 failed requests are logged", || {
        let (more, more_without) = failures(&logged, "Request failed");
        (lines, without) = (lines + more, without + more_without);
        lines >= 5
    });
    assert_eq!((lines, without), (5, 0));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn full_disk_at_first_start_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" serve --listen 127.0.0.1:0 --data-dir \"$1\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_linchpin")]).arg(folder.path().join("data"));
    let said = output_of_failure(&mut shell);
    assert!(said.contains("the disk is full"), "{said}");
    assert!(!said.contains("backup"), "{said}");
}

/// Starts a service with these variables and flags; the start must fail. Returns the output.
fn start_refused(folder: &Path, variables: &[(&str, &str)], flags: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linchpin"));
    command.arg("serve").current_dir(folder).args(flags.iter().map(OsStr::new));
    output_of_failure(command.envs(variables.iter().copied()))
}

#[test]
fn mistyped_database_address_reveals_no_password() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("linchpin.toml");
    for address in [
        "postgress://u:canary@h/d",
        "postgres:/u:canary@h/d",
        "mysql://u:canary@h/d",
        "u:canary@h",
        " postgres://u:canary@h/d",
        "postgres://u:can/canary@h/d",
        "postgres://u:canary@h:port/d",
        "postgres://u:canary@h/d?sslmode=verify",
        "host=h user=u password=can canary=1",
        "password=canary host=h",
    ] {
        let variable = start_refused(folder.path(), &[("LINCHPIN_DATABASE_URL", address)], &[]);
        let flag = start_refused(folder.path(), &[], &["--database-url", address]);
        let misplaced = start_refused(folder.path(), &[], &[address]);
        std::fs::write(&file, format!("database-url = \"{address}\"\n")).unwrap();
        let in_file = start_refused(folder.path(), &[], &["--config", "linchpin.toml"]);
        std::fs::write(&file, format!("database-url = {address}\n")).unwrap();
        let unquoted = start_refused(folder.path(), &[], &["--config", "linchpin.toml"]);
        for said in [variable, flag, misplaced, in_file, unquoted] {
            assert!(!said.contains("canary"), "{address}: {said}");
        }
    }
}

#[test]
fn settings_errors_are_reported_together() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let flags = [
        "--listen",
        &listen,
        "--s3-endpoint",
        "http://127.0.0.1:1",
        "--public-url",
        "nonsense",
        "--token-minutes",
        "900",
        "--webhook-allow",
        "10.0.0.1",
        "--mail-from",
        "nobody",
    ];
    let said = start_refused(folder.path(), &[], &flags);
    for mistake in [
        "--s3-endpoint requires --s3-bucket",
        "--public-url",
        "--token-minutes",
        "--webhook-allow",
        "--mail-from",
    ] {
        assert!(said.contains(mistake), "{mistake}: {said}");
    }
    assert!(!said.contains("cannot listen"), "{said}");
    assert!(!folder.path().join("linchpin-data").exists(), "no data folder is created");
}
