//! Every POST of the tenant's API, sent twice under one key.

use axum::http::Method;
use link_store::test_support::Backend;

use super::operations::Security;
use super::things::Things;
use crate::service::As;

#[tokio::test]
async fn every_post_is_done_once_under_its_key_and_answered_alike() {
    for backend in Backend::ALL {
        let things = Things::make(backend).await;
        let rotating = format!("/webhooks/{}/rotateSecret", things.id("/webhooks"));
        let rotation = things.operations.iter().find(|it| it.path == "/webhooks/{id}/rotateSecret").unwrap();
        let body = things.body_of(rotation);
        // So that there is a rotation to confirm.
        let caller = As::Tenant(&things.service.sandbox);
        let rotated = things.service.send(Method::POST, &rotating, caller, body.as_ref()).await;
        assert!(rotated.status.is_success(), "{:?}", rotated.body);
        let posts = things.operations.iter().filter(|it| it.method == Method::POST);
        let posts = posts.filter(|it| it.security == Security::Tenant);
        let mut done = 0;
        for operation in posts {
            let path = things.address_of(operation);
            let body = things.body_of(operation);
            let key = [("idempotency-key".to_owned(), format!("once {path}"))];
            let caller = || As::Tenant(&things.service.sandbox);
            let send = || things.service.send_with(Method::POST, &path, caller(), &key, body.as_ref());
            let (first, again) = (send().await, send().await);
            assert!(first.status.is_success(), "{path} {body:?} on {backend:?}: {:?}", first.body);
            assert!(!first.headers.contains_key("idempotency-replayed"), "{path} on {backend:?}");
            assert!(
                again.headers.contains_key("idempotency-replayed"),
                "{path} is done twice on {backend:?}"
            );
            assert_eq!((again.status, &again.bytes), (first.status, &first.bytes), "{path} on {backend:?}");
            done += 1;
        }
        assert!(done > 20, "{done} POSTs");
    }
}
