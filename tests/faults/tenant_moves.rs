//! The move of one tenant to another cell, as docs/how-to/cells.md describes it.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use link_store::test_support::{Backend, TestDatabase};
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use crate::cells::{FLAGS, command, create_tenant, linchpin};
use crate::kills::random;
use crate::process::{Client, Linchpin, text};
use crate::resume::link_account;
use crate::uploads::Uploader;

/// The lists whose items are the same in both cells.
const LISTS: [&str; 5] = ["/users", "/accounts", "/events", "/webhooks", "/consentTemplates"];
/// How many imports are killed at a random time.
const KILLS: u32 = 4;

/// Starts a cell.
pub fn start(backend: Backend) -> Linchpin {
    Linchpin::start_with(backend, FLAGS)
}

/// Runs a command that must succeed, and returns its JSON.
pub fn run(service: &Linchpin, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    serde_json::from_str(&linchpin(service, &arguments)).unwrap()
}

/// Returns the message of a command that must fail.
pub fn refuse(service: &Linchpin, arguments: &[&str]) -> String {
    let output = command(service, arguments).output().unwrap();
    assert!(!output.status.success(), "{arguments:?} {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

fn lists(client: &Client) -> Vec<Vec<Value>> {
    LISTS.iter().map(|list| client.all(list)).collect()
}

/// Returns the data of an account, without its documents. Checks that the file of the first one opens.
fn read_data(client: &Client, account: &str) -> Value {
    let (status, mut data) = client.get(&format!("/accounts/{account}/payload")).unwrap();
    assert_eq!(status, 200, "{data}");
    let documents = data["documents"].take();
    let url = text(&documents["items"][0]["fileUrl"]);
    let (_, path) = url.split_once("/sandbox/v1").unwrap();
    assert_eq!(client.send("GET", path, "application/json", b"").0, 200);
    data
}

/// Returns the state of a tenant in a cell.
pub fn state(service: &Linchpin, tenant: &str) -> String {
    let tenants = run(service, &["tenant", "list"]);
    let found = tenants.as_array().unwrap().iter().find(|it| it["id"] == tenant);
    found.map_or_else(String::new, |it| text(&it["state"]))
}

/// Exports a suspended tenant, and returns the file and its code.
pub fn export(service: &Linchpin, tenant: &str, folder: &Path) -> (PathBuf, String) {
    let file = folder.join(format!("{tenant}-{}.tenant", random(0, u64::MAX)));
    // No request is under way here.
    let line = ["tenant", "export", tenant, file.to_str().unwrap(), "--rest-seconds", "0"];
    let again: &[&str] = if state(service, tenant) == "MOVING" { &["--again"] } else { &[] };
    let exported = run(service, &[&line, again].concat());
    (file, text(&exported["code"]))
}

/// Writes a code to a file for `--code-file`, and returns its path.
pub fn note(folder: &Path, code: &str) -> String {
    let file = folder.join(format!("code-{}", random(0, u64::MAX)));
    std::fs::write(&file, format!("{code}\n")).unwrap();
    file.display().to_string()
}

/// Returns the command that imports a file with its code.
pub fn import(file: &Path, code: &str) -> [String; 4] {
    let code = note(file.parent().unwrap(), code);
    ["import-tenant".to_owned(), file.display().to_string(), "--code-file".to_owned(), code]
}

/// Returns the command that lets a tenant go to the cell with the copy of this code.
pub fn leave<'a>(tenant: &'a str, name: &'a str, code: &'a str) -> [&'a str; 9] {
    ["tenant", "delete", tenant, "--name", name, "--moved", "--imported", "--code-file", code]
}

/// Activates a tenant with a noted code.
pub fn activate(service: &Linchpin, tenant: &str, code: &str) {
    linchpin(service, &["tenant", "activate", tenant, "--code-file", code]);
}

/// Makes a cell that was never started, with the master key of another.
pub fn empty(cell: &mut Linchpin, first: &Linchpin, backend: Backend) {
    assert!(cell.terminate().success());
    *cell.database_mut() = TestDatabase::new(backend);
    std::fs::create_dir_all(cell.data_dir()).unwrap();
    std::fs::copy(first.data_dir().join("master.key"), cell.data_dir().join("master.key")).unwrap();
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn tenant_moves_to_another_cell_with_all_that_it_has(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (first, mut second) = (start(backend), start(backend));
    let folder = tempfile::tempdir().unwrap();
    let demo = first.client();
    let (_, of_demo) = demo.post("/users", &json!({"reference": "stays"})).unwrap();
    let (authorization, _) = create_tenant(&first, "acme", "Acme");
    let acme = first.client_with(authorization.clone());
    let account = link_account(&acme);
    let data = read_data(&acme, &account);
    let picture = link_test_support::picture::picture(80_000);
    let uploader = Uploader::begin(&acme, picture.len());
    let half = picture.len() / 2;
    assert_eq!(uploader.send(0, &picture[..half]), Some(204));
    let (first_bytes, last_bytes) = picture[half..].split_at(half / 2);
    let mut open = uploader.begin_request(half, first_bytes, picture.len() - half);
    let (_, erased) = acme.post("/users", &json!({"reference": "erased"})).unwrap();
    let erased = format!("/users/{}", text(&erased["id"]));
    assert_eq!(acme.send("DELETE", &erased, "application/json", b"").0, 204);
    let (status, once) = acme.post_once("once", "/users", &json!({"reference": "once"})).unwrap();
    assert_eq!(status, 201, "{once}");
    let receiver = Receiver::start(&[]).await;
    let hook = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": "a secret of a tenant"});
    assert_eq!(acme.post("/webhooks", &hook).unwrap().0, 201);
    let before = lists(&acme);

    let refused = refuse(&first, &["tenant", "export", "acme", folder.path().join("x").to_str().unwrap()]);
    assert!(refused.contains("not suspended"), "{refused}");
    linchpin(&first, &["tenant", "suspend", "acme"]);
    linchpin(&first, &["fire", "USER_CREATED", "--tenant", "acme"]);
    let (file, code) = export(&first, "acme", folder.path());
    open.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    open.write_all(last_bytes).unwrap();
    let mut response = [0; 12];
    open.read_exact(&mut response).unwrap();
    assert_eq!(response, *b"HTTP/1.1 403", "the request is older than the export, which lacks its bytes");
    let refused = refuse(&first, &["fire", "USER_CREATED", "--tenant", "acme"]);
    assert!(refused.contains("is being moved"), "{refused}");
    assert_eq!(state(&first, "acme"), "MOVING");
    assert_eq!(acme.get("/users").unwrap().0, 403);
    let refused = refuse(&first, &["tenant", "delete", "acme", "--name", "Acme", "--moved"]);
    assert!(refused.contains("was exported to another cell"), "{refused}");

    // A cell with another root key, on PostgreSQL while it runs.
    let import_line = import(&file, &code);
    let import_line: Vec<&str> = import_line.iter().map(String::as_str).collect();
    if matches!(backend, Backend::Sqlite) {
        assert!(second.terminate().success());
    }
    let refused = refuse(&second, &import_line);
    assert!(refused.contains("another root key"), "{refused}");
    if matches!(backend, Backend::Sqlite) {
        second.restart();
    }
    empty(&mut second, &first, backend);
    let refused =
        refuse(&second, &["import-tenant", import_line[1], "--code-file", &note(folder.path(), "00")]);
    assert!(refused.contains("the code is not that of the export"), "{refused}");
    let damaged = folder.path().join("damaged");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    let refused =
        refuse(&second, &["import-tenant", damaged.to_str().unwrap(), "--code-file", import_line[3]]);
    assert!(refused.contains("is damaged"), "{refused}");
    for _ in 0..KILLS {
        let mut line = command(&second, &import_line);
        let mut child = line.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        tokio::time::sleep(Duration::from_millis(random(1, 400))).await;
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let imported = text(&run(&second, &import_line)["code"]);
    assert_eq!(text(&run(&second, &import_line)["code"]), imported, "the code can be repeated");
    second.restart();
    assert_eq!(state(&second, "acme"), "ARRIVING");
    let there = second.client_with(authorization);
    assert_eq!(there.get("/users").unwrap().0, 403, "the tenant runs nowhere now");
    assert_eq!(linchpin(&second, &["cells", "map", "c2"]), "", "without acme");
    let imported = note(folder.path(), &imported);
    for arguments in [vec!["activate", "acme", "--code-file", &imported], vec!["resume", "acme"]] {
        let refused = refuse(&second, &[vec!["tenant"], arguments].concat());
        assert!(refused.contains("stays stopped") || refused.contains("was imported"), "{refused}");
    }

    let refused = refuse(&first, &leave("acme", "Acme", &note(folder.path(), &code)));
    assert!(refused.contains("Nothing was erased"), "{refused}");
    let left = run(&first, &leave("acme", "Acme", &imported));
    let activation = text(&left["activationCode"]);
    wait::blocking::until("the tenant is erased in the first cell", || state(&first, "acme") == "ERASED");
    let again = run(&first, &leave("acme", "Acme", &imported));
    assert_eq!(text(&again["activationCode"]), activation, "the code can be repeated");
    let activation = note(folder.path(), &activation);
    assert!(receiver.requests().is_empty(), "the first cell delivers nothing any more");
    activate(&second, "acme", &activation);

    let delivered = receiver.until(1).await.remove(0);
    let mut after = lists(&there);
    after.iter_mut().for_each(|list| list.retain(|it| it["id"] != delivered.event["id"]));
    assert_eq!(after, before);
    assert_eq!(there.get(&erased).unwrap().0, 404);
    let repeated = there.post_once("once", "/users", &json!({"reference": "once"})).unwrap();
    assert_eq!(repeated, (201, once), "the idempotency key moved");
    let there_uploads = uploader.at(&there);
    assert_eq!(there_uploads.offset(), half);
    assert_eq!(there_uploads.send(half, &picture[half..]), Some(204));
    let submit = format!("/link/archives/{}/submit", there_uploads.archive);
    let (status, progress) = there_uploads.widget.post(&submit, &json!({})).unwrap();
    assert_eq!(status, 200, "{progress}");
    there_uploads.until(&["analyzed", "failed"]);
    assert_eq!(read_data(&there, &account), data);
    assert!(linchpin(&second, &["audit", "verify", "--tenant", "acme"]).contains("events"));

    assert!([401, 403].contains(&acme.get("/users").unwrap().0));
    let (status, still) = demo.get(&format!("/users/{}", text(&of_demo["id"]))).unwrap();
    assert_eq!((status, &still["reference"]), (200, &of_demo["reference"]));
    let refused = refuse(&second, &["tenant", "activate", "acme", "--code-file", &activation]);
    assert!(refused.contains("does not wait"), "{refused}");
    if matches!(backend, Backend::Sqlite) {
        assert!(second.terminate().success());
    }
    let refused = refuse(&second, &import_line);
    assert!(refused.contains("is in this cell already"), "{refused}");
    assert_eq!(receiver.requests().len(), 1, "delivered once");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn move_that_was_given_up_cannot_be_completed(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (first, mut second) = (start(backend), start(backend));
    let folder = tempfile::tempdir().unwrap();
    let (authorization, _) = create_tenant(&first, "acme", "Acme");
    let acme = first.client_with(authorization);
    linchpin(&first, &["tenant", "suspend", "acme"]);
    let (file, code) = export(&first, "acme", folder.path());
    empty(&mut second, &first, backend);
    let line = import(&file, &code);
    let imported = text(&run(&second, &line.each_ref().map(String::as_str))["code"]);
    second.restart();
    linchpin(&first, &["tenant", "resume", "acme"]);
    assert_eq!(acme.get("/users").unwrap().0, 200);
    let imported = note(folder.path(), &imported);
    let refused = refuse(&first, &leave("acme", "Acme", &imported));
    assert!(refused.contains("no export that is under way"), "{refused}");
    // A later export voids the code of the earlier one.
    linchpin(&first, &["tenant", "suspend", "acme"]);
    let _ = export(&first, "acme", folder.path());
    let second_export =
        ["tenant", "export", "acme", folder.path().join("x").to_str().unwrap()].map(str::to_owned);
    let refused = refuse(&first, &second_export.each_ref().map(String::as_str));
    assert!(refused.contains("was exported already"), "{refused}");
    let _ = export(&first, "acme", folder.path());
    let refused = refuse(&first, &leave("acme", "Acme", &imported));
    assert!(refused.contains("Nothing was erased"), "{refused}");
    linchpin(&second, &["tenant", "delete", "acme", "--name", "Acme", "--moved"]);
    wait::blocking::until("the copy is erased", || state(&second, "acme") == "ERASED");
    assert_eq!(state(&first, "acme"), "MOVING");
}

#[test]
fn export_that_two_cells_imported_becomes_active_in_one() {
    let backend = Backend::Sqlite;
    let first = start(backend);
    let mut others = [start(backend), start(backend)];
    let folder = tempfile::tempdir().unwrap();
    create_tenant(&first, "acme", "Acme");
    linchpin(&first, &["tenant", "suspend", "acme"]);
    let taken = folder.path().join("taken");
    std::fs::write(&taken, "").unwrap();
    let refused =
        refuse(&first, &["tenant", "export", "acme", taken.to_str().unwrap(), "--rest-seconds", "0"]);
    assert!(refused.contains("Nothing was changed"), "{refused}");
    assert_eq!(state(&first, "acme"), "SUSPENDED");
    let (file, code) = export(&first, "acme", folder.path());
    let imported = others.each_mut().map(|cell| {
        empty(cell, &first, backend);
        let code = text(&run(cell, &import(&file, &code).each_ref().map(String::as_str))["code"]);
        cell.restart();
        note(folder.path(), &code)
    });
    let activation = text(&run(&first, &leave("acme", "Acme", &imported[0]))["activationCode"]);
    let refused = refuse(&first, &leave("acme", "Acme", &imported[1]));
    assert!(refused.contains("left to another import"), "{refused}");
    let activation = note(folder.path(), &activation);
    let refused = refuse(&others[1], &["tenant", "activate", "acme", "--code-file", &activation]);
    assert!(refused.contains("stays stopped"), "{refused}");
    activate(&others[0], "acme", &activation);
    assert_eq!(others.each_ref().map(|cell| state(cell, "acme")), ["ACTIVE", "ARRIVING"]);
}

/// Imports one file twice at the same time.
fn import_twice(service: &Linchpin, line: &[&str]) {
    let both = [(); 2].map(|()| command(service, line).stderr(Stdio::piped()).spawn().unwrap());
    let failed = both.map(|it| it.wait_with_output().unwrap()).into_iter().filter(|it| !it.status.success());
    let failed: Vec<String> = failed.map(|it| String::from_utf8(it.stderr).unwrap()).collect();
    assert!(failed.len() < 2, "{failed:?}");
    assert!(failed.iter().all(|it| it.contains("is in this cell already")), "{failed:?}");
}

/// Returns the statement that proves a sign-on domain of a tenant.
fn prove(tenant: &str) -> String {
    format!(
        "INSERT INTO sign_on_domains (tenant_id, domain, token, proven_at) VALUES ('{tenant}', 'shop.example', 'token', 1)"
    )
}

/// Publishes a link site.
fn publish(client: &Client, template: &str, slug: &str) -> Option<(u16, Value)> {
    let field = json!({"name": "purpose", "label": "What is it for?", "type": "TEXT", "required": true});
    let site = json!({
        "name": "Loans", "slug": slug, "status": "PUBLISHED", "linkTemplateId": template,
        "steps": ["FORM", "WIDGET", "THANK_YOU"],
        "form": {"name": "About the loan", "reference": "loan-2026", "fields": [field]},
        "startPage": {"title": "Apply for a loan", "text": "A few questions."},
        "endPage": {"title": "All done", "text": "We will write."},
    });
    client.post("/alpha/linkSites", &site)
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn tenant_moves_into_a_cell_in_use_with_the_other_database(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let other = match backend {
        Backend::Sqlite => Backend::Postgres,
        Backend::Postgres => Backend::Sqlite,
    };
    let (first, mut second) = (start(backend), start(other));
    let folder = tempfile::tempdir().unwrap();
    create_tenant(&first, "acme", "Acme");
    linchpin(&first, &["tenant", "suspend", "acme"]);
    let (file, code) = export(&first, "acme", folder.path());
    empty(&mut second, &first, other);
    run(&second, &import(&file, &code).each_ref().map(String::as_str));
    second.restart();
    let (of_wren, template) = create_tenant(&second, "wren", "Wren");
    let wren = second.client_with(of_wren);
    assert_eq!(publish(&wren, &template, "loans").unwrap().0, 201);

    let (of_lark, template) = create_tenant(&first, "lark", "Lark");
    let lark = first.client_with(of_lark.clone());
    let (status, site) = publish(&lark, &template, "loans").unwrap();
    assert_eq!(status, 201, "{site}");
    let account = link_account(&lark);
    let data = read_data(&lark, &account);
    linchpin(&first, &["tenant", "suspend", "lark"]);
    let (file, code) = export(&first, "lark", folder.path());
    if matches!(other, Backend::Sqlite) {
        assert!(second.terminate().success());
    }
    let refused = refuse(&second, &import(&file, &code).each_ref().map(String::as_str));
    assert!(refused.contains("has the address of a link site loans"), "{refused}");

    linchpin(&first, &["tenant", "resume", "lark"]);
    let path = format!("/alpha/linkSites/{}", text(&site["id"]));
    let (status, changed) = lark.patch(&path, &json!({"slug": "lark-loans"})).unwrap();
    assert_eq!(status, 200, "{changed}");
    assert_eq!(first.database().change(&prove("lark")), 1);
    linchpin(&first, &["tenant", "suspend", "lark"]);
    let (file, code) = export(&first, "lark", folder.path());
    let line = import(&file, &code);
    let line = line.each_ref().map(String::as_str);
    assert_eq!(second.database().change(&prove("wren")), 1);
    let refused = refuse(&second, &line);
    assert!(refused.contains("has the proven sign-on domain shop.example"), "{refused}");
    assert_eq!(second.database().change("UPDATE sign_on_domains SET proven_at = NULL"), 1);
    if matches!(other, Backend::Postgres) {
        import_twice(&second, &line);
    }
    let imported = text(&run(&second, &line)["code"]);
    if matches!(other, Backend::Sqlite) {
        second.restart();
    }
    let imported = note(folder.path(), &imported);
    let activation = text(&run(&first, &leave("lark", "Lark", &imported))["activationCode"]);
    activate(&second, "lark", &note(folder.path(), &activation));
    let there = second.client_with(of_lark);
    assert_eq!(read_data(&there, &account), data);
    assert_eq!(there.all("/alpha/linkSites")[0]["slug"], "lark-loans");
    assert_eq!(wren.all("/alpha/linkSites")[0]["slug"], "loans");
    wait::blocking::until("the tenant is erased in the first cell", || state(&first, "lark") == "ERASED");
    assert_eq!(read_data(&there, &account), data);
}
