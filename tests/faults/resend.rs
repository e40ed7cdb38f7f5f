//! A kill after a receiver has refused a delivery.

use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use rstest::rstest;
use serde_json::json;

use crate::process::Linchpin;

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn refused_delivery_is_resent_unchanged_after_a_kill(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let receiver = Receiver::start(&[500]).await;
    let mut service = Linchpin::start(backend);
    let client = service.client();
    let hook = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": "a secret of a tenant"});
    assert_eq!(client.post("/webhooks", &hook).unwrap().0, 201);
    assert_eq!(client.post("/users", &json!({})).unwrap().0, 201);
    let refused = receiver.until(1).await.remove(0);
    service.kill();
    service.restart();
    let again = receiver.until(2).await.remove(1);
    assert_eq!(again.event["id"], refused.event["id"]);
    assert_eq!(again.body, refused.body, "byte for byte");
    assert_eq!(again.headers["service-signature"], refused.headers["service-signature"]);
}
