//! The rules of tus 1.0.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::{Method, Request};
use futures_util::poll;
use link_domain::documents::archive::SEGMENT_BYTES;
use link_store::test_support::Backend;
use link_types::id::FileId;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use super::{Uploader, metadata_of, offset_of, picture, sha256};
use crate::jobs::HeldFiles;
use crate::service::TestService;

/// Returns a body that the test sends in chunks. Dropping the sender ends it; sending an error aborts it.
pub fn channel_body() -> (mpsc::Sender<Result<Bytes, std::io::Error>>, Body) {
    let (sender, receiver) = mpsc::channel(1);
    let stream = futures_util::stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|piece| (piece, receiver))
    });
    (sender, Body::from_stream(stream))
}

#[tokio::test]
async fn tus_options_lists_capabilities_without_credentials() {
    let service = TestService::start(Backend::Sqlite).await;
    let request =
        Request::options("/sandbox/v1/link/uploads").header("host", "localhost:8787").body(Body::empty());
    let response = service.send_raw(request.unwrap()).await;
    assert_eq!(response.status, 204);
    assert_eq!(response.headers["tus-version"], "1.0.0");
    assert_eq!(response.headers["tus-extension"], "creation,creation-with-upload,expiration,termination");
    assert_eq!(response.headers["tus-max-size"], "15000000");
}

#[tokio::test]
async fn cors_allows_tus_headers_from_the_sdk_origin() {
    let sdk = "https://sdk.example";
    let service =
        TestService::start_with(Backend::Sqlite, |settings| settings.sdk_url = sdk.to_owned()).await;
    let widget = Uploader::new(&service).await;
    let preflight = Request::options("/sandbox/v1/link/uploads")
        .header("host", "localhost:8787")
        .header("origin", sdk)
        .header("access-control-request-method", "PATCH")
        .body(Body::empty());
    let preflight = service.send_raw(preflight.unwrap()).await;
    let list = |name: &str| preflight.headers[name].to_str().unwrap().to_owned();
    assert!(list("access-control-allow-methods").contains("PATCH"));
    for header in ["tus-resumable", "upload-length", "upload-metadata", "upload-offset", "authorization"] {
        assert!(list("access-control-allow-headers").contains(header), "{header}");
    }
    // Error responses have the CORS headers too.
    for metadata in ["", &metadata_of(&[("slot", "PAGE")])] {
        let headers = [("origin", sdk), ("upload-metadata", metadata)];
        let response = widget.tus(Method::POST, "/link/uploads", &headers, Body::empty()).await;
        assert_eq!(response.headers["access-control-allow-origin"], sdk);
        let exposed = response.headers["access-control-expose-headers"].to_str().unwrap();
        assert!(["location", "upload-offset", "tus-resumable"].iter().all(|it| exposed.contains(it)));
    }
}

#[tokio::test]
async fn unsupported_tus_version_is_rejected_with_412() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let mut request = widget.request(Method::POST, "/link/uploads", &[], Body::empty());
    request.headers_mut().insert("tus-resumable", "0.2.2".parse().unwrap());
    let refused = service.send_raw(request).await;
    assert_eq!((refused.status.as_u16(), &refused.headers["tus-version"]), (412, &"1.0.0".parse().unwrap()));
    assert_eq!(refused.headers["tus-resumable"], "1.0.0");
    let unknown = format!("/link/uploads/file-{}", "0".repeat(32));
    let missing = widget.tus(Method::HEAD, &unknown, &[], Body::empty()).await;
    assert_eq!(
        (missing.status.as_u16(), &missing.headers["tus-resumable"]),
        (404, &"1.0.0".parse().unwrap())
    );
    assert!(!missing.headers.contains_key("upload-offset"));
}

