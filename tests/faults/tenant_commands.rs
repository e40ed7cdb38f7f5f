//! The commands of a tenant over REST: the binary, a real service, and both interrupted.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use link_store::test_support::Backend;
use link_test_support::wait::{self, TIMEOUT};
use rstest::rstest;
use serde_json::{Value, json};

use crate::process::{Linchpin, text};
use crate::tenant_machine::{Machine, fail, read_lines, receiver};

#[rstest]
fn listen_misses_and_repeats_no_event_across_restarts(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let mut service = Linchpin::start(backend);
    let machine = Machine::new(&service);
    machine.fire();
    let listening = machine.listen(&[]);
    let mut fired = vec![machine.fire(), machine.fire()];
    let mut heard = vec![listening.event(), listening.event()];

    service.kill();
    let said = listening.errors.recv_timeout(TIMEOUT).unwrap();
    assert!(said.contains("does not respond") && said.contains("Trying until it does"), "{said}");
    service.restart();
    fired.extend((0..3).map(|_| machine.fire()));
    heard.extend(listening.events_until(&fired[4]));
    let said: Vec<_> = listening.errors.try_iter().collect();
    assert!(said.len() <= 1, "an outage is reported once: {said:?}");

    machine.wait_until_stored(&service.client());
    drop(listening);
    fired.extend((0..3).map(|_| machine.fire()));
    service.terminate();
    service.restart();
    let listening = machine.listen(&[]);
    heard.extend(listening.events_until(&fired[7]));
    machine.wait_until_stored(&service.client());
    drop(listening);
    let listening = machine.listen(&[]);
    fired.push(machine.fire());
    heard.push(listening.event());
    assert_eq!(heard, fired, "each event once and in order, and none from before the first `listen`");
}

