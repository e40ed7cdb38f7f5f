//! Uploads to a bucket on an S3 server, `moto_server`, which `cargo xtask setup` installs.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use link_domain::documents::document_reader::{
    DocumentReader, DocumentReading, DocumentRequest, FileContent, InspectError, Inspection,
};
use link_domain::documents::file_store::FileStore as _;
use link_domain::kernel::system::BoxFuture;
use link_store::test_support::Backend;
use link_store::{FileSettings, ObjectFiles, S3Settings};
use link_test_support::wait;
use link_types::data::{DataPointBody, Document, DocumentType};
use link_types::id::DocumentId;
use rstest::rstest;
use serde_json::{Value, json};

use super::life::fetch;
use super::{Uploader, picture};
use crate::archives::TestClock;
use crate::documents::InProcessReader;
use crate::service::{TestService, text};

pub const BUCKET: &str = "documents";

/// An S3 server with one empty bucket.
pub struct S3Server {
    server: Child,
    pub endpoint: String,
}

impl S3Server {
    pub fn start() -> Self {
        let program = std::env::var("LINCHPIN_MOTO_SERVER")
            .map_or_else(|_| super::find_installed_tool("moto/bin/moto_server"), PathBuf::from);
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        drop(listener);
        let started = Command::new(&program)
            .args(["-H", "127.0.0.1", "-p", &port])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut server = started.unwrap_or_else(|error| {
            panic!("{}: {error}. Run `cargo xtask setup` to install it", program.display())
        });
        let mut lines = BufReader::new(server.stderr.take().unwrap()).lines();
        assert!(
            lines.by_ref().any(|line| line.is_ok_and(|it| it.contains("Running on"))),
            "{} ended without listening",
            program.display()
        );
        // The pipe must be drained, or a later line would block the server.
        std::thread::spawn(move || lines.for_each(drop));
        let endpoint = format!("http://127.0.0.1:{port}");
        ureq::put(format!("{endpoint}/{BUCKET}")).send_empty().unwrap();
        Self { server, endpoint }
    }

    fn settings(&self) -> FileSettings {
        FileSettings::S3(S3Settings {
            endpoint: Some(self.endpoint.clone()),
            region: "us-east-1".to_owned(),
            bucket: BUCKET.to_owned(),
            access_key_id: "test".to_owned(),
            secret_access_key: "test".into(),
        })
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn s3_objects_are_encrypted_and_removed_on_revocation() {
    let server = S3Server::start();
    let files = server.settings();
    let service = TestService::start_with(Backend::Sqlite, |settings| settings.files = files).await;
    let widget = Uploader::new(&service).await;
    let file = picture(700_000);
    let archive = widget.archive("PAYSLIP").await;
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    assert_eq!(widget.append(&upload, 0, file[..300_000].to_vec()).await.status, 204);
    assert_eq!(widget.append(&upload, 300_000, file[300_000..].to_vec()).await.status, 204);
    let submit = format!("/link/archives/{archive}/submit");
    assert_eq!(widget.send(Method::POST, &submit, Some(&json!({}))).await.status, 200);
    service.until_event("TASK_FINISHED").await;

    let bucket = ObjectFiles::open(server.settings()).unwrap();
    let objects = bucket.list("archives").await.unwrap();
    assert_eq!(
        objects.len(),
        file.len().div_ceil(256 * 1024),
        "one object per segment, no drafts: {objects:?}"
    );
    for object in &objects {
        let sealed = bucket.get(&object.name).await.unwrap();
        let shown = file.chunks(64).step_by(500).any(|piece| sealed.windows(64).any(|it| it == piece));
        assert!(!shown, "{} contains bytes of the file", object.name);
    }
    let read = service.get(&format!("/archives/{archive}")).await;
    assert_eq!(read.body["state"]["status"], "ANALYZED", "{}", read.body);
    let fetched = super::life::fetch(&service, &text(&read.body["files"][0]["url"])).await;
    assert!(fetched.status == 200 && fetched.bytes == file, "{}", fetched.status);

    assert_eq!(service.delete(&format!("/archives/{archive}")).await.status, 204);
    wait::until_ok("the objects of the revoked archive are gone", async || {
        let objects = bucket.list("archives").await.unwrap();
        if objects.is_empty() { Ok(()) } else { Err(format!("{objects:?}")) }
    })
    .await;
}

/// Finds a document in each payslip, in addition to the income.
struct WithDocument;

impl DocumentReader for WithDocument {
    fn inspect<'a>(
        &'a self,
        content: Box<dyn FileContent + 'a>,
    ) -> BoxFuture<'a, Result<Inspection, InspectError>> {
        InProcessReader.inspect(content)
    }

    fn read<'a>(&'a self, request: DocumentRequest<'a>) -> BoxFuture<'a, DocumentReading> {
        Box::pin(async move {
            let mut reading = InProcessReader.read(request).await;
            if let DocumentReading::Read { batch, .. } = &mut reading {
                batch.bodies.push(DataPointBody::Document(Document {
                    id: DocumentId::from_bytes([0; 16]),
                    name: "Payslip".to_owned(),
                    doc_id: "7".to_owned(),
                    status: None,
                    document_type: DocumentType::Payslip,
                    issue_date: None,
                    expiry_date: None,
                    file_url: None,
                    remarks: None,
                }));
            }
            reading
        })
    }
}