#[tokio::test]
async fn upload_accepts_bytes_only_at_the_current_offset() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(2_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    assert_eq!(widget.append(&upload, 5, "abc").await.status, 409);
    let json = [("upload-offset", "0"), ("content-type", "application/json")];
    assert_eq!(widget.tus(Method::PATCH, &upload, &json, "{}").await.status, 415);
    let too_long = [file.clone(), b"more".to_vec()].concat();
    assert_eq!(widget.append(&upload, 0, too_long).await.status, 413);
    assert_eq!(widget.offset(&upload).await, 0, "rejected requests store nothing");
    let mut head = widget.tus(Method::HEAD, &upload, &[], Body::empty()).await;
    assert_eq!(head.headers.remove("cache-control").unwrap(), "no-store");
    assert_eq!(head.headers["upload-length"], file.len().to_string().as_str());
    assert_eq!(widget.append(&upload, 0, file.clone()).await.status, 204);
    // A client whose last response was lost may repeat the request at the final offset.
    let again = widget.append(&upload, file.len(), Body::empty()).await;
    assert_eq!((again.status.as_u16(), offset_of(&again)), (204, file.len()));
    let others = Uploader::new(&service).await;
    for method in [Method::HEAD, Method::DELETE] {
        assert_eq!(others.tus(method, &upload, &[], Body::empty()).await.status, 404, "another user's");
    }
    assert_eq!(others.append(&upload, 0, "x").await.status, 404);
    assert_eq!(others.announce(&archive, "PAGE", 5, None).await.status, 404);
}

#[tokio::test]
async fn interrupted_upload_keeps_received_bytes() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(900_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    let (sender, body) = channel_body();
    let feed = async {
        for piece in file[..600_000].chunks(50_000) {
            sender.send(Ok(Bytes::copy_from_slice(piece))).await.unwrap();
        }
        sender.send(Err(std::io::ErrorKind::ConnectionReset.into())).await.unwrap();
    };
    let (broken, ()) = tokio::join!(widget.append(&upload, 0, body), feed);
    assert_eq!(broken.status, 400, "{:?}", broken.body);
    assert_eq!(widget.offset(&upload).await, 600_000);
    let rest = widget.append(&upload, 600_000, file[600_000..].to_vec()).await;
    assert_eq!((rest.status.as_u16(), offset_of(&rest)), (204, file.len()));
    let progress = widget.send(Method::GET, &format!("/link/archives/{archive}"), None).await.body;
    assert_eq!(progress["files"][0]["sha256"], sha256(&file));
}

#[tokio::test]
async fn stalled_upload_yields_to_the_next_request() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(400_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    let (sender, body) = channel_body();
    let next = async {
        sender.send(Ok(Bytes::copy_from_slice(&file[..100_000]))).await.unwrap();
        // The channel holds one chunk: once the second is sent, the server has read the first.
        sender.send(Ok(Bytes::new())).await.unwrap();
        sender.send(Ok(Bytes::new())).await.unwrap();
        let offset = widget.offset(&upload).await;
        assert_eq!(offset, 100_000);
        widget.append(&upload, offset, file[offset..].to_vec()).await
    };
    let (stuck, next) = tokio::join!(widget.append(&upload, 0, body), next);
    assert_eq!(stuck.status, 423, "{:?}", stuck.body);
    assert_eq!((next.status.as_u16(), offset_of(&next)), (204, file.len()));
}

#[tokio::test]
async fn upload_is_not_interrupted_by_another_user() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let other_user = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(3_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    let (sender, body) = channel_body();
    let disturb = async {
        sender.send(Ok(Bytes::copy_from_slice(&file[..1_000]))).await.unwrap();
        // The channel holds one chunk: once the second is sent, the server has read the first.
        sender.send(Ok(Bytes::new())).await.unwrap();
        sender.send(Ok(Bytes::new())).await.unwrap();
        for method in [Method::HEAD, Method::DELETE] {
            assert_eq!(other_user.tus(method, &upload, &[], Body::empty()).await.status, 404);
        }
        assert_eq!(other_user.append(&upload, 0, Body::empty()).await.status, 404);
        sender.send(Ok(Bytes::copy_from_slice(&file[1_000..]))).await.unwrap();
        drop(sender);
    };
    let (sent, ()) = tokio::join!(widget.append(&upload, 0, body), disturb);
    assert_eq!((sent.status.as_u16(), offset_of(&sent)), (204, file.len()));
}

#[tokio::test]
async fn upload_accepts_bytes_with_its_creation() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(3_000);
    let length = file.len().to_string();
    let metadata = metadata_of(&[("archiveId", &archive), ("slot", "FRONT"), ("filename", "a.png")]);
    let headers = [
        ("upload-length", length.as_str()),
        ("upload-metadata", &metadata),
        ("content-type", "application/offset+octet-stream"),
    ];
    let created = widget.tus(Method::POST, "/link/uploads", &headers, file.clone()).await;
    assert_eq!((created.status.as_u16(), offset_of(&created)), (201, file.len()), "{:?}", created.body);
    let progress = widget.send(Method::GET, &format!("/link/archives/{archive}"), None).await.body;
    assert_eq!(
        (&progress["files"][0]["format"], &progress["files"][0]["slot"]),
        (&json!("PNG"), &json!("FRONT"))
    );
}

