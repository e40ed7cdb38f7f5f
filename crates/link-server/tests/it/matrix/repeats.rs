//! Every POST of the tenant API, sent twice with one idempotency key.

use axum::http::Method;
use link_store::test_support::Backend;

use super::fixtures::Fixtures;
use super::operations::Security;
use crate::service::As;

#[tokio::test]
async fn every_post_runs_once_per_idempotency_key() {
    let fixtures = Fixtures::make(Backend::Sqlite).await;
    let rotating = format!("/webhooks/{}/rotateSecret", fixtures.id("/webhooks"));
    let rotation = fixtures.operations.iter().find(|it| it.path == "/webhooks/{id}/rotateSecret").unwrap();
    let body = fixtures.body_of(rotation);
    // The confirmation needs a rotation in progress.
    let caller = As::Tenant(&fixtures.service.sandbox);
    let rotated = fixtures.service.send(Method::POST, &rotating, caller, body.as_ref()).await;
    assert!(rotated.status.is_success(), "{:?}", rotated.body);
    let posts = fixtures.operations.iter().filter(|it| it.method == Method::POST);
    let posts = posts.filter(|it| it.security == Security::Tenant);
    let mut done = 0;
    for operation in posts {
        let path = fixtures.address_of(operation);
        let body = fixtures.body_of(operation);
        let key = [("idempotency-key".to_owned(), format!("once {path}"))];
        let caller = || As::Tenant(&fixtures.service.sandbox);
        let send = || fixtures.service.send_with(Method::POST, &path, caller(), &key, body.as_ref());
        let (first, again) = (send().await, send().await);
        assert!(first.status.is_success(), "{path} {body:?}: {:?}", first.body);
        assert!(!first.headers.contains_key("idempotency-replayed"), "{path}");
        assert!(again.headers.contains_key("idempotency-replayed"), "{path} ran twice");
        assert_eq!((again.status, &again.bytes), (first.status, &first.bytes), "{path}");
        done += 1;
    }
    assert!(done > 20, "{done} POSTs");
}