async fn start(backend: Backend) -> (TestService, Arc<TestClock>) {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let exchange = move |parts: &mut link_server::app::Parts| {
        parts.ports.clock = moved;
        parts.ports.reader = Arc::new(WithDocument);
    };
    (TestService::start_of(backend, |_| {}, exchange).await, clock)
}

impl TestService {
    /// Returns the only document of the sandbox.
    async fn only_document(&self) -> Value {
        let documents = self.get("/documents").await.body;
        assert_eq!(documents["items"].as_array().map(Vec::len), Some(1), "{documents}");
        documents["items"][0].clone()
    }
}

#[rstest]
#[tokio::test]
async fn document_of_an_archive_has_the_url_of_its_file(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (service, clock) = start(backend).await;
    let (widget, file) = (Uploader::new(&service).await, picture(5_000));
    let archive = widget.submit("PAYSLIP", &file).await;
    let document = service.only_document().await;
    let url = text(&document["fileUrl"]);
    let fetched = fetch(&service, &url).await;
    assert_eq!((fetched.status.as_u16(), fetched.bytes == file), (200, true));
    let one = service.get(&format!("/documents/{}", text(&document["id"]))).await.body;
    let of_archive = service.get(&format!("/archives/{archive}/payload")).await.body;
    let user = text(&document["metadata"]["userId"]);
    let of_user = service.get(&format!("/users/{user}/payload")).await.body;
    for shown in [&one, &of_archive["documents"]["items"][0], &of_user["documents"]["items"][0]] {
        assert_eq!(fetch(&service, &text(&shown["fileUrl"])).await.status, 200, "{shown}");
    }

    clock.advance(Duration::from_secs(3_600));
    assert_eq!(fetch(&service, &url).await.status, 404, "the URL is valid for 1 hour");
    let again = text(&service.only_document().await["fileUrl"]);
    assert_eq!(fetch(&service, &again).await.status, 200);
    assert_eq!(service.delete(&format!("/archives/{archive}")).await.status, 204);
    assert_eq!(fetch(&service, &again).await.status, 404, "the URL ends with its archive");
}

#[tokio::test]
async fn file_url_of_a_document_ends_with_its_user() {
    let (service, _) = start(Backend::Sqlite).await;
    Uploader::new(&service).await.submit("PAYSLIP", &picture(5_000)).await;
    let document = service.only_document().await;
    let url = text(&document["fileUrl"]);
    assert_eq!(fetch(&service, &url).await.status, 200);
    let user = text(&document["metadata"]["userId"]);
    assert_eq!(service.delete(&format!("/users/{user}")).await.status, 204);
    wait::until("the file is gone", async || fetch(&service, &url).await.status == 404).await;
}

#[tokio::test]
async fn document_in_an_event_has_a_url_for_5_days() {
    let (service, clock) = start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let receiver = link_test_support::receiver::Receiver::start(&[]).await;
    let hook = serde_json::json!({
        "url": receiver.url, "eventTypes": ["TASK_FINISHED"], "secret": "a secret of a tenant", "includePayload": true,
    });
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    let file = picture(5_000);
    let archive = widget.submit("PAYSLIP", &file).await;
    let received = receiver.until(1).await;
    let document = &received[0].event["data"]["payload"]["documents"]["items"][0];
    assert_eq!(document["name"], "Payslip");
    let url = text(&document["fileUrl"]);
    let fetched = fetch(&service, &url).await;
    assert_eq!((fetched.status.as_u16(), fetched.bytes == file), (200, true), "{url}");
    clock.advance(Duration::from_secs(5 * 86_400 - 3_600));
    assert_eq!(fetch(&service, &url).await.status, 200, "one hour before the end");
    let stored = service.get(&format!("/events/{}", text(&received[0].event["id"]))).await.body;
    assert_eq!(stored["data"]["payload"], serde_json::json!({}));
    assert_eq!(service.delete(&format!("/archives/{archive}")).await.status, 204);
    assert_eq!(fetch(&service, &url).await.status, 404, "the URL ends with its archive");
}

#[tokio::test]
async fn document_url_of_an_event_expires_after_5_days() {
    let (service, clock) = start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let receiver = link_test_support::receiver::Receiver::start(&[]).await;
    let hook = serde_json::json!({
        "url": receiver.url, "eventTypes": ["TASK_FINISHED"], "secret": "a secret of a tenant", "includePayload": true,
    });
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    widget.submit("PAYSLIP", &picture(5_000)).await;
    let document = receiver.until(1).await[0].event["data"]["payload"]["documents"]["items"][0].clone();
    clock.advance(Duration::from_secs(5 * 86_400));
    assert_eq!(fetch(&service, &text(&document["fileUrl"])).await.status, 404);
    assert_eq!(fetch(&service, &text(&service.only_document().await["fileUrl"])).await.status, 200);
}
