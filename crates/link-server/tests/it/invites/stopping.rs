//! Protection against unwanted mail: the sandbox's allowed recipients, daily limits and the suppression list.

use std::num::NonZeroU32;

use axum::http::{Method, StatusCode};
use link_domain::notifications::mail::{
    AllowedRecipients, SuppressedBecause, counted_tenant, mail_day, recipient_hash,
};
use link_server::adapters::kept_mail;
use link_store::test_support::Backend;
use link_store::{Label, StoreError};
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use super::life::address_after;
use super::{HOSTED, MailServer, ana, html, with_mail};
use crate::service::{As, TestService, text};

impl TestService {
    async fn mail_key(&self) -> [u8; 32] {
        let key = self.app.store.read(|reader| Ok::<_, StoreError>(reader.derive_key(Label::Lookup)));
        key.await.unwrap()
    }

    /// Allows recipients for the sandbox, as an operator does.
    pub async fn allow_mail(&self, recipients: &str) {
        self.allow_mail_of(self.owner().tenant.as_str(), recipients).await;
    }

    async fn allow_mail_of(&self, tenant: &str, recipients: &str) {
        let recipients: AllowedRecipients = recipients.parse().unwrap();
        let (hash, tenant, now) =
            (recipients.hash(&self.mail_key().await), tenant.parse().unwrap(), self.app.wall());
        let allowed =
            self.app.store.write(move |tx| tx.mails().allow(&tenant, &hash, recipients.domain(), now));
        assert!(allowed.await.unwrap());
    }

    async fn is_suppressed(&self, address: &str) -> bool {
        let hash = recipient_hash(&self.mail_key().await, address);
        self.app.store.read(move |reader| reader.mails().is_suppressed(&hash)).await.unwrap()
    }

    pub(super) async fn suppress(&self, address: &str) {
        let (hash, now) = (recipient_hash(&self.mail_key().await, address), self.app.wall());
        let stopped =
            self.app.store.write(move |tx| tx.mails().suppress(&hash, SuppressedBecause::Operator, now));
        stopped.await.unwrap();
    }

    async fn invite_at(&self, address: &str) -> Value {
        let mut whom = ana(self);
        whom["emailAddress"] = json!(address);
        let made = self.post("/invites", whom).await;
        assert_eq!(made.status, 201, "{:?}", made.body);
        made.body
    }

    async fn until_mailed(&self, invite: &Value) -> Value {
        self.until_invite(invite, "mailed", |it| !it["invitedAt"].is_null()).await
    }
}

