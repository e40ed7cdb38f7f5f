//! Backups that the service writes on a schedule, and those in buckets.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::{Method, StatusCode, Uri};
use link_domain::documents::file_store::FileStore as _;
use link_server::app::Parts;
use link_server::dependencies::Dependency;
use link_server::settings::{BackupSettings, SettingsInput};
use link_server::workers::backups;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{
    BackupTarget, FileSettings, KeyFiles, ObjectFiles, S3Settings, ScheduledBackup, StoreError,
    StoreSettings, WorkerId,
};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::archives::TestClock;
use crate::console::audit::Socket;
use crate::service::TestService;
use crate::uploads::s3::{BUCKET, S3Server};

const DAY: Duration = Duration::from_secs(86_400);

/// A service with scheduled backups, whose worker the test runs.
struct Scheduled {
    service: TestService,
    clock: Arc<TestClock>,
    settings: BackupSettings,
}

impl Scheduled {
    async fn start(backend: Backend, target: BackupTarget) -> Self {
        Self::start_every(backend, target, DAY).await
    }

    async fn start_every(backend: Backend, target: BackupTarget, every: Duration) -> Self {
        let settings = BackupSettings { target, address: "place".to_owned(), every, keep: 2, life: 30 * DAY };
        let clock = Arc::new(TestClock::default());
        let (backups, moved) = (settings.clone(), Arc::clone(&clock));
        let exchange = move |parts: &mut Parts| {
            let folder = &parts.settings.data_dir;
            parts.settings.keys_dir = match backend {
                Backend::Sqlite => folder.join("data"),
                Backend::Postgres => folder.clone(),
            };
            parts.settings.backups = Some(backups);
            parts.ports.clock = moved;
        };
        let service = TestService::start_of(backend, |_| {}, exchange).await;
        Self { service, clock, settings }
    }

    async fn round(&self, worker: u8) -> bool {
        let worker = WorkerId::from_random([worker; 16]);
        backups::round(&self.service.app, &self.settings, &worker).await.unwrap()
    }

    async fn last(&self) -> ScheduledBackup {
        let read: Result<_, StoreError> =
            self.service.app.store.read(|reader| reader.scheduled_backups().get()).await;
        read.unwrap()
    }

