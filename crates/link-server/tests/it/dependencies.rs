//! Lasting refusals of dependencies: each is in `/health/ready` with the dependency's own code, and in the log once.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use link_domain::documents::file_store::{FileStore, FileStoreError, StoredObject};
use link_domain::kernel::system::BoxFuture;
use link_server::dependencies::watched_files::WatchedFiles;
use link_server::dependencies::{Dependency, DependencyError, DependencyErrors, probes};
use link_store::test_support::{Backend, sqlite};
use link_store::{FileSettings, ObjectFiles};
use link_test_support::wait;

use crate::process::free_port;
use crate::service::TestService;

async fn ready(service: &TestService) -> String {
    let request = axum::http::Request::get("/health/ready").body(axum::body::Body::empty()).unwrap();
    let response = service.send_raw(request).await;
    assert_eq!(response.status, 200);
    String::from_utf8(response.bytes).unwrap()
}

fn refusal() -> FileStoreError {
    FileStoreError::Refused {
        code: "AccessDenied".to_owned(),
        cause: "No.".to_owned(),
        remedy: "Allow the access key to put objects",
    }
}

/// A store that refuses writes and nothing else.
struct ReadOnly(ObjectFiles);

impl FileStore for ReadOnly {
    fn put<'a>(&'a self, _: &'a str, _: Vec<u8>) -> BoxFuture<'a, Result<(), FileStoreError>> {
        Box::pin(async { Err(refusal()) })
    }
    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Vec<u8>, FileStoreError>> {
        self.0.get(name)
    }
    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>> {
        self.0.delete(name)
    }
    fn delete_all<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>> {
        self.0.delete_all(prefix)
    }
    fn list<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<StoredObject>, FileStoreError>> {
        self.0.list(prefix)
    }
}

fn memory() -> ObjectFiles {
    ObjectFiles::open(FileSettings::Memory).unwrap()
}

#[tokio::test]
async fn refusing_file_store_is_in_ready_until_a_probe_succeeds() {
    let service = TestService::start(Backend::Sqlite).await;
    assert_eq!(ready(&service).await, "ready\n");
    let faults = Arc::clone(&service.app.health.dependencies);
    let files = WatchedFiles::new(Arc::new(ReadOnly(memory())), Arc::clone(&faults));
    assert_eq!(files.put("archives/a", Vec::new()).await, Err(refusal()));
    assert_eq!(ready(&service).await, "ready\nfiles refuses: AccessDenied (see the log)\n");
    // A read that succeeds does not show that writes do.
    assert_eq!(files.list("archives").await, Ok(Vec::new()));
    assert_eq!(ready(&service).await, "ready\nfiles refuses: AccessDenied (see the log)\n");
    faults.note_result(Dependency::Files, probes::probe_files(&files, 1).await);
    assert!(ready(&service).await.contains("AccessDenied"));
    faults.note_result(Dependency::Files, probes::probe_files(&memory(), 2).await);
    assert_eq!(ready(&service).await, "ready\n");
}

#[tokio::test]
async fn probe_of_files_leaves_nothing_behind() {
    let files = memory();
    assert_eq!(probes::probe_files(&files, 7).await, Ok(()));
    assert_eq!(files.list("").await, Ok(Vec::new()));
    let refused = probes::probe_files(&ReadOnly(memory()), 7).await.unwrap_err();
    assert_eq!((refused.code.as_str(), refused.dependency), ("AccessDenied", Dependency::Files));
}

#[tokio::test]
async fn temporary_fault_of_the_store_is_not_a_lasting_refusal() {
    let slow = FileStoreError::Unavailable("SlowDown: no message".to_owned());
    assert_eq!(DependencyError::from_files(&slow), None);
    assert_eq!(DependencyError::from_files(&FileStoreError::Missing), None);
}

#[test]
fn missing_key_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let refused = probes::probe_keys(folder.path()).unwrap_err();
    assert_eq!((refused.code.as_str(), refused.dependency), ("ENOENT", Dependency::Keys));
    assert!(refused.remedy.contains("--keys-dir"), "{}", refused.remedy);
    std::fs::create_dir(folder.path().join("keys")).unwrap();
    std::fs::write(folder.path().join("master.key"), "").unwrap();
    assert_eq!(probes::probe_keys(folder.path()), Ok(()));
    assert_eq!(std::fs::read_dir(folder.path().join("keys")).unwrap().count(), 0);
}

#[tokio::test]
async fn forgotten_write_transaction_of_another_program_is_named() {
    let service = TestService::start(Backend::Sqlite).await;
    assert_eq!(probes::probe_database(&service.app).await, Ok(()));
    let path = service.database.folder().join("data").join("linchpin.db");
    let lock = sqlite::Lock::write(&path);
    let refused = probes::probe_database(&service.app).await.unwrap_err();
    assert_eq!((refused.code.as_str(), refused.dependency), ("SQLITE_BUSY", Dependency::Database));
    assert!(refused.remedy.contains("fuser -v"), "{}", refused.remedy);
    let response = service.post("/users", serde_json::json!({})).await;
    assert!(response.status == 503 && response.headers.contains_key("retry-after"), "{:?}", response.body);
    drop(lock);
    assert_eq!(probes::probe_database(&service.app).await, Ok(()));
}

#[test]
fn fault_is_replaced_by_a_newer_one_of_the_same_dependency() {
    let faults = DependencyErrors::default();
    let with_code = |code: &str| DependencyError {
        dependency: Dependency::Mail,
        code: code.to_owned(),
        cause: "No.".to_owned(),
        remedy: "Ask".into(),
    };
    faults.note(with_code("535"));
    faults.note(with_code("421"));
    assert_eq!(faults.all(), [with_code("421")]);
    faults.clear(Dependency::Mail);
    faults.clear(Dependency::Mail);
    assert_eq!(faults.all(), []);
}

/// Starts the program with a folder for temporary files, and returns the body of `/health/ready` once it says more than
/// `ready`, and the log.
fn serve_with_temporary_folder(folder: &Path) -> (String, String) {
    let port = free_port();
    let mut process = Command::new(env!("CARGO_BIN_EXE_linchpin"))
        .args(["serve", "--ephemeral", "--document-sandbox", "best-effort", "--drain-seconds", "0"])
        .args(["--listen", &format!("127.0.0.1:{port}")])
        .env_remove("LINCHPIN_LOG")
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let body = wait::blocking::until_some("the fault is in `ready`", || {
        let mut response = ureq::get(format!("http://127.0.0.1:{port}/health/ready")).call().ok()?;
        let body = response.body_mut().read_to_string().ok()?;
        (body != "ready\n").then_some(body)
    });
    process.kill().unwrap();
    let ended = process.wait_with_output().unwrap();
    (body, String::from_utf8(ended.stderr).unwrap())
}

#[test]
fn missing_temporary_folder_is_in_ready_and_in_the_log_once() {
    let folder = tempfile::tempdir().unwrap();
    let (body, log) = serve_with_temporary_folder(&folder.path().join("away"));
    assert_eq!(body, "ready\ntemporaryFolder refuses: ENOENT (see the log)\n");
    let lines: Vec<_> = log.lines().filter(|it| it.contains("A dependency refuses the service")).collect();
    assert!(lines.len() == 1 && lines[0].contains("TMPDIR"), "{lines:?}");
}
