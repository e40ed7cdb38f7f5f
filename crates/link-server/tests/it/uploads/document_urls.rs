//! `fileUrl` of documents: the file of their archive, as long as the archive exists.

use std::sync::Arc;
use std::time::Duration;

use link_domain::documents::document_reader::{
    DocumentReader, DocumentReading, DocumentRequest, FileContent, InspectError, Inspection,
};
use link_domain::kernel::future::BoxFuture;
use link_store::test_support::Backend;
use link_test_support::wait;
use link_types::data::{DataPointBody, Document, DocumentType};
use link_types::id::DocumentId;
use rstest::rstest;
use serde_json::Value;

use super::life::fetch;
use super::{Uploader, picture};
use crate::archives::TestClock;
use crate::reader::InProcessReader;
use crate::service::{TestService, text};

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

async fn started(backend: Backend) -> (TestService, Arc<TestClock>) {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let exchange = move |parts: &mut link_server::app::Parts| {
        parts.clock = moved;
        parts.reader = Arc::new(WithDocument);
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
    let (service, clock) = started(backend).await;
    let (widget, file) = (Uploader::new(&service).await, picture(5_000));
    let archive = widget.submitted("PAYSLIP", &file).await;
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
    let (service, _) = started(Backend::Sqlite).await;
    Uploader::new(&service).await.submitted("PAYSLIP", &picture(5_000)).await;
    let document = service.only_document().await;
    let url = text(&document["fileUrl"]);
    assert_eq!(fetch(&service, &url).await.status, 200);
    let user = text(&document["metadata"]["userId"]);
    assert_eq!(service.delete(&format!("/users/{user}")).await.status, 204);
    wait::until("the file is gone", async || fetch(&service, &url).await.status == 404).await;
}

#[tokio::test]
async fn document_in_an_event_has_a_url_for_5_days() {
    let (service, clock) = started(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let receiver = link_test_support::receiver::Receiver::start(&[]).await;
    let hook = serde_json::json!({
        "url": receiver.url, "eventTypes": ["TASK_FINISHED"], "secret": "a secret of a tenant", "includePayload": true,
    });
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    let file = picture(5_000);
    let archive = widget.submitted("PAYSLIP", &file).await;
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
    let (service, clock) = started(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let receiver = link_test_support::receiver::Receiver::start(&[]).await;
    let hook = serde_json::json!({
        "url": receiver.url, "eventTypes": ["TASK_FINISHED"], "secret": "a secret of a tenant", "includePayload": true,
    });
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    widget.submitted("PAYSLIP", &picture(5_000)).await;
    let document = receiver.until(1).await[0].event["data"]["payload"]["documents"]["items"][0].clone();
    clock.advance(Duration::from_secs(5 * 86_400));
    assert_eq!(fetch(&service, &text(&document["fileUrl"])).await.status, 404);
    assert_eq!(fetch(&service, &text(&service.only_document().await["fileUrl"])).await.status, 200);
}