/// Returns a service with a mail server whose sandbox has no allowed recipients.
async fn start_unverified(backend: Backend, server: &MailServer) -> TestService {
    let address = server.address();
    TestService::start_with(backend, move |settings| settings.smtp_url = Some(address.into())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn sandbox_stores_mail_to_unverified_addresses() {
    let server = MailServer::up();
    let service = start_unverified(Backend::Sqlite, &server).await;
    let invite = service.invite_ana().await;
    let kept = service.until_mailed(&invite).await;
    assert_eq!((&kept["mailError"], &kept["status"]), (&json!("UNVERIFIED"), &json!("INVITED")));
    assert_eq!(server.mails(), Vec::<String>::new(), "no mail left the service");
    let id = text(&invite["id"]).parse().unwrap();
    let mail = kept_mail::last(&service.app.store, service.app.ports.files.as_ref(), id).await.unwrap();
    assert!(mail.contains("ana@example.com"), "{mail}");

    service.allow_mail("ana@example.com").await;
    let resend = format!("/invites/{}/resend", text(&invite["id"]));
    assert_eq!(service.send(Method::POST, &resend, As::Tenant(&service.sandbox), None).await.status, 200);
    service
        .until_invite(&invite, "mailed", |it| it["mailError"].is_null() && it["logs"][1] != Value::Null)
        .await;
    assert_eq!(server.mails().len(), 1);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn mail_over_daily_tenant_limit_is_postponed(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let server = MailServer::up();
    let address = server.address();
    let service = TestService::start_with(backend, move |settings| {
        settings.smtp_url = Some(address.into());
        settings.live.edit(|live| live.mails_per_tenant = NonZeroU32::new(2).unwrap());
    })
    .await;
    service.allow_mail("@example.com").await;
    for name in ["a", "b"] {
        let invite = service.invite_at(&format!("{name}@example.com")).await;
        assert_eq!(service.until_mailed(&invite).await["mailError"], Value::Null);
    }
    let third = service.invite_at("c@example.com").await;
    let waiting = service.until_invite(&third, "held", |it| !it["mailError"].is_null()).await;
    assert_eq!((&waiting["mailError"], &waiting["invitedAt"]), (&json!("LIMITED"), &Value::Null));
    assert_eq!(server.mails().len(), 2);
    let (owner, key) = (service.owner(), format!("send/{}", text(&third["id"])));
    let job = service.app.store.read(move |reader| reader.jobs().get(&owner, &key)).await.unwrap();
    assert!(job.is_some(), "the mail is still scheduled");
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_over_daily_recipient_limit_is_postponed() {
    let server = MailServer::up();
    let address = server.address();
    let service = TestService::start_with(Backend::Sqlite, move |settings| {
        settings.smtp_url = Some(address.into());
        // One tenant may send half of these mails.
        settings.live.edit(|live| live.mails_per_recipient = NonZeroU32::new(4).unwrap());
    })
    .await;
    service.allow_mail("@example.com").await;
    for spelling in ["ana@example.com", "ana+1@example.com"] {
        service.until_mailed(&service.invite_at(spelling).await).await;
    }
    let third = service.invite_at("Ana+2@Example.com").await;
    let waiting = service.until_invite(&third, "held", |it| !it["mailError"].is_null()).await;
    assert_eq!(waiting["mailError"], "LIMITED");
    assert_eq!(server.mails().len(), 2);
    service.until_mailed(&service.invite_at("bo@example.com").await).await;

    let other_tenant = service.another_tenant().await;
    service.allow_mail_of("other", "@example.com").await;
    let mut whom = ana(&service);
    whom["inviteTemplateId"] = json!(other_tenant.invite_template);
    whom["linkTemplateId"] = json!(other_tenant.template);
    let made = service.send(Method::POST, "/invites", As::Tenant(&other_tenant), Some(&whom)).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    wait::until("another tenant reaches the mailbox", async || server.mails().len() >= 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_spelling_of_a_suppressed_address_gets_no_mail() {
    let server = MailServer::up();
    let service = with_mail(Backend::Sqlite, &server).await;
    let mut quoted = ana(&service);
    for address in ["\"ana\"@example.com", "\"a\\na\"@example.com", "ana@[127.0.0.1]"] {
        quoted["emailAddress"] = json!(address);
        let refused = service.post("/invites", quoted.clone()).await;
        assert_eq!(refused.status, 422, "{address}: {:?}", refused.body);
        assert_eq!(refused.body["errors"][0]["field"], "emailAddress");
    }
    for (stopped, spelling) in
        [("ana@xn--bcher-kva.example", "ana@b\u{fc}cher.example"), ("ana@gmail.com", "A.na+1@googlemail.com")]
    {
        service.suppress(stopped).await;
        let invite = service.invite_at(spelling).await;
        let held = service.until_invite(&invite, "held", |it| !it["mailError"].is_null()).await;
        assert_eq!(held["mailError"], "SUPPRESSED", "{spelling}");
    }
    assert_eq!(server.mails(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn retried_mail_counts_once() {
    let mut server = MailServer::down();
    let service = with_mail(Backend::Sqlite, &server).await;
    let invite = service.invite_ana().await;
    let (owner, key) = (service.owner(), format!("send/{}", text(&invite["id"])));
    wait::until("the mail is retried", async || {
        let (owner, key) = (owner.clone(), key.clone());
        let job = service.app.store.read(move |reader| reader.jobs().get(&owner, &key)).await.unwrap();
        job.is_some_and(|job| job.attempts > 1)
    })
    .await;
    server.start(&[]);
    service.until_mailed(&invite).await;
    let (day, counted) = (mail_day(service.app.wall()), counted_tenant(&owner));
    let count = service.app.store.write(move |tx| tx.mails().count_of_day(day, &counted)).await;
    assert_eq!(count.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_click_unsubscribe_stops_all_mail_to_the_address() {
    let server = MailServer::up();
    let service = with_mail(Backend::Sqlite, &server).await;
    service.until_mailed(&service.invite_ana().await).await;
    let mail = server.mails().remove(0).replace("\n ", " ");
    let stop = address_after(&mail, &format!("{HOSTED}/mail/stop/"));
    let stop = stop.trim_end_matches('>');
    assert!(mail.contains(&format!("List-Unsubscribe: <{stop}>")), "{mail}");
    assert!(mail.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{mail}");
    assert!(mail.contains("Report abuse: invites@localhost"), "{mail}");

    // A link scanner's GET does not unsubscribe.
    let page = service.browse(Method::GET, stop, "", None).await;
    assert!(html(&page).contains("Stop all email to my address"), "{}", html(&page));
    assert!(!html(&page).contains("ana@example.com"), "the page does not show the address");
    assert!(!service.is_suppressed("ana@example.com").await);

    let stopped = service.browse(Method::POST, stop, "", Some("List-Unsubscribe=One-Click")).await;
    assert_eq!(stopped.status, 200, "{}", html(&stopped));
    assert!(service.is_suppressed("Ana+x@example.com").await);
    let page = service.browse(Method::GET, stop, "", None).await;
    assert!(html(&page).contains("is stopped"), "{}", html(&page));

    let next = service.invite_ana().await;
    let refused = service.until_invite(&next, "refused", |it| !it["mailError"].is_null()).await;
    assert_eq!((&refused["mailError"], &refused["invitedAt"]), (&json!("SUPPRESSED"), &Value::Null));
    assert_eq!(server.mails().len(), 1);
}

#[tokio::test]
async fn forged_unsubscribe_link_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    for token in ["0".repeat(96), "x".to_owned(), "0".repeat(64)] {
        let response = service.browse(Method::POST, &format!("/mail/stop/{token}"), "", Some("")).await;
        assert_eq!(response.status, StatusCode::NOT_FOUND);
    }
    let counts = service.app.store.read(|reader| reader.mails().suppressions()).await.unwrap();
    assert_eq!(counts, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn address_released_by_the_operator_gets_mail_again() {
    let server = MailServer::up();
    let service = with_mail(Backend::Sqlite, &server).await;
    service.suppress("ana@example.com").await;
    let invite = service.invite_ana().await;
    service.until_invite(&invite, "refused", |it| it["mailError"] == "SUPPRESSED").await;
    let hash = recipient_hash(&service.mail_key().await, "ana@example.com");
    assert!(service.app.store.write(move |tx| tx.mails().release(&hash)).await.unwrap());
    let resend = format!("/invites/{}/resend", text(&invite["id"]));
    assert_eq!(service.send(Method::POST, &resend, As::Tenant(&service.sandbox), None).await.status, 200);
    service.until_mailed(&invite).await;
    assert_eq!(server.mails().len(), 1);
}
