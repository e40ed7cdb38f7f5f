//! Files that are refused after their last byte: each for its reason, and nothing of them stays.

use axum::http::Method;
use link_store::test_support::Backend;
use serde_json::json;

use super::{Uploader, picture, sha256};
use crate::service::TestService;

#[tokio::test]
async fn bytes_that_are_not_those_announced_are_refused() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let widget = Uploader::new(&service).await;
        let archive = widget.archive("PAYSLIP").await;
        let file = picture(300_000);
        let created = widget.announce(&archive, "PAGE", file.len(), Some(&sha256(b"another"))).await;
        let upload = created.headers["location"].to_str().unwrap().replace("/sandbox/v1", "");
        let refused = widget.append(&upload, 0, file).await;
        assert_eq!((refused.status.as_u16(), &refused.body["fileFault"]), (460, &json!("HASH_MISMATCH")));
        let progress = widget.send(Method::GET, &format!("/link/archives/{archive}"), None).await.body;
        assert_eq!(progress["files"], json!([]), "on {backend:?}");
    }
}
