//! The drill of a restore: a backup under load, kills in the middle of the backup and of the restore, and erasures after the
//! backup. Nothing that was acknowledged before the snapshot is lost, and nothing that was erased returns.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use link_store::StoreSettings;
use link_store::test_support::{Backend, TestDatabase};
use rstest::rstest;
use secrecy::ExposeSecret as _;
use serde_json::json;

use crate::kills::random;
use crate::process::{Client, Linchpin, text};

/// The number of users before the first backup.
const USERS: usize = 60;
/// The number of kills of which one must hit the middle of a command.
const ATTEMPTS: usize = 20;
/// The names of drafts begin so.
pub const DRAFT_OF_BACKUP: &str = ".linchpin-backup-";
const DRAFT_OF_RESTORE: &str = "linchpin.db-restored-";

fn make_user(client: &Client) -> Option<String> {
    let (status, user) =
        client.post("/users", &json!({ "reference": format!("canary-{}", random(0, u64::MAX)) }))?;
    (status == 201).then(|| text(&user["id"]))
}

/// Returns the command line of a command about the service's database.
fn linchpin(service: &Linchpin, command: &str, file: &Path, flags: &[&str]) -> Command {
    let mut line = Command::new(env!("CARGO_BIN_EXE_linchpin"));
    line.arg(command).arg(file).arg("--data-dir").arg(service.data_dir()).args(flags);
    if let StoreSettings::Postgres { address, .. } = service.database().settings() {
        line.env("LINCHPIN_DATABASE_URL", address.expose_secret());
    }
    line.stdout(Stdio::piped()).stderr(Stdio::piped());
    line
}

/// Creates users until it is stopped, and returns those that were acknowledged.
fn load(client: &Client, stop: &AtomicBool) -> Vec<String> {
    let mut made = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        made.extend(make_user(client));
    }
    made
}

/// Runs a command while users are created. Returns what was acknowledged before and after the command began.
fn run_under_load(client: &Client, run: impl FnOnce()) -> (Vec<String>, Vec<String>) {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let before: Vec<String> = (0..USERS).filter_map(|_| make_user(client)).collect();
        let writing = scope.spawn(|| load(client, &stop));
        run();
        stop.store(true, Ordering::Relaxed);
        (before, writing.join().unwrap())
    })
}

fn erase(client: &Client, user: &str) {
    let (status, body) = client.send("DELETE", &format!("/users/{user}"), "application/json", b"");
    assert!((200..300).contains(&status), "{status} {}", String::from_utf8_lossy(&body));
}

/// Returns whether a folder has a file whose name begins so.
pub fn has_file(folder: &Path, prefix: &str) -> bool {
    let names = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name());
    names.into_iter().any(|name| name.to_string_lossy().starts_with(prefix))
}

/// Waits until a command has begun its work, or has ended.
pub fn wait_until_begun(child: &mut Child, has_begun: impl Fn() -> bool) {
    while !has_begun() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
}

/// Kills the service in the middle of a backup, which leaves no file or a whole one.
fn kill_during_backup(service: &mut Linchpin, folder: &Path, form: &[&str]) {
    for attempt in 0..ATTEMPTS {
        let file = folder.join(format!("killed-{}-{attempt}", random(0, u64::MAX)));
        let mut writing = linchpin(service, "backup", &file, form).spawn().unwrap();
        wait_until_begun(&mut writing, || has_file(folder, DRAFT_OF_BACKUP));
        service.kill();
        writing.wait().unwrap();
        let is_interrupted = has_file(folder, DRAFT_OF_BACKUP);
        service.restart();
        if file.exists() {
            let verified = linchpin(service, "verify-backup", &file, &[]).output().unwrap();
            assert!(verified.status.success(), "{verified:?}");
        }
        let drafts = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        for draft in drafts.filter(|it| it.to_string_lossy().contains(DRAFT_OF_BACKUP)) {
            // The next backup removes what is older than an hour.
            File::open(draft).unwrap().set_modified(UNIX_EPOCH).unwrap();
        }
        if is_interrupted {
            return;
        }
    }
    panic!("no kill of {ATTEMPTS} hit a backup");
}

/// Kills a restore in the middle.
fn kill_restore(service: &Linchpin, backend: Backend, file: &Path, flags: &[&str]) {
    for _ in 0..ATTEMPTS {
        let mut child = linchpin(service, "restore", file, flags).spawn().unwrap();
        match backend {
            Backend::Sqlite => {
                wait_until_begun(&mut child, || has_file(&service.data_dir(), DRAFT_OF_RESTORE));
            }
            // Creating the tables alone takes longer.
            Backend::Postgres => std::thread::sleep(Duration::from_millis(random(10, 100))),
        }
        child.kill().unwrap();
        if child.wait().unwrap().code().is_none() {
            return;
        }
    }
    panic!("no kill of {ATTEMPTS} hit a restore");
}