#[test]
fn listen_forwards_events_that_verify_like_a_webhook() {
    let service = Linchpin::start(Backend::Sqlite);
    let machine = Machine::new(&service);
    let (url, received) = receiver();
    let mut command = machine.command(&["listen", "--forward-to", &url, "--events", "TASK_FINISHED"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let lines = read_lines(child.stdout.take().unwrap());
    let line = || lines.recv_timeout(TIMEOUT).unwrap();
    assert_eq!(line(), format!("Forwarding events of {} to {url}", machine.url));
    let secret = line().strip_prefix("Signing key: ").unwrap().to_owned();
    machine.json(&["fire", "USER_CREATED"]);
    let id = machine.fire();
    let (head, body) = received.recv_timeout(TIMEOUT).unwrap();
    assert!(body.contains(&id), "only the selected type: {body}");
    let signature = link_domain::notifications::webhook::service_signature(
        &link_types::Sensitive::new(&*secret),
        body.as_bytes(),
    );
    assert!(head.contains(&signature), "{head}");
    let line = line();
    assert!(line.contains(&format!("TASK_FINISHED  {id}  -> 204 (")) && line.ends_with(" ms)"), "{line}");
    child.kill().unwrap();
    child.wait().unwrap();
    let again = machine.listen(&["--forward-to", &url]);
    drop(again);
    let stored = machine.read_position();
    assert!(stored.contains(&secret), "the signing key stays the same: {stored}");
}

#[test]
fn second_listen_with_the_same_position_is_refused() {
    let service = Linchpin::start(Backend::Sqlite);
    let machine = Machine::new(&service);
    let first = machine.listen(&[]);
    let (code, said) = fail(&mut machine.command(&["listen"]));
    assert_eq!(code, 2);
    assert!(said.contains("--name NAME"), "{said}");
    let second = machine.listen(&["--name", "second"]);
    let fired = machine.fire();
    assert_eq!([first.event(), second.event()], [fired.clone(), fired]);
}

#[test]
fn listen_since_a_time_begins_there() {
    let service = Linchpin::start(Backend::Sqlite);
    let machine = Machine::new(&service);
    let fired = [machine.fire(), machine.fire()];
    let listening = machine.listen(&["--since", "2020-01-01T00:00:00Z"]);
    assert_eq!([listening.event(), listening.event()], fired);
    drop(listening);
    machine.fire();
    let listening = machine.listen(&["--since", "now"]);
    let last = machine.fire();
    assert_eq!(listening.event(), last);
}

#[test]
fn position_that_the_service_does_not_know_is_explained() {
    let service = Linchpin::start(Backend::Sqlite);
    let machine = Machine::new(&service);
    drop(machine.listen(&[]));
    let mut position: Value = serde_json::from_str(&machine.read_position()).unwrap();
    position["start"]["cursor"] = "bm90aGluZw".into();
    machine.write_position(&position.to_string());
    let (code, said) = fail(machine.command(&["listen", "--json"]).stdout(Stdio::null()));
    assert!(code == 1 && said.contains("--since now"), "{code} {said}");
    machine.write_position("{");
    let (code, said) = fail(&mut machine.command(&["listen"]));
    assert!(code == 2 && said.contains("is damaged. Delete it"), "{code} {said}");
}

#[test]
fn listen_ends_if_its_key_is_revoked() {
    let service = Linchpin::start(Backend::Sqlite);
    let machine = Machine::new(&service);
    let mut listening = machine.listen(&[]);
    let (key, _) = machine.key.split_once(':').unwrap();
    let revoke = ["key", "revoke", key, "--data-dir"];
    let revoked = Command::new(env!("CARGO_BIN_EXE_linchpin")).args(revoke).arg(service.data_dir()).output();
    assert!(revoked.unwrap().status.success());
    let status = wait::blocking::until_some("the command ends", || listening.child.try_wait().unwrap());
    assert_eq!(status.code(), Some(3));
    let said = listening.errors.recv_timeout(TIMEOUT).unwrap();
    assert!(said.contains("does not accept the API key"), "{said}");
}

#[test]
fn login_stores_a_key_that_only_its_user_can_read() {
    let service = Linchpin::start(Backend::Sqlite);
    let machine = Machine::new(&service);
    let origin = machine.url.strip_suffix("/sandbox/v1").unwrap();
    let mut login = machine.bare_command(&["login", "--url", origin, "--api-key", "-"]);
    let mut login =
        login.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    login.stdin.take().unwrap().write_all(machine.key.as_bytes()).unwrap();
    let ended = login.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stdout).unwrap() + &String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success() && said.contains(&machine.url), "{said}");
    assert!(!said.contains("lps_"), "{said}");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let profile = machine.profile();
    assert_eq!([mode(&profile), mode(profile.parent().unwrap())], [0o600, 0o700]);

    let fire = ["fire", "USER_CREATED"];
    assert!(machine.bare_command(&fire).output().unwrap().status.success());
    std::fs::set_permissions(&profile, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (code, said) = fail(&mut machine.bare_command(&fire));
    assert!(code == 2 && said.contains("chmod 600"), "{code} {said}");
    std::fs::set_permissions(&profile, std::fs::Permissions::from_mode(0o600)).unwrap();
    let (code, said) = fail(&mut machine.bare_command(&["fire", "USER_CREATED", "--profile", "staging"]));
    assert!(code == 3 && said.contains("Stored profiles: default"), "{code} {said}");
    let logout = machine.bare_command(&["logout"]).output().unwrap();
    assert!(logout.status.success() && !profile.exists(), "{logout:?}");
    let (code, said) = fail(&mut machine.bare_command(&fire));
    assert!(
        code == 3 && said.contains("linchpin login") && said.contains("LINCHPIN_API_KEY"),
        "{code} {said}"
    );
}

#[test]
fn commands_work_in_the_sandbox_of_their_key() {
    let service = Linchpin::start(Backend::Sqlite);
    let machine = Machine::new(&service);
    let token = machine.json(&["token", "--reference", "customer-1"]);
    assert!(text(&token["accessToken"]).starts_with("lpt_"), "{token}");
    let user = text(&token["userId"]);
    let again = machine.json(&["token", "--user", &user]);
    assert_eq!(text(&again["userId"]), user);
    assert_ne!(again["accessToken"], token["accessToken"]);
    assert_eq!(text(&machine.json(&["fire", "USER_CREATED", "--user", &user])["data"]["userId"]), user);

    assert_eq!(machine.json(&["clock", "show"])["advance"], Value::Null);
    assert_eq!(machine.json(&["clock", "advance", "--days", "2"])["advance"]["status"], "STARTED");
    wait::blocking::until_ok("the advance ends", || {
        let status = machine.json(&["clock", "show"])["advance"]["status"].clone();
        if status == "FINISHED" { Ok(()) } else { Err(status) }
    });
    assert_eq!(machine.json(&["clock", "stop"])["advance"]["status"], "FINISHED");

    let (url, received) = receiver();
    let hook = json!({
        "name": "Hook", "url": url, "eventTypes": ["TASK_FINISHED"], "active": true, "secret": "a long secret of ours",
    });
    let (status, hook) = service.client().post("/webhooks", &hook).unwrap();
    assert_eq!(status, 201, "{hook}");
    let event = machine.fire();
    received.recv_timeout(TIMEOUT).unwrap();
    let delivery = wait::blocking::until_ok("the event is delivered", || {
        let listed = machine.json(&["deliveries", "--status", "DELIVERED"]);
        if listed[0]["eventId"] == event { Ok(listed[0].clone()) } else { Err(listed) }
    });
    assert_eq!([&delivery["response"], &delivery["webhookId"]], [&json!(204), &hook["id"]]);
    for id in [text(&delivery["id"]), event] {
        assert_eq!(machine.json(&["resend", &id])[0]["id"], delivery["id"]);
        let (_, body) = received.recv_timeout(TIMEOUT).unwrap();
        assert!(body.contains(&text(&delivery["eventId"])), "{body}");
    }
    let unknown = "dlv-0192f0c1a2b37c4d8e5f60718293a4b5";
    let (code, said) = fail(&mut machine.command(&["resend", unknown]));
    assert!(code == 1 && said.contains("linchpin deliveries"), "{code} {said}");
}

#[test]
fn rejected_commands_say_what_to_do_and_repeat_no_secret() {
    let service = Linchpin::start(Backend::Sqlite);
    let machine = Machine::new(&service);
    let (url, key) = (machine.url.as_str(), machine.key.as_str());
    let origin = url.strip_suffix("/sandbox/v1").unwrap();
    let (name, _) = key.split_once(':').unwrap();
    let wrong = format!("{name}:lps_canary");
    let closed = "http://127.0.0.1:1/sandbox/v1";
    let production = format!("{origin}/v1");
    let (elsewhere, https) =
        (format!("{origin}/elsewhere"), origin.replace("http:", "https:") + "/sandbox/v1");
    let fire = &["fire", "USER_CREATED"][..];
    for (arguments, url, key, code, advice) in [
        (fire, url, wrong.as_str(), 3, "does not accept the API key"),
        (fire, production.as_str(), key, 2, "works only in a sandbox"),
        (&["deliveries"][..], production.as_str(), key, 3, "/sandbox/v1 or /v1"),
        (fire, url, "canary", 3, "like lpk_…:lps_…"),
        (fire, url, "", 2, "LINCHPIN_API_KEY is not. Set both"),
        (fire, "", key, 2, "LINCHPIN_URL is not. Set both"),
        (fire, origin, key, 2, "Add /sandbox/v1"),
        (fire, "http://192.0.2.1/sandbox/v1", key, 2, "could read the API key"),
        (fire, "https://lpk_1:canary@127.0.0.1/v1", key, 2, "contains a user or password"),
        (fire, closed, key, 4, "does not respond: the connection was refused"),
        (fire, elsewhere.as_str(), key, 2, "not the address of an environment"),
        (fire, https.as_str(), key, 4, "begin the address with http://"),
        (&["fire", "NOTHING"][..], url, key, 2, "TASK_FINISHED"),
        (
            &["fire", "USER_CREATED", "--user", "demo-0192f0c1a2b37c4d8e5f60718293a4b5"][..],
            url,
            key,
            1,
            "userId",
        ),
        (&["listen"][..], url, wrong.as_str(), 3, "does not accept the API key"),
        (&["listen", "--forward-to", "https://192.0.2.1/"][..], url, key, 2, "private network"),
        (&["listen", "--forward-to", "https://9.9.9.9/"][..], url, key, 2, "private network"),
        (&["listen", "--include-payload"][..], url, key, 2, "needs --tenant"),
        (&["listen", "--since", "yesterday"][..], url, key, 2, "expected `now` or a time"),
        (&["listen", "--name", "../x"][..], url, key, 2, "lower-case letters"),
        (&["clock", "advance", "--seconds", "0"][..], url, key, 1, "seconds"),
        (&["clock", "show", "--tenant", "demo", "--profile", "x"][..], url, key, 2, "Leave one of them out"),
        (&["token", "--user", "canary"][..], url, key, 2, "--user"),
        (&["resend", "nothing"][..], url, key, 2, "dlv-"),
        (&["host", "add", "apply.shop.example"][..], url, key, 1, "does not offer own hosts"),
        (&["login", "--api-key", "lpk_1:lps_canary"][..], closed, key, 4, "does not respond"),
        (&["login", "--api-kye", "lpk_1:lps_canary"][..], url, key, 2, "--api-key"),
        (&["login", "lpk_1:lps_canary"][..], url, key, 2, "unexpected argument"),
    ] {
        let mut command = machine.bare_command(arguments);
        let (status, said) = fail(command.env("LINCHPIN_URL", url).env("LINCHPIN_API_KEY", key));
        assert!(said.contains(advice), "{arguments:?} at {url}: {said}");
        assert_eq!(status, code, "{arguments:?} at {url}: {said}");
        let is_of_user = arguments.contains(&"canary");
        assert!(is_of_user || !said.contains("canary"), "{said}");
        let (_, secret) = machine.key.split_once(':').unwrap();
        assert!(!said.contains(secret), "{said}");
    }
}
