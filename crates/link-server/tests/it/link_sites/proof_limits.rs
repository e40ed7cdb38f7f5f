//! The proof of an email address on a link site: who can be mailed how often, and how a person begins again.

use axum::http::Method;
use link_domain::invitations::address_proof::{CODE_LIFE, CODE_WAIT, MAX_CODES};
use link_domain::notifications::mail::{SuppressedBecause, recipient_hash};
use link_store::test_support::Backend;
use link_store::{Label, StoreError};
use link_test_support::wait;
use rstest::rstest;
use serde_json::json;

use super::Stage;
use super::proof::{ANA, other_than, proving};
use crate::invites::{MailServer, html};

const REFUSED: &str = "We cannot send email to this address now.";
const UNAVAILABLE: &str = "We cannot send codes at the moment.";

impl Stage {
    /// Requests a code for an address in a new visit.
    async fn request(&self, address: &str) -> (u16, String) {
        let cookie = self.enter_unproven().await;
        self.prove(&cookie, &[("address", address)]).await
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn site_cannot_flood_a_mailbox(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let stage = Stage::with(backend, |settings| {
        settings.smtp_url = Some("smtp://127.0.0.1:1".into());
        settings.live.edit(|live| {
            live.mails_per_recipient = 4.try_into().unwrap();
            live.mails_per_tenant = 10.try_into().unwrap();
        });
    })
    .await;
    stage.service.allow_mail("@example.com").await;
    stage.site(proving(&stage)).await;
    for spelling in [ANA, "Ana+x@Example.com"] {
        assert_eq!(stage.request(spelling).await.0, 303, "{spelling}");
    }
    let (status, page) = stage.request(ANA).await;
    assert!(status == 422 && page.contains(REFUSED) && page.contains(ANA), "a third of the limit: {page}");
    for name in ["bo", "cy", "di"] {
        assert_eq!(stage.request(&format!("{name}@example.com")).await.0, 303, "{name}");
    }
    let (status, page) = stage.request("eve@example.com").await;
    assert!(status == 422 && page.contains(UNAVAILABLE), "invitations keep the other half: {page}");
    assert!(page.contains("value=\"eve@example.com\""), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_leave_the_other_mails_of_a_mailbox_alone() {
    let server = MailServer::up();
    let address = server.address();
    let stage = Stage::with(Backend::Sqlite, move |settings| {
        settings.smtp_url = Some(address.into());
        settings.live.edit(|live| live.mails_per_recipient = 2.try_into().unwrap());
    })
    .await;
    let service = &stage.service;
    service.allow_mail("@example.com").await;
    stage.site(proving(&stage)).await;
    assert_eq!(stage.request(ANA).await.0, 303);
    assert!(stage.request(ANA).await.1.contains(REFUSED));
    let (_, session) = service.visit_of(ANA).await;
    service.link_in(&session).await;
    service.browse(Method::POST, "/me", "", Some("address=ana%40example.com")).await;
    let is_mailed = async || server.mails().iter().any(|it| it.contains("/me/open/"));
    wait::until("the link to the own page is mailed", is_mailed).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn production_without_a_mail_server_does_not_blame_the_address() {
    let mut stage = Stage::set(Backend::Sqlite).await;
    let service = &mut stage.service;
    std::mem::swap(&mut service.sandbox, &mut service.production);
    stage.site(proving(&stage)).await;
    let (status, page) = stage.request(ANA).await;
    assert!(status == 422 && page.contains(UNAVAILABLE) && page.contains(ANA), "{page}");
    assert!(!page.contains("aria-invalid"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn suppressed_address_gets_no_code_and_no_reason() {
    let stage = Stage::set(Backend::Sqlite).await;
    stage.site(proving(&stage)).await;
    let app = &stage.service.app;
    let now = app.wall();
    let suppressed = app.store.write(move |tx| -> Result<(), StoreError> {
        let hash = recipient_hash(&tx.derive_key(Label::Lookup), ANA);
        tx.mails().suppress(&hash, SuppressedBecause::Unsubscribed, now)
    });
    suppressed.await.unwrap();
    let cookie = stage.enter_unproven().await;
    let (status, page) = stage.prove(&cookie, &[("address", ANA)]).await;
    assert!(status == 422 && page.contains(REFUSED), "{page}");
    assert!(stage.page("/visit", &cookie).await.1.contains("Confirm your email address"));
    assert_eq!(stage.prove(&cookie, &[("address", "bo@example.com")]).await.0, 303);
}

#[tokio::test(flavor = "multi_thread")]
async fn person_without_another_code_begins_a_new_visit() {
    let stage = Stage::set(Backend::Sqlite).await;
    stage.site(proving(&stage)).await;
    let cookie = stage.enter_unproven().await;
    for _ in 0..MAX_CODES {
        stage.clock.advance(CODE_WAIT);
        assert_eq!(stage.prove(&cookie, &[("address", ANA)]).await.0, 303);
    }
    let waiting = stage.service.browse(Method::GET, "/s/loans", &cookie, None).await;
    assert_eq!(waiting.headers["location"], "/visit", "the last code still works");
    let wrong = other_than(&stage.read_stored_code(ANA).await);
    for _ in 0..4 {
        assert_eq!(stage.prove(&cookie, &[("code", &wrong)]).await.0, 422);
    }
    let (status, page) = stage.prove(&cookie, &[("code", &wrong)]).await;
    assert!(status == 403 && page.contains("Please begin again."), "{page}");
    assert!(page.contains("href=\"/s/loans\""), "{page}");
    let (status, page) = stage.page("/s/loans", &cookie).await;
    assert!(status == 200 && page.contains("Apply for a loan"), "{page}");
    let next = stage.enter_unproven().await;
    stage.code_for(&next, ANA).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn person_without_another_code_begins_again_in_a_frame() {
    let stage = Stage::set(Backend::Sqlite).await;
    super::embedded::embeddable(&stage, |it| it["access"] = json!("PROVEN_EMAIL")).await;
    let secret = stage.enter_frame().await;
    let send = async |path: &str, form: &str| {
        let form = format!("_visit={secret}&{form}");
        html(&stage.service.browse(Method::POST, path, "", Some(&form)).await)
    };
    for _ in 0..MAX_CODES {
        stage.clock.advance(CODE_WAIT);
        send("/s/loans/embed/proof", "address=ana%40example.com").await;
    }
    let last = stage.read_stored_code(ANA).await;
    stage.clock.advance(CODE_LIFE);
    let late = send("/s/loans/embed/proof", &format!("code={last}")).await;
    assert!(late.contains("Your visit has ended") && late.contains("href=\"/s/loans/embed\""), "{late}");
    let first = send("/s/loans/embed", "").await;
    assert!(first.contains("Apply for a loan") && first.contains("data-over=\"true\""), "{first}");
}
