//! Uploads whose session ends while they run.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::Method;
use link_domain::documents::archive::SEGMENT_BYTES;
use link_domain::linking::link::ABSOLUTE_LIFE;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};

use super::protocol::channel_body;
use super::{Uploader, picture};
use crate::archives::TestClock;
use crate::service::{As, HOST_ORIGIN, TestService, secret, text};

impl TestService {
    /// Opens another session for a user.
    async fn session_of(&self, user: &str) -> String {
        self.session_with(user, &self.sandbox.template).await
    }

    /// Opens another session for a user, with this link template.
    async fn session_with(&self, user: &str, template: &str) -> String {
        let path = format!("/tokens?userId={user}");
        let token = self.send(Method::POST, &path, As::Tenant(&self.sandbox), None).await;
        let secret = secret();
        let mut body = self.exchange_of(&text(&token.body["accessToken"]), &secret);
        body["templateId"] = json!(template);
        let opened = self.send(Method::POST, "/link/sessions", As::Anonymous, Some(&body)).await;
        assert_eq!(opened.status, 201, "{:?}", opened.body);
        secret
    }
}

#[rstest]
#[case::closed(Backend::Sqlite, true)]
#[case::replaced(Backend::Sqlite, false)]
#[case::closed_on_postgres(Backend::Postgres, true)]
#[tokio::test]
async fn ended_session_stops_an_upload_in_progress(#[case] backend: Backend, #[case] is_closed: bool) {
    let service = TestService::start(backend).await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let widget = Uploader { service: &service, session };
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(3 * SEGMENT_BYTES as usize);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    let (sender, body) = channel_body();
    let end = async {
        sender.send(Ok(Bytes::copy_from_slice(&file[..100_000]))).await.unwrap();
        // The channel holds one chunk: once the second is sent, the server has read the first.
        sender.send(Ok(Bytes::new())).await.unwrap();
        sender.send(Ok(Bytes::new())).await.unwrap();
        if is_closed {
            assert_eq!(widget.send(Method::DELETE, "/link/session", None).await.status, 204);
        }
        let next = service.session_of(&user).await;
        sender.send(Ok(Bytes::copy_from_slice(&file[100_000..300_000]))).await.unwrap();
        next
    };
    let (refused, next) = tokio::join!(widget.append(&upload, 0, body), end);
    let at_the_start = widget.append(&upload, 0, "").await;
    assert_eq!(refused.status, 401, "{:?}", refused.body);
    for word in ["code", "status", "detail"] {
        assert_eq!(refused.body[word], at_the_start.body[word], "{word}");
    }
    // The next session continues from the received bytes.
    let next = Uploader { service: &service, session: next };
    assert_eq!(next.offset(&upload).await, 300_000);
    assert_eq!(next.append(&upload, 300_000, file[300_000..].to_vec()).await.status, 204);
}

#[tokio::test]
async fn upload_ends_when_its_session_expires() {
    let clock = Arc::new(TestClock::default());
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, |parts| parts.ports.clock = Arc::clone(&clock) as _)
            .await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(10_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    let use_after = Duration::from_secs(29 * 60);
    for _ in 0..10 {
        clock.advance(use_after);
        assert_eq!(widget.send(Method::GET, "/link/session", None).await.status, 200);
    }
    clock.advance(ABSOLUTE_LIFE - 10 * use_after - Duration::from_secs(4));
    let (sender, body) = channel_body();
    let send = sender.send(Ok(Bytes::copy_from_slice(&file[..1_000])));
    let (ended, _) = tokio::join!(widget.append(&upload, 0, body), send);
    assert_eq!((ended.status.as_u16(), &ended.body["code"]), (401, &json!("TOKEN_EXPIRED")));
}

#[tokio::test]
async fn shutdown_interrupts_upload_and_keeps_received_bytes() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(10_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    let (sender, body) = channel_body();
    let stop = async {
        sender.send(Ok(Bytes::copy_from_slice(&file[..1_000]))).await.unwrap();
        sender.send(Ok(Bytes::new())).await.unwrap();
        service.begin_to_stop();
    };
    let (stopped, ()) = tokio::join!(widget.append(&upload, 0, body), stop);
    assert_eq!(stopped.status, 503, "{:?}", stopped.body);
    assert_eq!(widget.offset(&upload).await, 1_000);
}

