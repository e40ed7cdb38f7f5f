//! The command line of the binary, against a running service.

use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::net::TcpListener;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::test_support::Backend;
use link_store::{Store, StoreError, StoreSettings};
use link_test_support::wait;
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

/// Runs a command with `--json` and returns its output.
fn json(service: &Linchpin, arguments: &[&str]) -> Value {
    let output = linchpin(service, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Runs a command and returns its text output.
fn words(service: &Linchpin, arguments: &[&str]) -> String {
    let output = linchpin(service, arguments);
    assert!(output.status.success(), "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that must fail and returns its stderr.
fn refusal(service: &Linchpin, arguments: &[&str]) -> String {
    let output = linchpin(service, arguments);
    assert!(!output.status.success(), "{arguments:?} {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

/// Sends a request with a key and secret and returns the status.
fn status_with(service: &Linchpin, key: &str, secret: &str) -> u16 {
    let (host, path) = service.client().address("/users");
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let basic = format!("Basic {}", STANDARD.encode(format!("{key}:{secret}")));
    let response = agent.get(format!("http://{host}{path}")).header("authorization", basic).call().unwrap();
    response.status().as_u16()
}

#[test]
fn commands_administer_a_running_service() {
    let service = Linchpin::start(Backend::Sqlite);
    let templates = json(&service, &["template", "list", "--tenant", "demo"]);
    let id = text(&templates[0]["id"]);
    let allowed = json(&service, &["template", "allow", &id, "https://app.example.com"]);
    assert_eq!(allowed["allowedOrigins"][0], "https://app.example.com");
    assert!(
        refusal(&service, &["template", "allow", &id, "https://*.example.com"])
            .contains("without a wildcard")
    );
    let emptied = json(&service, &["template", "allow", &id, "--none"]);
    assert_eq!(emptied["allowedOrigins"], serde_json::json!([]));
    assert!(
        refusal(&service, &["template", "allow", &id]).contains("<ORIGINS>"),
        "an empty list needs --none"
    );
    let shown = json(&service, &["template", "show", &id]);
    for nothing_yet in ["refusedOrigins", "exitPoints", "traps", "notFound"] {
        assert_eq!(shown[nothing_yet], serde_json::json!([]), "{nothing_yet}");
    }
    let tenant = json(&service, &["tenant", "create", "acme", "--name", "Acme"]);
    assert!(text(&tenant["sandbox"]["apiSecret"]).starts_with("lps_"));
    assert_eq!(json(&service, &["webhook", "list", "--tenant", "acme"]), serde_json::json!([]));
    let listed = words(&service, &["tenant", "list"]);
    assert_eq!(
        listed.lines().next().unwrap().split_whitespace().collect::<Vec<_>>(),
        ["ID", "NAME", "CREATED", "STATE", "SINCE"]
    );
    assert!(listed.lines().nth(1).unwrap().starts_with("acme  Acme"), "{listed}");
}

#[test]
fn key_rotation_keeps_old_secret_valid_until_ended() {
    let service = Linchpin::start(Backend::Sqlite);
    let key = json(&service, &["key", "create", "--tenant", "demo"]);
    let (name, first) = (text(&key["apiKey"]), text(&key["apiSecret"]));
    assert_eq!(status_with(&service, &name, &first), 200);
    let second = text(&json(&service, &["key", "rotate", &name])["apiSecret"]);
    assert_eq!([&first, &second].map(|it| status_with(&service, &name, it)), [200, 200]);
    let lost = second;
    assert!(refusal(&service, &["key", "rotate", &name]).contains("--again"));
    assert_eq!([&first, &lost].map(|it| status_with(&service, &name, it)), [200, 200]);
    let second = text(&json(&service, &["key", "rotate", &name, "--again"])["apiSecret"]);
    assert_eq!([&first, &lost, &second].map(|it| status_with(&service, &name, it)), [200, 401, 200]);
    let ended = json(&service, &["key", "rotate", &text(&key["id"]), "--end"]);
    assert_eq!(ended["state"], "ACTIVE");
    assert_eq!([&first, &second].map(|it| status_with(&service, &name, it)), [401, 200]);
    assert_eq!(json(&service, &["key", "revoke", &text(&key["id"])])["state"], "REVOKED");
    assert_eq!(status_with(&service, &name, &second), 401);
    assert_eq!(status_with(&service, &name, "lps_nothing"), 401);
    let listed = json(&service, &["key", "list", "--tenant", "demo"]);
    let states: Vec<_> = listed.as_array().unwrap().iter().map(|it| text(&it["state"])).collect();
    assert_eq!(states, ["ACTIVE", "REVOKED"]);
    assert!(!listed.to_string().contains("lps_") && !listed.to_string().contains(&name));
}

#[test]
fn commands_manage_webhooks() {
    let service = Linchpin::start(Backend::Sqlite);
    let (url, received) = receiver();
    let demo = ["--tenant", "demo"];
    let made =
        json(&service, &[&["webhook", "create", &url, "--events", "USER_CREATED"], &demo[..]].concat());
    assert!(text(&made["secret"]).starts_with("lpw_"), "a generated secret is shown once");
    let id = text(&made["id"]);
    let of = |command: &str| json(&service, &[&["webhook", command, &id], &demo[..]].concat());
    assert_eq!(of("ping")["accepted"], true);
    assert!(received.recv().unwrap().contains("\"type\":\"PING\""));
    assert!(text(&of("rotate")["secret"]).starts_with("lpw_"));
    assert_eq!(of("confirm")["rotationEndsAt"], Value::Null);
    let listed = json(&service, &["webhook", "list", "--tenant", "demo"]);
    assert!(!listed.to_string().contains("lpw_"), "{listed}");

    let fired = json(&service, &["fire", "USER_CREATED", "--tenant", "demo"]);
    assert!(received.recv().unwrap().contains(&text(&fired["id"])));
    let again =
        json(&service, &["webhook", "recover", &id, "--since", "2026-01-01T00:00:00Z", "--tenant", "demo"]);
    assert_eq!(again["since"], made["createdAt"], "recovery starts at the webhook's creation");
    wait::blocking::until_ok("the last delivery succeeds", || match of("deliveries")[0]["status"].clone() {
        status if status == "DELIVERED" => Ok(()),
        other => Err(other),
    });
    assert_eq!(of("delete")["deleted"], true);
    let made = json(&service, &[&["webhook", "create", "http://127.0.0.1:1/"], &demo[..]].concat());
    let unheard = refusal(&service, &[&["webhook", "ping", &text(&made["id"])], &demo[..]].concat());
    assert!(unheard.contains("did not accept the ping"), "{unheard}");
    let gone = refusal(&service, &[&["webhook", "ping", &id], &demo[..]].concat());
    assert!(gone.contains("linchpin webhook list"), "{gone}");
}

#[test]
fn failed_commands_say_what_to_do() {
    let service = Linchpin::start(Backend::Sqlite);
    for (arguments, advice) in [
        (&["tenant", "create", "demo", "--name", "Demo"][..], "Choose another id"),
        (&["tenant", "create", "acme", "--name", " "][..], "1 to 200 characters"),
        (&["tenant", "create", "Not An Id", "--name", "N"][..], "lower-case letters"),
        (&["key", "create", "--tenant", "nobody"][..], "linchpin tenant list"),
        (&["key", "revoke", "lpk_nothing"][..], "linchpin key list"),
        (&["webhook", "list", "--tenant", "nobody"][..], "linchpin tenant create nobody"),
        (&["webhook", "create", "ftp://example.com", "--tenant", "demo"][..], "must begin with https://"),
        (&["webhook", "create", "http://10.0.0.1/", "--tenant", "demo"][..], "--webhook-allow 127.0.0.0/8"),
        (&["webhook", "create", "http://127.0.0.1/", "--tenant", "demo", "--events", "X"][..], "--events"),
        (&["webhook", "create", "http://127.0.0.1/", "--tenant", "demo", "--events", "X"][..], "ALL_EVENTS"),
        (&["fire", "NOTHING", "--tenant", "demo"][..], "TASK_FINISHED"),
        (&["listen", "--tenant", "demo", "--events", "X", "--forward-to", "nowhere"][..], "TASK_FINISHED"),
        (&["listen", "--tenant", "demo", "--forward-to", "nowhere"][..], "is not an http or https URL"),
        (&["template", "show", "lt-0192f0c1a2b37c4d8e5f60718293a4b5"][..], "linchpin template list"),
    ] {
        let said = refusal(&service, arguments);
        assert!(said.contains(advice), "{arguments:?}: {said}");
    }
}

#[test]
fn listen_forwards_tenant_events_to_a_local_port() {
    let service = Linchpin::start(Backend::Sqlite);
    let (url, received) = receiver();
    let (mut listen, mut lines) = listen(&service, &url, &[]);
    assert!(lines.next().unwrap().unwrap().contains("Forwarding"));
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(text(&json(&service, &["fire", "TASK_FINISHED", "--tenant", "demo"])["id"]));
    }
    for id in &ids {
        let request = received.recv_timeout(Duration::from_secs(60)).unwrap();
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        assert!(body.contains(id.as_str()), "in order, each once: {body}");
        let signature = link_domain::notifications::webhook::service_signature(
            &link_types::Sensitive::new("the developer's"),
            body.as_bytes(),
        );
        assert!(head.contains(&signature), "{head}");
    }
    // A request within the next second would be a duplicate event.
    assert!(received.recv_timeout(Duration::from_secs(1)).is_err());
    listen.kill().unwrap();
    listen.wait().unwrap();
}

#[test]
fn listen_json_prints_one_line_per_event() {
    let service = Linchpin::start(Backend::Sqlite);
    let (url, _received) = receiver();
    let (mut listen, lines) = listen(&service, &url, &["--json"]);
    let mut printed = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let begun = serde_json::json!({
        "tenant": "demo", "mode": "SANDBOX", "forwardTo": url, "secret": "the developer's"
    });
    assert_eq!(printed.next().unwrap(), begun);
    let fired = json(&service, &["fire", "TASK_FINISHED", "--tenant", "demo"]);
    let forwarded = printed.next().unwrap();
    assert_eq!([&forwarded["id"], &forwarded["createdAt"]], [&fired["id"], &fired["createdAt"]]);
    assert_eq!(
        [&forwarded["type"], &forwarded["status"]],
        [&Value::from("TASK_FINISHED"), &Value::from(204)]
    );
    assert_eq!(forwarded.get("error"), None);
    listen.kill().unwrap();
    listen.wait().unwrap();
}

/// Starts `linchpin listen` and returns the lines that it prints.
fn listen(service: &Linchpin, url: &str, more: &[&str]) -> (Child, Lines<BufReader<ChildStdout>>) {
    let mut listen = Command::new(env!("CARGO_BIN_EXE_linchpin"))
        .args(["listen", "--tenant", "demo", "--forward-to", url, "--secret", "the developer's"])
        .args(more)
        .arg("--data-dir")
        .arg(service.data_dir())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(listen.stdout.take().unwrap()).lines();
    (listen, lines)
}

#[test]
fn ephemeral_service_leaves_nothing_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut child = Command::new(env!("CARGO_BIN_EXE_linchpin"))
        .args(["serve", "--ephemeral", "--log", "warn", "--listen", &format!("127.0.0.1:{port}")])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut logged = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(logged.next().unwrap().unwrap().starts_with("linchpin: http://"));
    // The pipe must be drained, or a later line would block the process.
    std::thread::spawn(move || logged.for_each(drop));
    let mut printed = BufReader::new(child.stdout.take().unwrap()).lines();
    let keys: Value = serde_json::from_str(&printed.next().unwrap().unwrap()).unwrap();
    let basic = format!("{}:{}", text(&keys["sandbox"]["apiKey"]), text(&keys["sandbox"]["apiSecret"]));
    let users = format!("{}/users", text(&keys["sandbox"]["baseUrl"]));
    let response = ureq::post(users)
        .header("authorization", format!("Basic {}", STANDARD.encode(basic)))
        .header("content-type", "application/json")
        .send("{}")
        .unwrap();
    assert_eq!(response.status().as_u16(), 201);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(printed.next().is_none(), "stdout has only the keys");
    let both = Command::new(env!("CARGO_BIN_EXE_linchpin"))
        .args(["serve", "--ephemeral", "--data-dir", "somewhere"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&both.stderr).contains("cannot be used with --data-dir"), "{both:?}");
}

/// Starts a receiver that answers with 204; returns its URL and the requests that it receives.
fn receiver() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let (sender, received) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = Vec::new();
            let mut piece = [0; 4096];
            loop {
                let read = stream.read(&mut piece).unwrap();
                request.extend_from_slice(&piece[..read]);
                if read == 0 || is_whole(&request) {
                    break;
                }
            }
            stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").unwrap();
            if sender.send(String::from_utf8(request).unwrap()).is_err() {
                return;
            }
        }
    });
    (url, received)
}

