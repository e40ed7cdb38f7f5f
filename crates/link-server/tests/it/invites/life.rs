//! The lifecycle of an invitation: mailed, opened, linked, resent, refused, revoked, expired.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::Method;
use link_domain::kernel::system::{Clock, Entropy};
use link_store::StoreError;
use link_store::test_support::Backend;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use super::{HOSTED, MailServer, ana, html, steps, with_mail};
use crate::archives::TestClock;
use crate::service::{As, TestService, text};

/// Extracts the URL that begins with `mark`.
pub fn address_after(mail: &str, mark: &str) -> String {
    let (_, rest) = mail.split_once(mark).unwrap_or_else(|| panic!("no {mark} in {mail}"));
    format!("{mark}{}", rest.split(['"', '\n', '<', ' ']).next().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn invited_user_links_account_and_emits_invite_linked() {
    let server = MailServer::up();
    let service = with_mail(Backend::Sqlite, &server).await;
    let invite = service.invite_ana().await;
    assert_eq!((&invite["status"], &invite["fullName"]), (&json!("INVITED"), &json!("Ana <Ruiz>")));
    let sent = service.until_invite(&invite, "mailed", |it| !it["invitedAt"].is_null()).await;
    assert_eq!(service.event_types().await, ["USER_CREATED", "INVITE_INVITED"]);

    let mails = server.mails();
    assert_eq!(mails.len(), 1, "{mails:?}");
    let mail = &mails[0];
    assert!(mail.contains("Subject: Demo Company asks you to link an account"), "{mail}");
    assert!(mail.contains("Hello Ana &lt;Ruiz&gt;,") && mail.contains("Hello Ana <Ruiz>,"), "{mail}");
    let link = address_after(mail, &format!("{HOSTED}/invite/"));
    assert_eq!(sent["landingPageUrl"], link);

    // A link scanner's GET neither uses the link nor changes the status.
    let page = service.browse(Method::GET, &link, "", None).await;
    assert_eq!(page.status, 200, "{}", html(&page));
    assert!(html(&page).contains("Hello Ana &lt;Ruiz&gt;"), "{}", html(&page));
    assert_eq!(service.invite(&invite).await["status"], "INVITED");

    let picture = address_after(mail, &format!("{HOSTED}/invite/opened/"));
    let picture = service.browse(Method::GET, &picture, "", None).await;
    assert_eq!(picture.headers["content-type"], "image/gif");
    assert_eq!(service.invite(&invite).await["status"], "EMAIL_OPENED");
    service.browse(Method::POST, &format!("{link}/opened"), "", None).await;
    assert_eq!(service.invite(&invite).await["status"], "LANDING_PAGE_OPENED");

    let cookie = service.enter(&link).await;
    let session = service.widget_of(&cookie).await;
    assert_eq!(service.invite(&invite).await["status"], "WIDGET_OPENED");
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.until_settled(&session, &progress).await;
    let linked = service.until_invite(&invite, "linked", |it| it["status"] == "LINKED").await;
    let expected = ["INVITED", "EMAIL_OPENED", "LANDING_PAGE_OPENED", "WIDGET_OPENED", "LINKED"];
    assert_eq!(steps(&linked), expected);
    assert!(!linked["linkedAt"].is_null() && linked["landingPageUrl"].is_null(), "{linked}");
    let account = service.get(&format!("/accounts/{}", text(&progress["accountId"]))).await.body;
    assert_eq!(account["userId"], invite["userId"]);

    let emitted = service.get("/events?type=INVITE_LINKED").await.body;
    let data = &emitted["items"][0]["data"];
    assert_eq!(data, &json!({"userId": invite["userId"], "inviteId": invite["id"]}));
    let done = service.browse(Method::GET, "/visit/done", &cookie, None).await;
    assert!(html(&done).contains("Thank you, Ana &lt;Ruiz&gt;"), "{}", html(&done));
    let list = service.get("/invites?status=LINKED").await.body;
    assert_eq!(list["items"][0]["id"], invite["id"]);
    assert_eq!(service.get("/invites?status=INVITED").await.body["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn invited_user_links_provider_without_login() {
    let server = MailServer::up();
    let service = with_mail(Backend::Sqlite, &server).await;
    let providers = service.get("/providers?size=150").await.body;
    let provider = providers["items"].as_array().unwrap().iter().find(|it| it["loginRequired"] == false);
    let invite = service.invite_ana().await;
    let cookie = service.enter(&text(&invite["landingPageUrl"])).await;
    let session = service.widget_of(&cookie).await;
    let body = json!({
        "providerId": provider.unwrap()["id"],
        "loginOption": null, "loginName": null, "credentials": null,
        "consent": {
            "consentTemplateId": service.sandbox.consent, "version": "1.0", "locale": "en", "givenBy": "PERSON",
            "syncInterval": "MONTHLY",
            "retention": "FROM_LAST_SYNC",
        },
    });
    let started = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
    assert_eq!(started.status, 201, "{:?}", started.body);
    assert_eq!(service.invite(&invite).await["status"], "LINKED");
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_is_sent_once_the_mail_server_is_up() {
    let mut server = MailServer::down();
    let service = with_mail(Backend::Sqlite, &server).await;
    let invite = service.invite_ana().await;
    let (store, key) = (service.app.store.clone(), format!("send/{}", text(&invite["id"])));
    let owner = service.owner();
    wait::until("the mail is tried", async || {
        let (owner, key) = (owner.clone(), key.clone());
        let job = store
            .read(move |reader| -> Result<_, StoreError> { reader.jobs().get(&owner, &key) })
            .await
            .unwrap();
        job.is_some_and(|job| job.attempts > 0)
    })
    .await;
    assert!(service.invite(&invite).await["invitedAt"].is_null());
    server.start(&[]);
    service.until_invite(&invite, "mailed", |it| !it["invitedAt"].is_null()).await;
    assert_eq!(server.mails().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn permanently_refused_mail_sets_mail_error() {
    let server = MailServer::that_refuses();
    let service = with_mail(Backend::Sqlite, &server).await;
    let invite = service.invite_ana().await;
    let failed = service.until_invite(&invite, "refused", |it| !it["mailError"].is_null()).await;
    assert_eq!((&failed["mailError"], &failed["status"]), (&json!("REFUSED"), &json!("INVITED")));
    assert!(!service.event_types().await.contains(&"INVITE_INVITED".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn resent_invitation_has_a_new_link_if_the_first_was_used() {
    let server = MailServer::up();
    let service = with_mail(Backend::Sqlite, &server).await;
    let invite = service.invite_ana().await;
    let link = text(&invite["landingPageUrl"]);
    let resend = format!("/invites/{}/resend", text(&invite["id"]));
    let again = service.send(Method::POST, &resend, As::Tenant(&service.sandbox), None).await;
    assert_eq!((again.status.as_u16(), &again.body["landingPageUrl"]), (200, &json!(link)));
    service.enter(&link).await;
    let used = service.browse(Method::GET, &link, "", None).await;
    assert_eq!(used.status, 410);
    assert!(html(&used).contains("Send me a new link"), "{}", html(&used));
    let again = service.send(Method::POST, &resend, As::Tenant(&service.sandbox), None).await;
    let fresh = text(&again.body["landingPageUrl"]);
    assert_ne!(fresh, link);
    assert_eq!(service.browse(Method::GET, &link, "", None).await.status, 404);
    wait::until("a mail with the new link arrives", async || {
        server.mails().iter().any(|mail| mail.contains(&fresh))
    })
    .await;
    service.enter(&fresh).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn revoked_invitation_erases_personal_data_at_once() {
    let service = TestService::start(Backend::Sqlite).await;
    let invite = service.invite_ana().await;
    let link = text(&invite["landingPageUrl"]);
    service.until_invite(&invite, "mailed", |it| !it["invitedAt"].is_null()).await;
    let cookie = service.enter(&link).await;
    assert_eq!(service.list_stored_mails(&invite).len(), 1, "without a mail server the mail is a file");
    let path = format!("/invites/{}", text(&invite["id"]));
    assert_eq!(service.delete(&path).await.status, 204);
    let gone = service.invite(&invite).await;
    assert_eq!(gone["status"], "REVOKED");
    for field in ["fullName", "emailAddress", "landingPageUrl"] {
        assert!(gone[field].is_null(), "{field}: {gone}");
    }
    assert_eq!(service.browse(Method::GET, &link, "", None).await.status, 404);
    assert_eq!(service.browse(Method::GET, "/visit", &cookie, None).await.status, 403);
    assert_eq!(service.browse(Method::POST, "/visit/token", &cookie, None).await.status, 401);
    let resend = service.post(&format!("{path}/resend"), json!({})).await;
    assert_eq!(resend.status, 409, "{:?}", resend.body);
    service.until_no_mail_is_stored(&invite).await;
    assert_eq!(service.delete(&path).await.status, 204, "revoking is idempotent");
}

#[tokio::test(flavor = "multi_thread")]
async fn invitation_is_removed_60_days_after_its_link_expires() {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let service = TestService::start_of(
        Backend::Sqlite,
        |_| {},
        move |parts| parts.ports.clock = moved as Arc<dyn Clock>,
    )
    .await;
    let invite = service.invite_ana().await;
    let link = text(&invite["landingPageUrl"]);
    service.until_invite(&invite, "mailed", |it| !it["invitedAt"].is_null()).await;
    clock.advance(Duration::from_secs(30 * 86_400));
    let lapsed = service.browse(Method::GET, &link, "", None).await;
    assert_eq!(lapsed.status, 410);
    assert!(html(&lapsed).contains("This link has expired"), "{}", html(&lapsed));
    clock.advance(Duration::from_secs(60 * 86_400));
    let path = format!("/invites/{}", text(&invite["id"]));
    wait::until("the invitation is removed", async || service.get(&path).await.status == 404).await;
    assert_eq!(service.browse(Method::GET, &link, "", None).await.status, 404);
    service.until_no_mail_is_stored(&invite).await;
}

#[tokio::test]
async fn invitation_request_reports_all_invalid_fields_at_once() {
    let service = TestService::start(Backend::Sqlite).await;
    let body = json!({
        "fullName": "Ana", "emailAddress": "ana@exa mple",
        "inviteTemplateId": format!("ivt-{}", "0".repeat(32)), "linkTemplateId": format!("lt-{}", "0".repeat(32)),
        "userId": format!("demo-{}", "0".repeat(32)),
    });
    let refused = service.post("/invites", body).await;
    assert_eq!(refused.status, 422);
    let fields: Vec<_> =
        refused.body["errors"].as_array().unwrap().iter().map(|it| text(&it["field"])).collect();
    assert_eq!(fields, ["emailAddress", "inviteTemplateId", "linkTemplateId", "userId"]);
    assert_eq!(service.get("/invites").await.body["items"], json!([]));
    let mut body = ana(&service);
    body["userId"] = json!(service.user().await.0);
    let made = service.post("/invites", body.clone()).await;
    assert_eq!((made.status.as_u16(), &made.body["userId"]), (201, &body["userId"]));
}

#[tokio::test]
async fn invitation_code_and_name_are_encrypted_at_rest() {
    let service = TestService::start(Backend::Sqlite).await;
    let mut body = ana(&service);
    body["fullName"] = json!("Xochiquetzal Canary");
    let made = service.post("/invites", body).await.body;
    let code = text(&made["landingPageUrl"]).rsplit('/').next().unwrap().to_owned();
    service.until_invite(&made, "mailed", |it| !it["invitedAt"].is_null()).await;
    for entry in std::fs::read_dir(service.database.folder()).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_file() {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        for canary in [code.as_str(), "Xochiquetzal"] {
            let shown = bytes.windows(canary.len()).any(|it| it == canary.as_bytes());
            assert!(!shown, "{} contains {canary}", path.display());
        }
    }
}

#[tokio::test]
async fn newer_invitation_link_starts_no_visit_after_linking() {
    let service = TestService::start(Backend::Sqlite).await;
    let invite = service.invite_ana().await;
    let cookie = service.enter(&text(&invite["landingPageUrl"])).await;
    let session = service.widget_of(&cookie).await;
    let resend = format!("/invites/{}/resend", text(&invite["id"]));
    let again = service.send(Method::POST, &resend, As::Tenant(&service.sandbox), None).await;
    let newer = text(&again.body["landingPageUrl"]);
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.until_settled(&session, &progress).await;
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
    let invite = service.invite_ana().await;
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
    let invite = service.invite_ana().await;
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
        let response = service.send(Method::POST, "/link/sessions", As::Anonymous, Some(&body)).await;
        opened.push(response.status.as_u16());
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
    let exchange = |parts: &mut link_server::app::Parts| parts.ports.entropy = its;
    let service = Arc::new(TestService::start_of(backend, |_| {}, exchange).await);
    if asks {
        let template = format!("/linkTemplates/{}", service.sandbox.template);
        assert_eq!(service.patch(&template, json!({"form": form})).await.status, 200);
    }
    let invite = service.invite_ana().await;
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
