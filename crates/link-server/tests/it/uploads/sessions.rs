//! A request that sends for long, in a session that ends meanwhile.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::Method;
use link_domain::archive::SEGMENT_BYTES;
use link_domain::link::ABSOLUTE_LIFE;
use link_store::test_support::Backend;
use serde_json::json;

use super::protocol::hand_fed;
use super::{Uploader, picture};
use crate::archives::MovedClock;
use crate::service::{As, TestService, secret, text};

impl TestService {
    /// Another session of a user.
    async fn session_of(&self, user: &str) -> String {
        let path = format!("/tokens?userId={user}");
        let token = self.send(Method::POST, &path, As::Tenant(&self.sandbox), None).await;
        let secret = secret();
        let opened = self.exchange(&text(&token.body["accessToken"]), &secret).await;
        assert_eq!(opened.status, 201, "{:?}", opened.body);
        secret
    }
}

#[tokio::test]
async fn a_session_that_was_closed_or_taken_over_sends_no_further_segment() {
    let ends = [(Backend::Sqlite, true), (Backend::Sqlite, false), (Backend::Postgres, true)];
    for (backend, is_closed) in ends {
        let service = TestService::start(backend).await;
        let (user, token) = service.user().await;
        let session = secret();
        assert_eq!(service.exchange(&token, &session).await.status, 201);
        let widget = Uploader { service: &service, session };
        let archive = widget.archive("PAYSLIP").await;
        let file = picture(3 * SEGMENT_BYTES as usize);
        let upload = widget.begin(&archive, "PAGE", file.len()).await;
        let (sender, body) = hand_fed();
        let end = async {
            sender.send(Ok(Bytes::copy_from_slice(&file[..100_000]))).await.unwrap();
            // The channel holds one piece: once the second fits in, the first was taken.
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
        // What came is kept for who goes on.
        let next = Uploader { service: &service, session: next };
        assert_eq!(next.offset(&upload).await, 300_000, "on {backend:?}");
        assert_eq!(next.append(&upload, 300_000, file[300_000..].to_vec()).await.status, 204);
    }
}

#[tokio::test]
async fn no_request_lasts_longer_than_its_session() {
    let clock = Arc::new(MovedClock::default());
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, |parts| parts.clock = Arc::clone(&clock) as _).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(10_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    let use_after = Duration::from_secs(29 * 60);
    for _ in 0..10 {
        clock.later(use_after);
        assert_eq!(widget.send(Method::GET, "/link/session", None).await.status, 200);
    }
    clock.later(ABSOLUTE_LIFE - 10 * use_after - Duration::from_secs(4));
    let (sender, body) = hand_fed();
    let send = sender.send(Ok(Bytes::copy_from_slice(&file[..1_000])));
    let (ended, _) = tokio::join!(widget.append(&upload, 0, body), send);
    assert_eq!((ended.status.as_u16(), &ended.body["code"]), (401, &json!("TOKEN_EXPIRED")));
}

#[tokio::test]
async fn a_stop_does_not_wait_for_a_sender_and_keeps_what_came() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(10_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    let (sender, body) = hand_fed();
    let stop = async {
        sender.send(Ok(Bytes::copy_from_slice(&file[..1_000]))).await.unwrap();
        sender.send(Ok(Bytes::new())).await.unwrap();
        service.begin_to_stop();
    };
    let (stopped, ()) = tokio::join!(widget.append(&upload, 0, body), stop);
    assert_eq!(stopped.status, 503, "{:?}", stopped.body);
    assert_eq!(widget.offset(&upload).await, 1_000);
}