#[tokio::test]
async fn archive_of_an_earlier_session_needs_a_new_consent() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let forger = Uploader { service: &service, session };
    let archive = forger.archive("PAYSLIP").await;
    let sent = forger.upload(&archive, "PAGE", &picture(10_000)).await;
    assert_eq!(sent.status, 204, "{:?}", sent.body);

    let person = Uploader { service: &service, session: service.session_of(&user).await };
    let submit = format!("/link/archives/{archive}/submit");
    for body in [None, Some(json!({})), Some(json!({"consent": null}))] {
        let refused = person.send(Method::POST, &submit, body.as_ref()).await;
        assert_eq!((refused.status.as_u16(), &refused.body["code"]), (409, &json!("CONSENT_REQUIRED")));
    }
    let receipt = person.receipt();
    let submitted = person.send(Method::POST, &submit, Some(&json!({"consent": receipt}))).await;
    assert_eq!(submitted.status, 200, "{:?}", submitted.body);
    let again = person.send(Method::POST, &submit, None).await;
    assert_eq!(again.status, 200, "a client that lost the response repeats the request: {:?}", again.body);
}

#[tokio::test]
async fn session_of_another_template_reaches_no_archive() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let person = Uploader { service: &service, session };
    let archive = person.archive("PAYSLIP").await;
    let file = picture(9_000);
    let upload = person.begin(&archive, "PAGE", file.len()).await;
    let template = json!({
        "name": "second", "companyName": "Shop", "allowedOrigins": [HOST_ORIGIN],
        "consentTemplateId": service.sandbox.consent,
    });
    let second = service.post("/linkTemplates", template).await;
    assert_eq!(second.status, 201, "{:?}", second.body);

    let session = service.session_with(&user, &text(&second.body["id"])).await;
    let forger = Uploader { service: &service, session };
    let receipt = json!({"consent": forger.receipt()});
    let path = format!("/link/archives/{archive}");
    for (method, path, body) in [
        (Method::GET, path.clone(), None),
        (Method::DELETE, path.clone(), None),
        (Method::POST, format!("{path}/submit"), Some(&receipt)),
    ] {
        let refused = forger.send(method.clone(), &path, body).await;
        assert_eq!(refused.status, 404, "{method} {path}: {:?}", refused.body);
    }
    assert_eq!(forger.announce(&archive, "PAGE", 500, None).await.status, 404);
    assert_eq!(forger.append(&upload, 0, file.clone()).await.status, 404);
    assert_eq!(person.append(&upload, 0, file).await.status, 204);
    let submitted = person.send(Method::POST, &format!("{path}/submit"), None).await;
    assert_eq!(submitted.status, 200, "{:?}", submitted.body);

    let linked = forger.send(Method::GET, "/link/linked", None).await.body;
    assert_eq!(
        linked["archives"][0]["archiveId"],
        json!(archive),
        "the list has all of the person's archives"
    );
    let asked = forger.send(Method::POST, &format!("{path}/revocation"), None).await;
    assert_eq!(asked.status, 201, "{:?}", asked.body);
    let revoked = forger.send(Method::POST, &format!("{path}/revoke"), Some(&asked.body)).await;
    assert_eq!(revoked.status, 204, "they can revoke each: {:?}", revoked.body);
}

#[tokio::test]
async fn consent_of_a_later_session_widens_no_choice() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let optional = json!(["INCOMES", "RATINGS"]);
    let offered = service.patch(&path, json!({"optionalData": optional})).await;
    assert_eq!(offered.status, 200, "{:?}", offered.body);
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let person = Uploader { service: &service, session };
    let receipt = |declined: Value| {
        let mut receipt = person.receipt();
        receipt["dataChoice"] = json!({"optional": optional, "declined": declined});
        receipt
    };
    let body = json!({"type": "PAYSLIP", "consent": receipt(json!(["INCOMES"]))});
    let created = person.send(Method::POST, "/link/archives", Some(&body)).await;
    assert_eq!(created.status, 201, "{:?}", created.body);
    let archive = text(&created.body["archiveId"]);
    assert_eq!(person.upload(&archive, "PAGE", &picture(9_000)).await.status, 204);

    let forger = Uploader { service: &service, session: service.session_of(&user).await };
    let submit = format!("/link/archives/{archive}/submit");
    let wider = json!({"consent": receipt(json!(["RATINGS"]))});
    let submitted = forger.send(Method::POST, &submit, Some(&wider)).await;
    assert_eq!(submitted.status, 200, "{:?}", submitted.body);
    let consent = service.get(&format!("/archives/{archive}/consent")).await.body;
    assert_eq!(consent["declinedData"], json!(["INCOMES", "RATINGS"]), "{consent}");
}
