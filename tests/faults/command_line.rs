//! The binary's command line, against a running service.

use std::process::{Command, Output};

use link_store::test_support::Backend;
use serde_json::Value;

use crate::process::{Linchpin, text};

fn linchpin(service: &Linchpin, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linchpin"))
        .args(arguments)
        .arg("--data-dir")
        .arg(service.data_dir())
        .output()
        .unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_command_line_administers_a_running_service() {
    let service = Linchpin::start(Backend::Sqlite);
    let templates = json(&linchpin(&service, &["template", "list", "--tenant", "demo"]));
    let id = text(&templates[0]["id"]);
    let allowed = json(&linchpin(&service, &["template", "allow", &id, "https://app.example.com"]));
    assert_eq!(allowed["allowedOrigins"][0], "https://app.example.com");
    let wildcard = linchpin(&service, &["template", "allow", &id, "https://*.example.com"]);
    assert!(String::from_utf8_lossy(&wildcard.stderr).contains("is no origin"));
    let shown = json(&linchpin(&service, &["template", "show", &id]));
    for nothing_yet in ["refusedOrigins", "exitPoints", "traps", "notFound"] {
        assert_eq!(shown[nothing_yet], serde_json::json!([]), "{nothing_yet}");
    }

    let tenant = json(&linchpin(&service, &["tenant", "create", "acme", "--name", "Acme"]));
    assert!(text(&tenant["sandbox"]["apiSecret"]).starts_with("lps_"));
    let twice = linchpin(&service, &["tenant", "create", "acme", "--name", "Acme"]);
    assert!(String::from_utf8_lossy(&twice.stderr).contains("already"));
    let key = json(&linchpin(&service, &["key", "create", "--tenant", "acme"]));
    let revoked = json(&linchpin(&service, &["key", "revoke", &text(&key["apiKey"])]));
    assert_eq!(revoked["revoked"], true);
    assert_eq!(json(&linchpin(&service, &["webhook", "list", "--tenant", "acme"])), serde_json::json!([]));
}

#[test]
fn keys_are_readable_by_their_owner_alone_and_made_once() {
    use std::os::unix::fs::PermissionsExt;
    let mut service = Linchpin::start(Backend::Sqlite);
    let path = service.data_dir().join("first-keys.json");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::metadata(service.data_dir()).unwrap().permissions().mode() & 0o777, 0o700);
    let first = std::fs::read(&path).unwrap();
    service.kill();
    service.restart();
    assert_eq!(std::fs::read(&path).unwrap(), first);
    assert_eq!(service.client().get("/users").unwrap().0, 200);
}

#[test]
fn a_stop_is_graceful_and_a_second_process_is_refused_in_words() {
    let mut service = Linchpin::start(Backend::Sqlite);
    let busy = service.command().output().unwrap();
    assert!(!busy.status.success());
    assert!(String::from_utf8_lossy(&busy.stderr).contains("cannot listen on"), "{busy:?}");
    let second = Command::new(env!("CARGO_BIN_EXE_linchpin"))
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(service.data_dir())
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&second.stderr).contains("is in use by another process"), "{second:?}");
    assert!(service.terminate().success());
    assert!(!service.data_dir().join("admin.sock").exists());
    let alone = linchpin(&service, &["tenant", "list"]);
    assert!(String::from_utf8_lossy(&alone.stderr).contains("Start `linchpin serve`"), "{alone:?}");
}
