//! `linchpin check` before a start, and `linchpin doctor` for a running service.

use std::path::Path;
use std::process::{Command, Output};

use link_store::test_support::pooler::{PoolMode, Pooler};
use link_store::test_support::{Backend, TestDatabase};
use serde_json::{Value, json};

use crate::console::audit::Socket;
use crate::process::free_port;
use crate::service::TestService;

/// Runs `linchpin check --json` with an empty data folder and further arguments. Returns the exit code and the lines.
fn check(folder: &Path, arguments: &[&str]) -> (Option<i32>, Vec<Value>) {
    let port = free_port();
    let Output { status, stdout, .. } = Command::new(env!("CARGO_BIN_EXE_linchpin"))
        .args(["check", "--json", "--document-sandbox", "best-effort", "--data-dir"])
        .arg(folder.join("data"))
        .args(["--listen", &format!("127.0.0.1:{port}")])
        .args(arguments)
        .output()
        .unwrap();
    let lines =
        serde_json::from_slice(&stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&stdout)));
    (status.code(), lines)
}

fn line<'a>(lines: &'a [Value], check: &str) -> &'a Value {
    lines.iter().find(|it| it["check"] == check).unwrap_or_else(|| panic!("{check} is not in {lines:?}"))
}

#[test]
fn check_of_a_new_service_finds_no_fault_and_creates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (status, lines) = check(folder.path(), &[]);
    let faults: Vec<_> = lines.iter().filter(|it| it["result"] == "FAULT").collect();
    assert_eq!((status, faults), (Some(0), Vec::new()));
    assert_eq!(line(&lines, "publicUrl")["result"], "OK", "the check itself responds at the public URL");
    assert_eq!(line(&lines, "keys")["result"], "SKIPPED");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the check created a file");
}

#[test]
fn check_lists_what_production_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let connector = "name=portal,environment=production,url=http://127.0.0.1:1,providers=a,records=SOCIAL_SECURITY,secret=of-32-bytes-or-more-0123456789ab";
    let missing = |arguments: &[&str]| -> Vec<String> {
        let (status, lines) = check(folder.path(), arguments);
        assert_eq!(status, Some(0), "{lines:?}");
        let missing = lines.iter().filter(|it| it["result"] == "MISSING");
        missing.map(|it| it["subject"].as_str().unwrap().to_owned()).collect()
    };
    let all = missing(&[]);
    for what in ["providers", "mail server", "SOCIAL_SECURITY", "INCOME_ESTIMATOR"] {
        assert!(all.contains(&what.to_owned()), "{what} is not in {all:?}");
    }
    let rest: Vec<_> = missing(&["--connector", connector]);
    let served = all.iter().filter(|it| !rest.contains(it));
    assert_eq!(served.collect::<Vec<_>>(), ["providers", "SOCIAL_SECURITY"]);
}

#[test]
fn check_of_a_folder_in_use_leads_to_the_doctor() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    let lock = std::fs::File::create(folder.path().join("data/linchpin.lock")).unwrap();
    lock.lock().unwrap();
    let (_, lines) = check(folder.path(), &[]);
    let found = line(&lines, "database");
    assert_eq!(found["result"], "SKIPPED", "{found}");
    assert!(found["cause"].as_str().unwrap().contains("linchpin doctor"), "{found}");
}

#[test]
fn check_names_every_fault_with_its_code_and_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "--public-url",
        "http://127.0.0.1:1",
        "--smtp-url",
        "smtp://user:canary@127.0.0.1:1",
        "--database-url",
        "host=127.0.0.1 port=1 user=u password=canary",
    ];
    let (status, lines) = check(folder.path(), &arguments);
    assert_eq!(status, Some(1));
    for (name, code) in [("publicUrl", "ECONNREFUSED"), ("mail", "Unreachable"), ("database", "Unreachable")]
    {
        let found = line(&lines, name);
        assert_eq!((&found["result"], &found["code"]), (&json!("FAULT"), &json!(code)), "{found}");
        assert_ne!(found["remedy"], "", "{found}");
    }
    assert!(!format!("{lines:?}").contains("canary"), "{lines:?}");
}

#[test]
fn check_of_wrong_settings_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (status, lines) = check(folder.path(), &["--public-url", "not-a-url"]);
    assert_eq!(status, Some(1));
    assert_eq!(
        (lines.len(), &lines[0]["check"], &lines[0]["result"]),
        (1, &json!("settings"), &json!("FAULT"))
    );
}

#[test]
fn check_looks_at_postgresql_without_changing_it() {
    let database = TestDatabase::new(Backend::Postgres);
    let pooler = Pooler::start(&database, PoolMode::Transaction);
    let (socket, name) = database.socket();
    let folder = tempfile::tempdir().unwrap();
    let direct = format!("host={} user=linchpin dbname={name}", socket.parent().unwrap().display());
    for _ in 0..2 {
        let (status, lines) = check(folder.path(), &["--database-url", &direct]);
        assert_eq!(status, Some(0), "{lines:?}");
        assert_eq!(
            (&line(&lines, "database")["result"], &line(&lines, "clock")["result"]),
            (&json!("OK"), &json!("OK"))
        );
    }
    let (status, lines) = check(folder.path(), &["--database-url", &pooler.address()]);
    let refused = line(&lines, "database");
    assert_eq!((status, &refused["code"]), (Some(1), &json!("Address")), "{refused}");
    assert!(refused["cause"].as_str().unwrap().contains("pool_mode = session"), "{refused}");
}

#[tokio::test]
async fn doctor_examines_the_running_service() {
    let service = TestService::start(Backend::Sqlite).await;
    let socket = Socket::listen(&service);
    let response = socket.ask(json!({"examine": {}})).await;
    let lines = response["done"].as_array().unwrap();
    for name in ["database", "files", "temporaryFolder", "clock"] {
        assert_eq!(line(lines, name)["result"], "OK", "{lines:?}");
    }
    assert_eq!(line(lines, "mail")["result"], "SKIPPED");
    assert_eq!(line(lines, "production")["result"], "MISSING");
    // This service has no listener.
    assert_eq!(line(lines, "publicUrl")["result"], "FAULT");
}
