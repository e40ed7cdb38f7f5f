//! Connections that break while the service is still writing their bytes.

use std::sync::Arc;

use axum::http::Method;
use futures_util::poll;
use link_domain::documents::archive::SEGMENT_BYTES;
use link_store::test_support::Backend;
use link_types::id::FileId;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};

use super::{Uploader, offset_of, picture, sha256};
use crate::held_files::HeldFiles;
use crate::service::TestService;

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
            let files = HeldFiles::over(Arc::clone(&parts.files), open);
            held = Some(Arc::clone(&files));
            parts.files = files;
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
    assert!(poll!(Box::pin(service.app.upload_locks().take(&id))).is_pending());
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