#[rstest]
#[case(Backend::Sqlite, &[])]
#[case(Backend::Sqlite, &["--portable"])]
#[case(Backend::Postgres, &[])]
fn restored_backup_loses_nothing_and_returns_nothing_erased(#[case] backend: Backend, #[case] form: &[&str]) {
    let rounds: u32 = std::env::var("LINCHPIN_FAULT_ROUNDS").map_or(1, |it| it.parse().unwrap());
    let mut service = Linchpin::start(backend);
    let client = service.client();
    let folder = tempfile::tempdir().unwrap();
    let mut databases = Vec::new();
    let (mut kept, mut erased) = (BTreeSet::new(), BTreeSet::new());
    for round in 0..rounds {
        kill_during_backup(&mut service, folder.path(), form);
        let file = folder.path().join(format!("{round}-whole"));
        let (before, meanwhile) = run_under_load(&client, || {
            let written = linchpin(&service, "backup", &file, form).output().unwrap();
            assert!(written.status.success(), "{written:?}");
        });
        assert!(!has_file(folder.path(), DRAFT_OF_BACKUP), "the next backup removes the interrupted one");
        let verified = linchpin(&service, "verify-backup", &file, &[]).output().unwrap();
        assert!(verified.status.success(), "{verified:?}");
        let gone: Vec<String> = before.iter().step_by(3).chain(meanwhile.first()).cloned().collect();
        gone.iter().for_each(|user| erase(&client, user));
        service.kill();
        kept.extend(before);
        erased.extend(gone);

        // An interrupted restore leaves the old database, or none. The next one works.
        let replace = match backend {
            Backend::Sqlite => vec!["--replace"],
            Backend::Postgres => {
                let empty = TestDatabase::new(backend);
                if let StoreSettings::Postgres { address, .. } = empty.settings() {
                    service.database_mut().set_address(address.expose_secret().to_owned());
                }
                databases.push(empty);
                Vec::new()
            }
        };
        kill_restore(&service, backend, &file, &replace);
        let restored = linchpin(&service, "restore", &file, &replace).output().unwrap();
        let said = String::from_utf8_lossy(&restored.stderr);
        assert!(restored.status.success() || said.contains("there is a database in"), "{restored:?}");
        assert!(!has_file(&service.data_dir(), DRAFT_OF_RESTORE), "a copy of the database is left");
        service.restart();

        let found: BTreeSet<String> = client.all("/users").iter().map(|user| text(&user["id"])).collect();
        let lost: Vec<_> = kept.difference(&erased).filter(|it| !found.contains(*it)).collect();
        assert!(lost.is_empty(), "acknowledged before the snapshot and lost: {lost:?}");
        let returned: Vec<_> = erased.intersection(&found).collect();
        assert!(returned.is_empty(), "erased and returned: {returned:?}");
        let status = client.get(&format!("/users/{}", erased.first().unwrap())).unwrap().0;
        assert_eq!(status, 404);
        assert!(make_user(&client).is_some());
        kept = found;
    }
    eprintln!(
        "faults: {rounds} restores, {} users, {} erased, {backend:?}: 0 lost, 0 returned",
        kept.len(),
        erased.len()
    );
}

#[test]
fn database_moves_from_sqlite_to_postgresql_and_back() {
    let mut service = Linchpin::start(Backend::Sqlite);
    let client = service.client();
    let users: BTreeSet<String> = (0..USERS).filter_map(|_| make_user(&client)).collect();
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("there");
    let run = |mut command: Command| {
        let ended = command.output().unwrap();
        assert!(ended.status.success(), "{ended:?}");
    };
    run(linchpin(&service, "backup", &there, &["--portable"]));
    assert!(service.terminate().success());

    let server = TestDatabase::new(Backend::Postgres);
    let StoreSettings::Postgres { address, .. } = server.settings() else { panic!("not PostgreSQL") };
    let url = ["--database-url", address.expose_secret(), "--move"];
    run(linchpin(&service, "restore", &there, &url));
    let back = folder.path().join("back");
    run(linchpin(&service, "backup", &back, &url[..2]));
    run(linchpin(&service, "restore", &back, &["--replace", "--move"]));
    service.restart();
    let found: BTreeSet<String> = client.all("/users").iter().map(|user| text(&user["id"])).collect();
    assert_eq!(found, users);
    assert!(make_user(&client).is_some());
}