    /// Returns the line of `linchpin doctor` about backups.
    async fn doctor(&self) -> Value {
        let response = Socket::listen(&self.service).ask(json!({"examine": {}})).await;
        let lines = response["done"].as_array().unwrap();
        lines.iter().find(|it| it["check"] == "backups").unwrap().clone()
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn backups_in(folder: &Path) -> Vec<String> {
    names_in(folder).into_iter().filter(|it| it.ends_with(".backup")).collect()
}

fn keys(service: &TestService) -> KeyFiles {
    match service.database.settings() {
        StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. } => keys,
        StoreSettings::Ephemeral => panic!("no keys"),
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn due_backup_is_written_once_and_verified(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let folder = tempfile::tempdir().unwrap();
    let scheduled = Scheduled::start(backend, BackupTarget::Folder(folder.path().to_owned())).await;
    // A node whose clock is ahead of PostgreSQL's.
    if backend == Backend::Postgres {
        scheduled.clock.advance(DAY + DAY / 2);
    }
    assert!(scheduled.round(1).await);
    assert!(!scheduled.round(2).await, "another node does not write it again");
    let names = backups_in(folder.path());
    assert_eq!(names.len(), 1, "{names:?}");
    let path = folder.path().join(&names[0]);
    let verified =
        link_store::verify(&keys(&scheduled.service), &path, scheduled.service.app.wall()).unwrap();
    assert!(verified.created_at.is_some() && !verified.is_expired());
    assert!(scheduled.last().await.good_at.is_some());
    assert_eq!(scheduled.doctor().await["result"], "OK");
}

#[tokio::test(flavor = "multi_thread")]
async fn oldest_backups_are_removed_after_a_good_one() {
    let folder = tempfile::tempdir().unwrap();
    let scheduled = Scheduled::start(Backend::Sqlite, BackupTarget::Folder(folder.path().to_owned())).await;
    std::fs::write(folder.path().join("linchpin-0000000000000000-2020-01-01T00-00-00Z.backup"), "").unwrap();
    let mut written = Vec::new();
    for _ in 0..4 {
        assert!(scheduled.round(1).await);
        let names = backups_in(folder.path());
        written.push(names.iter().find(|it| !it.contains("2020") && !written.contains(*it)).unwrap().clone());
        scheduled.clock.advance(DAY);
    }
    let names = names_in(folder.path());
    assert_eq!(
        names.iter().filter(|it| written.contains(it)).collect::<Vec<_>>(),
        [&written[2], &written[3]]
    );
    assert!(names.iter().any(|it| it.contains("2020")), "the file of another service stays: {names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_backup_keeps_the_old_ones_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("place");
    std::fs::create_dir(&place).unwrap();
    let scheduled = Scheduled::start(Backend::Sqlite, BackupTarget::Folder(place.clone())).await;
    assert!(scheduled.round(1).await);
    let good = scheduled.last().await.good_at;
    let away = folder.path().join("away");
    std::fs::rename(&place, &away).unwrap();
    scheduled.clock.advance(40 * DAY);
    assert!(scheduled.round(1).await);
    let last = scheduled.last().await;
    assert_eq!((last.good_at, last.fault.as_ref().unwrap().code.as_str()), (good, "NoMarker"));
    let faults = scheduled.service.app.health.dependencies.all();
    assert_eq!((faults.len(), faults[0].dependency.as_str()), (1, "backups"), "{faults:?}");
    let line = scheduled.doctor().await;
    assert_eq!((&line["result"], &line["code"]), (&json!("FAULT"), &json!("ENOENT")), "{line}");
    assert_eq!(backups_in(&away).len(), 1, "an old backup is the last good one");

    std::fs::rename(&away, &place).unwrap();
    let line = scheduled.doctor().await;
    assert_eq!((&line["result"], &line["code"]), (&json!("FAULT"), &json!("NoMarker")), "{line}");
    scheduled.clock.advance(backups::RETRY);
    assert!(scheduled.round(1).await);
    assert_eq!(scheduled.doctor().await["result"], "OK");
    assert_eq!(scheduled.service.app.health.dependencies.all(), []);
    assert_eq!(backups_in(&place).len(), 1, "the backup of 40 days ago is removed by the new one");
}

/// Starts a server that refuses every request with an error document of S3.
async fn refusing_bucket(status: StatusCode, code: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>No.</Message></Error>");
    let router = Router::new().fallback(move || async move { (status, body) });
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    endpoint
}

fn bucket(endpoint: String) -> BackupTarget {
    let files = FileSettings::S3(S3Settings {
        endpoint: Some(endpoint),
        region: "us-east-1".to_owned(),
        bucket: BUCKET.to_owned(),
        access_key_id: "test".to_owned(),
        secret_access_key: "test".into(),
    });
    BackupTarget::Bucket { files, prefix: "backups/prod".to_owned() }
}

#[rstest]
#[case::denied(StatusCode::FORBIDDEN, "AccessDenied", "s3:PutObject")]
#[case::missing(StatusCode::NOT_FOUND, "NoSuchBucket", "--backup-to")]
#[tokio::test(flavor = "multi_thread")]
async fn refusing_bucket_is_named_with_its_code(
    #[case] status: StatusCode,
    #[case] code: &'static str,
    #[case] remedy: &str,
) {
    let scheduled = Scheduled::start(Backend::Sqlite, bucket(refusing_bucket(status, code).await)).await;
    assert!(scheduled.round(1).await);
    let fault = scheduled.last().await.fault.unwrap();
    assert_eq!((fault.code.as_str(), fault.cause.as_str()), (code, "No."));
    assert!(fault.remedy.contains(remedy), "{fault:?}");
    let line = scheduled.doctor().await;
    assert_eq!((&line["result"], &line["code"]), (&json!("FAULT"), &json!(code)), "{line}");
    assert!(!scheduled.round(2).await, "the next attempt is in 10 minutes");
}

/// Starts a server that takes parts, and responds to their list with these statuses, the last one for ever.
async fn failing_bucket(statuses: &'static [StatusCode]) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let router = Router::new().fallback(move |method: Method, uri: Uri| {
        let count = Arc::clone(&count);
        async move {
            let status = if method == Method::PUT && uri.path().ends_with("parts.json") {
                let number = count.fetch_add(1, Ordering::SeqCst);
                statuses[number.min(statuses.len() - 1)]
            } else {
                StatusCode::OK
            };
            let body = if status == StatusCode::FORBIDDEN {
                "<Error><Code>AccessDenied</Code><Message>No.</Message></Error>"
            } else if method == Method::GET {
                "<ListBucketResult></ListBucketResult>"
            } else {
                ""
            };
            (status, [("etag", "\"0\"")], body)
        }
    });
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (endpoint, asked)
}

#[tokio::test(flavor = "multi_thread")]
async fn upload_that_fails_after_its_parts_leaves_no_draft() {
    let (endpoint, asked) = failing_bucket(&[StatusCode::FORBIDDEN]).await;
    let scheduled = Scheduled::start(Backend::Sqlite, bucket(endpoint)).await;
    assert!(scheduled.round(1).await);
    assert!(scheduled.last().await.fault.is_some());
    assert!(asked.load(Ordering::SeqCst) > 0, "the parts were uploaded");
    let drafts = names_in(&scheduled.service.app.settings.data_dir);
    assert!(!drafts.is_empty() && !drafts.iter().any(|it| it.starts_with(".linchpin-backup-")), "{drafts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bucket_that_is_away_for_a_while_gets_the_backup() {
    // More failures than one request repeats.
    const AWAY: StatusCode = StatusCode::SERVICE_UNAVAILABLE;
    let (endpoint, asked) = failing_bucket(&[AWAY, AWAY, AWAY, AWAY, StatusCode::OK]).await;
    let scheduled = Scheduled::start(Backend::Sqlite, bucket(endpoint)).await;
    assert!(scheduled.round(1).await);
    assert_eq!(scheduled.last().await.fault, None);
    assert_eq!(asked.load(Ordering::SeqCst), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_without_its_keys_is_not_good() {
    let folder = tempfile::tempdir().unwrap();
    let scheduled = Scheduled::start(Backend::Sqlite, BackupTarget::Folder(folder.path().to_owned())).await;
    scheduled.service.user().await;
    let days = keys(&scheduled.service).days;
    std::fs::rename(&days, folder.path().join("gone")).unwrap();
    assert!(scheduled.round(1).await);
    let fault = scheduled.last().await.fault.unwrap();
    assert!(matches!(fault.code.as_str(), "Expired" | "LostDays"), "{fault:?}");
    assert!(!days.exists(), "the key folder is not created again");
    assert_eq!(backups_in(folder.path()), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_node_notes_the_fault_of_the_last_backup() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("away");
    let scheduled = Scheduled::start(Backend::Sqlite, BackupTarget::Folder(place.clone())).await;
    assert!(scheduled.round(1).await);
    scheduled.service.app.health.dependencies.clear(Dependency::Backups);
    assert!(!scheduled.round(2).await);
    let faults = scheduled.service.app.health.dependencies.all();
    assert_eq!((faults.len(), faults[0].dependency), (1, Dependency::Backups), "another node wrote it");
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_ends_the_lease_of_a_backup() {
    let (endpoint, _) = failing_bucket(&[StatusCode::SERVICE_UNAVAILABLE]).await;
    let scheduled = Scheduled::start(Backend::Sqlite, bucket(endpoint)).await;
    scheduled.service.begin_to_stop();
    assert!(scheduled.round(1).await);
    assert_eq!(scheduled.last().await, ScheduledBackup::default());
    assert!(scheduled.round(2).await, "another node need not wait");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_names_a_schedule_that_never_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let every = Duration::from_nanos(1);
    let scheduled =
        Scheduled::start_every(Backend::Sqlite, BackupTarget::Folder(folder.path().to_owned()), every).await;
    let line = scheduled.doctor().await;
    assert_eq!(
        (&line["code"], &line["cause"]),
        (&json!("Late"), &json!("no backup was written yet")),
        "{line}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn bucket_keeps_the_newest_backups() {
    let server = S3Server::start();
    let scheduled = Scheduled::start(Backend::Sqlite, bucket(server.endpoint.clone())).await;
    for _ in 0..3 {
        assert!(scheduled.round(1).await);
        assert_eq!(scheduled.last().await.fault, None);
        scheduled.clock.advance(DAY);
    }
    let BackupTarget::Bucket { files, .. } = &scheduled.settings.target else { panic!("a bucket") };
    let objects = ObjectFiles::open(files.clone()).unwrap().list("backups/prod").await.unwrap();
    let lists = objects.iter().filter(|it| it.name.ends_with("parts.json")).count();
    assert_eq!((lists, objects.len()), (2, 4), "{objects:?}");
}

/// Runs a command with the settings of a service whose data folder this is.
fn linchpin(folder: &Path, server: &S3Server, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linchpin"))
        .args(arguments)
        .arg("--json")
        .env("LINCHPIN_DATA_DIR", folder.join("data"))
        .env("LINCHPIN_S3_ENDPOINT", &server.endpoint)
        .env("LINCHPIN_S3_ACCESS_KEY_ID", "test")
        .env("LINCHPIN_S3_SECRET_ACCESS_KEY", "test")
        .output()
        .unwrap()
}

fn response(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_to_a_bucket_is_verified_and_restored_from_it() {
    let server = S3Server::start();
    let database = TestDatabase::new(Backend::Sqlite);
    database.open().await.close().await;
    let place = format!("s3://{BUCKET}/backups");
    let written = response(&linchpin(database.folder(), &server, &["backup", "--to", &place]));
    let address = written["backup"].as_str().unwrap().to_owned();
    assert!(address.starts_with(&format!("{place}/linchpin-")), "{written}");
    let verified = response(&linchpin(database.folder(), &server, &["verify-backup", &address]));
    assert_eq!(verified["backup"], *address);
    let refused = linchpin(database.folder(), &server, &["restore", "--from", &format!("{place}/none")]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("there is a database"), "this is said before a download: {said}");
    std::fs::remove_file(database.folder().join("data/linchpin.db")).unwrap();
    let restored = response(&linchpin(database.folder(), &server, &["restore", "--from", &address]));
    assert_eq!(restored["restored"], *address);
    assert!(database.folder().join("data/linchpin.db").exists());
    let drafts = names_in(&database.folder().join("data"));
    assert!(!drafts.iter().any(|it| it.starts_with(".linchpin-backup-")), "{drafts:?}");
    let refused = linchpin(database.folder(), &server, &["verify-backup", &place]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("Below it are: linchpin-"), "{said}");
}

#[test]
fn backup_without_a_place_or_a_file_says_what_to_name() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_linchpin"))
        .args(["backup", "--data-dir"])
        .arg(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("--to"), "{said}");
    assert!(SettingsInput::default().with_backups_at("s3://bucket").settle().is_err());
}