#[tokio::test]
async fn method_override_sends_patch_and_delete_as_post() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(3_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    let patch = [
        ("x-http-method-override", "PATCH"),
        ("upload-offset", "0"),
        ("content-type", "application/offset+octet-stream"),
    ];
    let sent = widget.tus(Method::POST, &upload, &patch, file[..1_000].to_vec()).await;
    assert_eq!((sent.status.as_u16(), offset_of(&sent)), (204, 1_000));
    assert_eq!(widget.tus(Method::POST, &upload, &[], Body::empty()).await.status, 405);
    let gone =
        widget.tus(Method::POST, &upload, &[("x-http-method-override", "DELETE")], Body::empty()).await;
    assert_eq!(gone.status, 204);
    assert_eq!(widget.tus(Method::HEAD, &upload, &[], Body::empty()).await.status, 404);
    let progress = widget.send(Method::GET, &format!("/link/archives/{archive}"), None).await.body;
    assert_eq!(progress["files"], json!([]));
}

const SEGMENT: usize = SEGMENT_BYTES as usize;
/// Two segments and a part of the third.
const SENT: usize = 600_123;

/// Returns a listening service whose file store holds writes.
async fn listening(backend: Backend, open: bool) -> (TestService, Arc<HeldFiles>, TcpListener) {
    let mut held = None;
    let service = TestService::start_of(
        backend,
        |_| {},
        |parts| {
            let files = HeldFiles::over(Arc::clone(&parts.ports.files), open);
            held = Some(Arc::clone(&files));
            parts.ports.files = files;
        },
    )
    .await;
    (service, held.unwrap(), TcpListener::bind("127.0.0.1:0").await.unwrap())
}

impl Uploader<'_> {
    /// Sends the first `until` bytes of a file over a new connection and returns the connection.
    async fn send_part(&self, listener: TcpListener, upload: &str, file: &[u8], until: usize) -> TcpStream {
        let address = listener.local_addr().unwrap();
        tokio::spawn(axum::serve(listener, self.service.router.clone()).into_future());
        let mut connection = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "PATCH {}{upload} HTTP/1.1\r\nhost: localhost:8787\r\nauthorization: Bearer {}\r\n\
             tus-resumable: 1.0.0\r\nupload-offset: 0\r\ncontent-type: application/offset+octet-stream\r\n\
             content-length: {}\r\n\r\n",
            self.service.sandbox.base,
            self.session,
            file.len()
        );
        connection.write_all(head.as_bytes()).await.unwrap();
        connection.write_all(&file[..until]).await.unwrap();
        connection
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn offset_includes_bytes_of_a_broken_connection() {
    let (service, files, listener) = listening(Backend::Sqlite, false).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(900_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    let connection = widget.send_part(listener, &upload, &file, SENT).await;
    // The first segment waits in the file store; the bytes after it wait in the connection.
    files.until_begun(1).await;
    drop(connection);
    // A browser that automatically retries the broken request waits for the lock before any HEAD.
    let id: FileId = upload.rsplit('/').next().unwrap().parse().unwrap();
    assert!(poll!(Box::pin(service.app.limits.upload_locks.take(&id))).is_pending());
    files.open.send_replace(true);
    assert_eq!(widget.offset(&upload).await, SENT);
    let rest = widget.append(&upload, SENT, file[SENT..].to_vec()).await;
    assert_eq!((rest.status.as_u16(), offset_of(&rest)), (204, file.len()));
    let progress = widget.send(Method::GET, &format!("/link/archives/{archive}"), None).await.body;
    assert_eq!(progress["files"][0]["sha256"], json!(sha256(&file)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn broken_connection_loses_less_than_a_segment() {
    for part in [0, 1, SEGMENT / 2, SEGMENT - 1] {
        let (service, files, listener) = listening(Backend::Sqlite, true).await;
        let widget = Uploader::new(&service).await;
        let archive = widget.archive("PAYSLIP").await;
        let file = picture(3 * SEGMENT + 1_000);
        let upload = widget.begin(&archive, "PAGE", file.len()).await;
        let sent = 2 * SEGMENT + part;
        let connection = widget.send_part(listener, &upload, &file, sent).await;
        files.until_begun(2).await;
        drop(connection);
        let offset = widget.offset(&upload).await;
        assert!(offset > sent - SEGMENT && offset <= sent, "{offset} of {sent}");
    }
}
