//! Moves of tenants between cells that are interrupted, or followed by the restore of a backup.

use std::process::Stdio;
use std::time::{Duration, Instant};

use link_store::StoreSettings;
use link_store::test_support::{Backend, TestDatabase};
use link_test_support::picture::picture;
use link_test_support::wait;
use rstest::rstest;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use crate::cells::{command, create_tenant, linchpin};
use crate::process::{Linchpin, text};
use crate::restores::{DRAFT_OF_BACKUP, has_file, wait_until_begun};
use crate::tenant_moves::{activate, empty, export, import, leave, note, refuse, run, start, state};
use crate::uploads::Uploader;

/// The number of kills of which one must hit the middle of an export.
const ATTEMPTS: usize = 10;
/// As docs/how-to/cells.md has it.
const STOP: &str =
    "UPDATE tenants SET standing = 'SUSPENDED', standing_since = 0, export_hash = NULL WHERE id = 'acme'";

/// Creates the tenant `acme` with a user, and returns the credentials of its sandbox and the user.
fn create_tenant_with_user(first: &Linchpin) -> (String, Value) {
    let (authorization, _) = create_tenant(first, "acme", "Acme");
    let (status, user) =
        first.client_with(authorization.clone()).post("/users", &json!({"reference": "moves"})).unwrap();
    assert_eq!(status, 201, "{user}");
    (authorization, user)
}

#[test]
fn export_killed_in_the_middle_can_be_repeated() {
    let backend = Backend::Sqlite;
    let (mut first, mut second) = (start(backend), start(backend));
    let folder = tempfile::tempdir().unwrap();
    let (authorization, user) = create_tenant_with_user(&first);
    // So that the export takes long enough.
    let picture = picture(4_000_000);
    let uploader = Uploader::begin(&first.client_with(authorization.clone()), picture.len());
    assert_eq!(uploader.send(0, &picture), Some(204));
    linchpin(&first, &["tenant", "suspend", "acme"]);
    let is_hit = (0..ATTEMPTS).any(|attempt| {
        let killed = folder.path().join(format!("killed-{attempt}"));
        let line = ["tenant", "export", "acme", killed.to_str().unwrap(), "--rest-seconds", "0"];
        let again: &[&str] = if state(&first, "acme") == "MOVING" { &["--again"] } else { &[] };
        let mut writing = command(&first, &[&line, again].concat());
        let mut writing = writing.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // The draft is empty until the tenant is marked and its work has ended.
        wait_until_begun(&mut writing, || {
            let names = std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
            let mut drafts = names.filter(|it| it.file_name().to_string_lossy().starts_with(DRAFT_OF_BACKUP));
            drafts.any(|it| it.metadata().is_ok_and(|it| it.len() > 0))
        });
        first.kill();
        writing.wait().unwrap();
        first.restart();
        has_file(folder.path(), DRAFT_OF_BACKUP) && !killed.exists()
    });
    assert!(is_hit, "no kill of {ATTEMPTS} hit an export");
    assert_eq!(state(&first, "acme"), "MOVING");

    let (file, code) = export(&first, "acme", folder.path());
    empty(&mut second, &first, backend);
    let imported = text(&run(&second, &import(&file, &code).each_ref().map(String::as_str))["code"]);
    second.restart();
    let imported = note(folder.path(), &imported);
    let activation = text(&run(&first, &leave("acme", "Acme", &imported))["activationCode"]);
    activate(&second, "acme", &note(folder.path(), &activation));
    let path = format!("/users/{}", text(&user["id"]));
    assert_eq!(second.client_with(authorization).get(&path).unwrap().0, 200);
}

#[test]
fn export_waits_until_the_tenant_has_been_suspended_for_long() {
    let first = start(Backend::Sqlite);
    let folder = tempfile::tempdir().unwrap();
    create_tenant(&first, "acme", "Acme");
    let file = folder.path().join("acme.tenant").display().to_string();
    let began = Instant::now();
    linchpin(&first, &["tenant", "suspend", "acme"]);
    linchpin(&first, &["tenant", "export", "acme", &file, "--rest-seconds", "3"]);
    assert!(
        began.elapsed() >= Duration::from_secs(3 + 2),
        "two looks at its work follow, after a second each"
    );
}

#[test]
fn export_names_the_archive_whose_pieces_are_missing() {
    let first = start(Backend::Sqlite);
    let folder = tempfile::tempdir().unwrap();
    let (authorization, _) = create_tenant(&first, "acme", "Acme");
    let acme = first.client_with(authorization);
    let picture = picture(80_000);
    let uploader = Uploader::begin(&acme, picture.len());
    assert_eq!(uploader.send(0, &picture), Some(204));
    let archive = format!("archives/{}", uploader.archive);
    std::fs::remove_dir_all(first.data_dir().join("files").join(&archive)).unwrap();
    linchpin(&first, &["tenant", "suspend", "acme"]);
    let file = folder.path().join("acme.tenant").display().to_string();
    let refused = refuse(&first, &["tenant", "export", "acme", &file, "--rest-seconds", "0"]);
    assert!(refused.contains(&format!("They belong to {archive}, and perhaps others")), "{refused}");
    assert!(!folder.path().join("acme.tenant").exists());
}

#[rstest]
#[test]
fn restore_of_the_first_cell_leaves_the_moved_tenant_stopped(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (mut first, mut second) = (start(backend), start(backend));
    let folder = tempfile::tempdir().unwrap();
    let (authorization, user) = create_tenant_with_user(&first);
    linchpin(&first, &["tenant", "suspend", "acme"]);
    let (file, code) = export(&first, "acme", folder.path());
    let backup = folder.path().join("backup").display().to_string();
    linchpin(&first, &["backup", &backup]);
    empty(&mut second, &first, backend);
    let imported = text(&run(&second, &import(&file, &code).each_ref().map(String::as_str))["code"]);
    second.restart();
    let imported = note(folder.path(), &imported);
    let activation = text(&run(&first, &leave("acme", "Acme", &imported))["activationCode"]);
    wait::blocking::until("the tenant is erased in the first cell", || state(&first, "acme") == "ERASED");
    activate(&second, "acme", &note(folder.path(), &activation));

    assert!(first.terminate().success());
    let replacement = TestDatabase::new(backend);
    match replacement.settings() {
        StoreSettings::Postgres { address, .. } => {
            first.database_mut().set_address(address.expose_secret().to_owned());
            linchpin(&first, &["restore", &backup]);
        }
        StoreSettings::Sqlite { .. } | StoreSettings::Ephemeral => {
            linchpin(&first, &["restore", &backup, "--replace"]);
        }
    }
    assert_eq!(first.database().change(STOP), 1);
    first.restart();
    assert_eq!(state(&first, "acme"), "SUSPENDED");
    linchpin(&first, &["tenant", "delete", "acme", "--name", "Acme", "--moved"]);
    wait::blocking::until("the tenant is erased again", || state(&first, "acme") == "ERASED");
    assert!(!linchpin(&first, &["cells", "map", "c1", "--json"]).contains("acme"));
    let path = format!("/users/{}", text(&user["id"]));
    assert_eq!(second.client_with(authorization).get(&path).unwrap().0, 200);
}
