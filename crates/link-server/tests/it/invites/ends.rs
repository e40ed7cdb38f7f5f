//! The end of an invitation, its link or its user ends visits, link tokens and sessions.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use axum::http::Method;
use link_domain::kernel::system::Entropy;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};

use super::html;
use crate::service::{As, TestService, text};

#[tokio::test]
async fn newer_invitation_link_starts_no_visit_after_linking() {
    let service = TestService::start(Backend::Sqlite).await;
    let invite = service.invited().await;
    let cookie = service.enter(&text(&invite["landingPageUrl"])).await;
    let session = service.widget_of(&cookie).await;
    let resend = format!("/invites/{}/resend", text(&invite["id"]));
    let again = service.send(Method::POST, &resend, As::Tenant(&service.sandbox), None).await;
    let newer = text(&again.body["landingPageUrl"]);
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.settled(&session, &progress).await;
    service.until_invite(&invite, "linked", |it| it["status"] == "LINKED").await;
    let entered = service.browse(Method::POST, &newer, "", None).await;
    assert!(!entered.headers.contains_key("set-cookie"), "no visit starts");
    let page = service.browse(Method::GET, &newer, "", None).await;
    assert!(html(&page).contains("This invitation is complete"), "{}", html(&page));
    assert!(
        !html(&page).contains("Ana") && !html(&page).contains("Ruiz"),
        "the page does not name the person"
    );
    let page = service.browse(Method::GET, &newer, &cookie, None).await;
    assert!(html(&page).contains("You have already done this"), "{}", html(&page));
}

#[tokio::test]
async fn revoked_invitation_ends_its_tokens_and_sessions() {
    let service = TestService::start(Backend::Sqlite).await;
    let invite = service.invited().await;
    let cookie = service.enter(&text(&invite["landingPageUrl"])).await;
    let session = service.widget_of(&cookie).await;
    let unused = service.browse(Method::POST, "/visit/token", &cookie, None).await;
    let path = "/link/session";
    let alive = service.send(Method::GET, path, As::Session(&session), None).await;
    assert_eq!(alive.status, 200, "{:?}", alive.body);
    assert_eq!(service.delete(&format!("/invites/{}", text(&invite["id"]))).await.status, 204);
    let ended = service.send(Method::GET, path, As::Session(&session), None).await;
    assert_eq!(ended.status, 401, "{:?}", ended.body);
    let mut body = service.exchange_of(&text(&unused.body["userToken"]), &crate::service::secret());
    body["hostOrigin"] = json!(super::HOSTED);
    let opened = service.send(Method::POST, "/link/sessions", As::Anonymous, Some(&body)).await;
    assert_eq!(opened.status, 401, "{:?}", opened.body);
}

#[rstest]
#[tokio::test]
async fn visit_keeps_five_unused_link_tokens(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let invite = service.invited().await;
    let cookie = service.enter(&text(&invite["landingPageUrl"])).await;
    let mut tokens = Vec::new();
    for _ in 0..7 {
        let minted = service.browse(Method::POST, "/visit/token", &cookie, None).await;
        tokens.push(text(&minted.body["userToken"]));
    }
    let mut opened = Vec::new();
    for token in &tokens {
        let mut body = service.exchange_of(token, &crate::service::secret());
        body["hostOrigin"] = json!(super::HOSTED);
        let answer = service.send(Method::POST, "/link/sessions", As::Anonymous, Some(&body)).await;
        opened.push(answer.status.as_u16());
    }
    assert_eq!(opened, [401, 401, 201, 201, 201, 201, 201]);
}

/// Randomness that, once armed, blocks its next caller until the test continues.
struct BlockingEntropy {
    armed: AtomicBool,
    stopped: Sender<()>,
    go_on: Mutex<Receiver<()>>,
}

impl Entropy for BlockingEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        link_server::adapters::system::SystemEntropy.fill(bytes);
        if self.armed.swap(false, Ordering::SeqCst) {
            tokio::task::block_in_place(|| {
                self.stopped.send(()).unwrap();
                self.go_on.lock().unwrap().recv().unwrap();
            });
        }
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn page_submission_during_user_erasure_is_not_stored(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[values("/visit/form", "/visit/token")] path: &'static str,
) {
    let asks = path == "/visit/form";
    let form = json!({"reference": "x", "fields": [{"name": "notes", "label": "Notes", "type": "TEXT"}]});
    let ((stopped, was_stopped), (go, go_on)) = (channel(), channel());
    let entropy =
        Arc::new(BlockingEntropy { armed: AtomicBool::new(false), stopped, go_on: Mutex::new(go_on) });
    let its = Arc::clone(&entropy);
    let exchange = |parts: &mut link_server::app::Parts| parts.entropy = its;
    let service = Arc::new(TestService::start_of(backend, |_| {}, exchange).await);
    if asks {
        let template = format!("/linkTemplates/{}", service.sandbox.template);
        assert_eq!(service.patch(&template, json!({"form": form})).await.status, 200);
    }
    let invite = service.invited().await;
    service.until_invite(&invite, "mailed", |it| !it["invitedAt"].is_null()).await;
    let cookie = service.enter(&text(&invite["landingPageUrl"])).await;

    // The user is erased after the visit is checked and before anything is written.
    entropy.armed.store(true, Ordering::SeqCst);
    let asking = Arc::clone(&service);
    let sent = tokio::spawn(async move {
        asking.browse(Method::POST, path, &cookie, asks.then_some("notes=canary")).await.status
    });
    tokio::task::block_in_place(|| was_stopped.recv().unwrap());
    let user = format!("/users/{}", text(&invite["userId"]));
    assert_eq!(service.delete(&user).await.status, 204);
    go.send(()).unwrap();
    let refused = sent.await.unwrap().as_u16();
    assert_eq!(refused, if asks { 403 } else { 401 }, "{path}");
    assert_eq!(service.get("/alpha/forms").await.body["items"], Value::Array(Vec::new()));
}
