//! Rotation of the master key under kills, by the command line and with a program that wraps the key.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use link_store::StoreSettings;
use link_store::test_support::Backend;
use rstest::rstest;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use crate::kills::random;
use crate::process::{Client, Linchpin, text};

/// The number of kills.
const KILLS: u32 = 12;
/// A KMS for tests: it wraps a key by writing its digits backwards, and refuses if its folder has a file `refuse`.
const KMS: &str = "#!/bin/sh\n[ -e ${0%/*}/refuse ] && { echo AccessDenied: no grant >&2; exit 3; }\n\
                   case $1 in wrap) printf wrapped-; rev;; unwrap) sed s/^wrapped-// | rev;; esac\n";

/// Returns the command line of `linchpin master-key` for the service's database.
fn master_key(service: &Linchpin, action: &str, flags: &[&str]) -> Command {
    let mut line = Command::new(env!("CARGO_BIN_EXE_linchpin"));
    line.args(["master-key", action, "--json", "--data-dir"]).arg(service.data_dir()).args(flags);
    if let StoreSettings::Postgres { address, .. } = service.database().settings() {
        line.env("LINCHPIN_DATABASE_URL", address.expose_secret());
    }
    line.stdout(Stdio::piped()).stderr(Stdio::piped());
    line
}

fn parse(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn make_user(client: &Client) -> String {
    let (status, user) = client.post("/users", &json!({})).unwrap();
    assert_eq!(status, 201, "{user}");
    text(&user["id"])
}

fn assert_readable(client: &Client, users: &[String]) {
    for user in users {
        assert_eq!(client.get(&format!("/users/{user}")).unwrap().0, 200, "{user}");
    }
}

#[rstest]
fn rotation_killed_at_any_time_loses_nothing(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let rounds: u32 = std::env::var("LINCHPIN_FAULT_ROUNDS").map_or(1, |it| it.parse().unwrap());
    let mut service = Linchpin::start(backend);
    let client = service.client();
    let mut users = vec![make_user(&client)];
    for _ in 0..KILLS * rounds {
        let mut rotation = master_key(&service, "rotate", &[]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(random(0, 40)));
        service.kill();
        rotation.wait().unwrap();
        // Without a service, the command rotates the key itself, and is killed too.
        let mut rotation = master_key(&service, "rotate", &[]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(random(0, 60)));
        rotation.kill().unwrap();
        rotation.wait().unwrap();
        service.restart();
        assert_readable(&client, &users);
        users.push(make_user(&client));
    }
    for entry in std::fs::read_dir(service.data_dir()).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(!name.starts_with(".master-"), "{name} holds a key");
    }
    let rotated = parse(&master_key(&service, "rotate", &[]).output().unwrap());
    let listed = parse(&master_key(&service, "list", &[]).output().unwrap());
    assert_eq!((&listed[0]["id"], &listed[0]["state"]), (&rotated["new"], &json!("CURRENT")));
    assert!(listed.as_array().unwrap()[1..].iter().all(|it| it["state"] == "REPLACED"), "{listed}");
    // Without any other key, the service starts and reads everything.
    let new = format!("master-{}.key", text(&rotated["new"]));
    for entry in std::fs::read_dir(service.data_dir()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("master-") && name != new {
            std::fs::remove_file(path).unwrap();
        }
    }
    service.kill();
    service.restart();
    assert_readable(&client, &users);
    let kills = 2 * KILLS * rounds;
    eprintln!(
        "faults: {kills} kills of rotations, {} keys, {backend:?}: 0 lost",
        listed.as_array().unwrap().len()
    );
}

/// Writes the program of a KMS, and returns its folder.
fn write_kms() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let draft = folder.path().join("draft");
    std::fs::write(&draft, KMS).unwrap();
    std::fs::set_permissions(&draft, std::fs::Permissions::from_mode(0o700)).unwrap();
    std::fs::rename(draft, folder.path().join("kms")).unwrap();
    folder
}

fn is_wrapped(service: &Linchpin) -> bool {
    std::fs::read(service.data_dir().join("master.key")).unwrap().starts_with(b"wrapped-")
}

fn doctor(service: &Linchpin) -> Value {
    let mut line = Command::new(env!("CARGO_BIN_EXE_linchpin"));
    let output = line.args(["doctor", "--json", "--data-dir"]).arg(service.data_dir()).output().unwrap();
    let lines: Value = serde_json::from_slice(&output.stdout).unwrap();
    lines.as_array().unwrap().iter().find(|it| it["check"] == "keys").unwrap().clone()
}

fn serve_output(service: &Linchpin) -> String {
    let output = service.command().stdin(Stdio::null()).output().unwrap();
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn program_wraps_the_master_key() {
    let kms = write_kms();
    let program = kms.path().join("kms").display().to_string();
    let mut service = Linchpin::start_with(Backend::Sqlite, &["--master-key-command", &program]);
    let client = service.client();
    let users = [make_user(&client)];
    assert!(is_wrapped(&service), "the first key is wrapped");
    let rotated = parse(&master_key(&service, "rotate", &[]).output().unwrap());
    assert_eq!(rotated["stored"], format!("wrapped by {program}"));
    assert!(is_wrapped(&service));
    let check = doctor(&service);
    assert_eq!(check["result"], "OK");
    assert!(text(&check["subject"]).ends_with("0 days old"), "{check}");
    // A grant that was revoked is seen at once, and that it is back too.
    std::fs::write(kms.path().join("refuse"), "").unwrap();
    assert_eq!(doctor(&service)["result"], "FAULT");
    std::fs::remove_file(kms.path().join("refuse")).unwrap();
    assert_eq!(doctor(&service)["result"], "OK");
    service.kill();

    // The program refuses: no start, with its words, and the command does not rotate.
    std::fs::write(kms.path().join("refuse"), "").unwrap();
    let said = serve_output(&service);
    assert!(said.contains("AccessDenied: no grant") && said.contains(&program), "{said}");
    let flags = ["--master-key-command", program.as_str()];
    let refused = master_key(&service, "rotate", &flags).output().unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("AccessDenied"), "{refused:?}");
    std::fs::remove_file(kms.path().join("refuse")).unwrap();
    service.restart();
    assert_readable(&client, &users);
}

#[test]
fn plain_master_key_moves_to_a_program() {
    let kms = write_kms();
    let mut service = Linchpin::start(Backend::Sqlite);
    let client = service.client();
    let users = [make_user(&client)];
    let flags = ["--master-key-command", &kms.path().join("kms").display().to_string()];
    // The service would write the new key in clear.
    let refused = master_key(&service, "rotate", &flags).output().unwrap();
    assert!(
        !refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("in clear"),
        "{refused:?}"
    );
    let listed = parse(&master_key(&service, "list", &[]).output().unwrap());
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    service.kill();
    let rotated = parse(&master_key(&service, "rotate", &flags).output().unwrap());
    assert!(is_wrapped(&service));
    std::fs::remove_file(Path::new(rotated["oldFile"].as_str().unwrap())).unwrap();
    // Without the program, the file is not a key.
    let said = serve_output(&service);
    assert!(said.contains("--master-key-command"), "{said}");
    let (port_flags, data) = (flags, service.data_dir());
    let mut serve = service.command();
    let mut child = serve.args(port_flags).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    link_test_support::wait::blocking::until("the service responds", || client.get("/users").is_some());
    assert_readable(&client, &users);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(data.join("master.key").exists());
}