/// Returns true if a request has arrived with its whole body.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:").map(str::to_owned));
    length.is_some_and(|length| body.len() >= length.trim().parse::<usize>().unwrap())
}

#[test]
fn first_keys_are_private_and_created_once() {
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
fn second_process_is_rejected_and_shutdown_is_graceful() {
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

#[test]
fn failed_start_names_the_path_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("file"), "").unwrap();
    let long = format!("{}/{}", at("long"), "a".repeat(120));
    Command::new("mkdir").args(["--mode", "700", &at("broken")]).status().unwrap();
    std::fs::write(at("broken/linchpin.db"), "not a database, despite the name".repeat(99)).unwrap();
    for (flag, value, named, advice) in [
        ("--data-dir", at("file"), at("file"), "with --data-dir"),
        ("--files-dir", at("file/below"), at("file/below"), "with --files-dir"),
        ("--data-dir", long.clone(), format!("{long}/admin.sock"), "Choose a shorter folder with --data-dir"),
        ("--data-dir", at("broken"), at("broken/linchpin.db"), "replace it with a backup"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linchpin"));
        command.args(["serve", "--listen", "127.0.0.1:0", flag, &value]).current_dir(folder.path());
        let ended = command.output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(!ended.status.success() && said.contains(&named) && said.contains(advice), "{value}: {said}");
    }
}

#[test]
fn closed_stdout_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linchpin"))
        .arg("openapi")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The output is larger than a pipe's buffer.
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_jump_is_shown_and_confirmed_by_commands() {
    let mut service = Linchpin::start(Backend::Sqlite);
    assert_eq!(json(&service, &["retention", "show"])["paused"], false);
    service.terminate();
    let store = Store::open(StoreSettings::in_folder(service.data_dir())).await.unwrap();
    let moved: Result<(), StoreError> = store
        .write(|tx| {
            let seen = tx.retention_clock().last_reading()?.unwrap();
            tx.retention_clock().record(seen - Duration::from_secs(100 * 86_400))
        })
        .await;
    moved.unwrap();
    store.close().await;
    service.restart();
    assert_eq!(json(&service, &["retention", "show"])["paused"], true);
    let shown = words(&service, &["retention", "show"]);
    assert!(shown.contains("linchpin retention confirm"), "{shown}");
    assert_eq!(json(&service, &["retention", "confirm"])["confirmed"], true);
    assert_eq!(json(&service, &["retention", "show"])["paused"], false);
    assert_eq!(json(&service, &["retention", "confirm"])["confirmed"], false);
}
