//! The sample documents that simulate a reader fault do so only in the sandbox.

use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::test_support::Backend;
use link_test_support::wait;
use serde_json::json;

use crate::service::{As, TestService, text};

const BROKEN: &[u8] = include_bytes!("../../../../docs/samples/reader-broken.pdf");

#[tokio::test]
async fn fault_sample_is_an_ordinary_document_in_production() {
    let service = TestService::start(Backend::Sqlite).await;
    for (keys, expected) in [(&service.sandbox, "ERROR"), (&service.production, "ANALYZED")] {
        let user = service.send(Method::POST, "/users", As::Tenant(keys), Some(&json!({}))).await;
        let file = json!({"name": "Recibo.pdf", "content": STANDARD.encode(BROKEN)});
        let body = json!({"userId": user.body["id"], "type": "PAYSLIP", "files": [file]});
        let created = service.send(Method::POST, "/archives", As::Tenant(keys), Some(&body)).await;
        assert_eq!(created.status, 201, "{}", created.body);
        let path = format!("/archives/{}", text(&created.body["id"]));
        let archive = wait::until_some("the analysis ends", async || {
            let archive = service.send(Method::GET, &path, As::Tenant(keys), None).await.body;
            (archive["state"]["status"] != "STARTED").then_some(archive)
        })
        .await;
        assert_eq!(archive["state"]["status"], expected, "{archive}");
    }
}
