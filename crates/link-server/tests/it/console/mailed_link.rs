//! Links that are mailed to members who have no passkey at hand.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::http::{Method, header};
use link_domain::console::member::fold_email;
use link_domain::console::session::ConsoleSession;
use link_domain::console::sign_in::{INVITATION_LIFE, SignInAddress};
use link_domain::console::single_sign_on::IdentityProvider;
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::digest::Digest32;
use link_domain::notifications::mail::member_hash;
use link_domain::notifications::page_link::{PageLink, REQUEST_WAIT, SIGN_IN_LINK_LIFE};
use link_server::workers::audit;
use link_store::test_support::Backend;
use link_store::{Label, StoreError};
use link_test_support::wait;
use link_types::Sensitive;
use link_types::console::Role;
use link_types::console::single_sign_on::IdentityProviderDraft;
use rstest::rstest;
use serde_json::{Value, json};

use super::Browser;
use crate::archives::TestClock;
use crate::invites::MailServer;
use crate::service::{TestResponse, TestService, text};

const ANA: &str = "ana@shop.example";
const MARK: &str = "/console/enter#";

/// Starts a service that sends mail through `server`, with a clock that the test advances.
async fn start(backend: Backend, server: &MailServer) -> (TestService, Arc<TestClock>) {
    let (address, clock) = (server.address(), Arc::new(TestClock::default()));
    let moved = Arc::clone(&clock);
    let service = TestService::start_of(
        backend,
        move |settings| {
            settings.smtp_url = Some(address.into());
            // So that a test reaches the limits of a network.
            settings.live.edit(|live| live.rate_per_second = 2_000.try_into().unwrap());
        },
        move |parts| parts.ports.clock = moved,
    )
    .await;
    (service, clock)
}

impl TestService {
    async fn ask_for_sign_in(&self, email: &str) -> TestResponse {
        self.portal(Method::POST, "/session/link", "", Some(json!({"email": email}))).await
    }

    async fn sign_in_link(&self, email: &str) -> Option<PageLink> {
        let key = self.app.store.read(|reader| Ok::<_, StoreError>(reader.derive_key(Label::Lookup))).await;
        let hash = member_hash(&key.unwrap(), &fold_email(email));
        self.app.store.write(move |tx| tx.page_links().get(&hash)).await.unwrap()
    }

    /// Requests a link, and waits until the service has decided about the mail. Returns the codes in the newest mail.
    async fn request_codes(&self, server: &MailServer, email: &str) -> Vec<String> {
        assert_eq!(self.ask_for_sign_in(email).await.status, 202);
        wait::until("the link is mailed or not", async || {
            self.sign_in_link(email).await.is_some_and(|it| it.mail.is_none())
        })
        .await;
        let link = self.sign_in_link(email).await.unwrap();
        if link.reach.is_none() {
            return Vec::new();
        }
        let codes = |mail: &String| -> BTreeSet<String> {
            let found = mail.split(MARK).skip(1);
            found.map(|it| it.split(['"', '\n', '<', ' ']).next().unwrap().to_owned()).collect()
        };
        // Earlier mails have the codes of earlier links.
        let is_of_link = |code: &&String| {
            let code = code.split('.').next().unwrap();
            Digest32::from_text(code) == link.code_hash
        };
        let all: BTreeSet<String> = server.mails().iter().flat_map(codes).collect();
        all.iter().filter(is_of_link).cloned().collect()
    }

    async fn use_code(&self, code: &str) -> TestResponse {
        self.portal(Method::POST, "/session", "", Some(json!({"code": code}))).await
    }

    /// Signs a member in as a mailed link does: their session depends on no other member, and is not confirmed.
    pub(super) async fn sign_in_unproven(&self, member: &str) -> Browser {
        let mut context = self.app.context(ClockOffset::default());
        let id = member.parse().unwrap();
        let (_, code, created) = SignInAddress::create(id, None, INVITATION_LIFE, &mut context);
        let now = context.now();
        let applied: Result<(), StoreError> = self.app.store.write(move |tx| tx.apply(&created, now)).await;
        applied.unwrap();
        let browser = self.sign_in(code.expose()).await;
        let hash = Digest32::from_text(browser.cookie.split_once('=').unwrap().1);
        let set: Result<(), StoreError> = self
            .app
            .store
            .write(move |tx| {
                let session = tx.console_sessions().by_secret(&hash)?.unwrap();
                tx.console_sessions().set_confirmed(&ConsoleSession { confirmed_at: None, ..session })
            })
            .await;
        set.unwrap();
        browser
    }

    pub(super) async fn production_audit(&self, owner: &Browser, action: &str) -> Vec<Value> {
        audit::chain(&self.app).await.unwrap();
        let path = format!("/production/audit?action={action}");
        let found = self.portal(Method::GET, &path, &owner.cookie, None).await;
        found.body["items"].as_array().unwrap().clone()
    }

    async fn suspend(&self, tenant: &'static str) {
        let context = self.app.context(ClockOffset::default());
        let done: Result<(), StoreError> = self
            .app
            .store
            .write(move |tx| {
                let found = tx.tenants().get(&tenant.parse().unwrap())?.unwrap();
                let (_, change) = found.suspend(context.now().wall()).unwrap();
                tx.apply(&change, context.now())
            })
            .await;
        done.unwrap();
    }

    /// Lets the tenant `demo` require its OpenID provider.
    async fn require_provider(&self) {
        let context = self.app.context(ClockOffset::default());
        let draft = IdentityProviderDraft {
            issuer: "https://id.shop.example".to_owned(),
            client_id: "portal".to_owned(),
            client_secret: Some(Sensitive::new("secret".to_owned())),
            role: Role::Developer,
            is_required: true,
        };
        let tenant = "demo".parse().unwrap();
        let (_, change) = IdentityProvider::configure(tenant, &draft, None, context.now().wall()).unwrap();
        let now = context.now();
        let applied: Result<(), StoreError> = self.app.store.write(move |tx| tx.apply(&change, now)).await;
        applied.unwrap();
    }

    async fn remove_member(&self, browser: &Browser, email: &str) {
        let members = self.portal(Method::GET, "/members", &browser.cookie, None).await;
        let members = members.body["items"].as_array().unwrap().clone();
        let member = members.iter().find(|it| it["email"] == email).unwrap();
        let path = format!("/members/{}", text(&member["id"]));
        assert_eq!(self.portal(Method::DELETE, &path, &browser.cookie, None).await.status, 204);
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn mailed_link_signs_a_member_in_once(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let server = MailServer::up();
    let (service, _) = start(backend, &server).await;
    service.invite_member("demo", ANA, Role::Owner).await;
    let options = service.portal(Method::GET, "/session/options", "", None).await;
    assert_eq!(options.body, json!({"hasMail": true}));
    let codes = service.request_codes(&server, "Ana@Shop.example").await;
    assert_eq!(codes.len(), 1, "{codes:?}");
    let mail = server.mails().remove(0);
    assert!(mail.contains("ana@shop.example") && !mail.contains("Ana@Shop"), "the member's address: {mail}");
    let (one, two) = tokio::join!(service.use_code(&codes[0]), service.use_code(&codes[0]));
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 401], "it works once");
    let signed_in = if one.status == 201 { one } else { two };
    assert_eq!(signed_in.body["member"]["email"], ANA);
    assert_eq!(service.use_code(&codes[0]).await.status, 401);

    let auditor = service.sign_in_as("auditor@shop.example", Role::Owner).await;
    let used = service.production_audit(&auditor, "SESSION_LINK_USED").await;
    assert_eq!(used.len(), 1, "{used:?}");
    assert_eq!(used[0]["actor"], json!({"type": "MEMBER", "id": signed_in.body["member"]["id"]}));
    let sessions = service.portal(Method::GET, "/sessions", &auditor.cookie, None).await;
    let sessions = sessions.body["items"].as_array().unwrap().clone();
    let mailed = sessions.iter().find(|it| it["id"] == used[0]["subjectId"]).unwrap();
    let other = sessions.iter().find(|it| it["isCurrent"] == true).unwrap();
    assert_eq!((&mailed["isConfirmed"], &other["isConfirmed"]), (&json!(false), &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn session_of_a_mailed_link_confirms_nothing() {
    let server = MailServer::up();
    let (service, _) = start(Backend::Sqlite, &server).await;
    service.invite_member("demo", ANA, Role::Owner).await;
    let codes = service.request_codes(&server, ANA).await;
    let browser = service.sign_in(&codes[0]).await;
    let create = async |environment: &str| {
        let path = format!("/{environment}/keys");
        service.portal(Method::POST, &path, &browser.cookie, Some(json!({"name": "one"}))).await
    };
    assert_eq!(create("sandbox").await.status, 201);
    let refused = create("production").await;
    assert_eq!(refused.status, 403);
    let challenge = refused.headers[header::WWW_AUTHENTICATE].to_str().unwrap();
    assert!(challenge.contains("insufficient_user_authentication"), "{challenge}");
    for path in ["/passkeys/challenge", "/members"] {
        let refused = service.portal(Method::POST, path, &browser.cookie, Some(json!({}))).await;
        assert_eq!(refused.status, 403, "{path}");
    }
    // A one-time address confirms, as it does without mails.
    let code = service.invite_member("demo", "bo@shop.example", Role::Owner).await;
    let confirmed = service.sign_in(&code).await;
    let body = Some(json!({"name": "two"}));
    let created = service.portal(Method::POST, "/production/keys", &confirmed.cookie, body).await;
    assert_eq!(created.status, 201);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn request_of_a_link_does_not_show_whether_it_is_mailed(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let server = MailServer::up();
    let (service, _) = start(backend, &server).await;
    service.another_tenant().await;
    let owner = service.sign_in_as("owner@shop.example", Role::Owner).await;
    for (tenant, email) in [("demo", ANA), ("demo", "removed@shop.example"), ("other", "bo@other.example")] {
        service.invite_member(tenant, email, Role::Developer).await;
    }
    service.remove_member(&owner, "removed@shop.example").await;
    service.suspend("other").await;
    let names = |response: &TestResponse| -> BTreeSet<String> {
        response.headers.keys().map(ToString::to_string).collect()
    };
    let known = service.ask_for_sign_in(ANA).await;
    assert_eq!((known.status.as_u16(), known.bytes.len()), (202, 0));
    for unknown in ["no@shop.example", "removed@shop.example", "bo@other.example", "ana+x@shop.example"] {
        let response = service.ask_for_sign_in(unknown).await;
        assert_eq!((response.status, names(&response)), (known.status, names(&known)), "{unknown}");
        assert_eq!(response.bytes, known.bytes, "{unknown}");
        // Everyone has a row, so that the next request takes as long.
        wait::until("the job is done", async || {
            service.sign_in_link(unknown).await.is_some_and(|it| it.mail.is_none())
        })
        .await;
        assert_eq!(service.sign_in_link(unknown).await.unwrap().reach, None, "{unknown}");
    }
    wait::until("the mail arrives", async || !server.mails().is_empty()).await;
    assert_eq!(server.mails().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_has_a_link_for_each_tenant_of_the_member() {
    let server = MailServer::up();
    let (service, clock) = start(Backend::Sqlite, &server).await;
    service.another_tenant().await;
    for tenant in ["demo", "other"] {
        service.invite_member(tenant, ANA, Role::Owner).await;
    }
    let codes = service.request_codes(&server, ANA).await;
    assert_eq!(codes.len(), 2, "{codes:?}");
    let signed_in = service.use_code(&codes[1]).await;
    assert_eq!(signed_in.status, 201);
    let first = text(&signed_in.body["tenantId"]);
    assert_eq!(service.use_code(&codes[0]).await.status, 401, "one sign-in uses up the mail");

    clock.advance(REQUEST_WAIT);
    let again = service.request_codes(&server, ANA).await;
    let mut found = BTreeSet::from([first]);
    found.insert(text(&service.use_code(&again[0]).await.body["tenantId"]));
    assert_eq!(found, BTreeSet::from(["demo".to_owned(), "other".to_owned()]));

    service.suspend("other").await;
    clock.advance(REQUEST_WAIT);
    assert_eq!(service.request_codes(&server, ANA).await.len(), 1, "a suspended tenant is not offered");
}

#[tokio::test(flavor = "multi_thread")]
async fn late_replaced_and_foreign_links_are_refused() {
    let server = MailServer::up();
    let (service, clock) = start(Backend::Sqlite, &server).await;
    let owner = service.sign_in_as("owner@shop.example", Role::Owner).await;
    service.invite_member("demo", ANA, Role::Developer).await;
    let late = service.request_codes(&server, ANA).await.remove(0);
    clock.advance(SIGN_IN_LINK_LIFE);
    assert_eq!(service.use_code(&late).await.status, 401, "it has expired");

    let replaced = service.request_codes(&server, ANA).await.remove(0);
    clock.advance(REQUEST_WAIT);
    let valid = service.request_codes(&server, ANA).await.remove(0);
    assert_eq!(service.use_code(&replaced).await.status, 401, "another link replaced it");
    let (code, _) = valid.split_once('.').unwrap();
    let foreign = service.use_code(&format!("{code}.{}", owner.member)).await;
    assert_eq!(foreign.status, 401, "the link is not the owner's");
    let own_page = format!("/me/open/{code}");
    assert_eq!(service.browse(Method::POST, &own_page, "", None).await.status, 410);
    let confirmed = service.sign_in_as("second@shop.example", Role::Owner).await;
    service.remove_member(&confirmed, ANA).await;
    assert_eq!(service.use_code(&valid).await.status, 401, "the member was removed");
}

#[tokio::test(flavor = "multi_thread")]
async fn mailed_link_admits_only_owners_once_a_provider_is_required() {
    let server = MailServer::up();
    let (service, clock) = start(Backend::Sqlite, &server).await;
    service.invite_member("demo", "owner@shop.example", Role::Owner).await;
    service.invite_member("demo", ANA, Role::Developer).await;
    let before = service.request_codes(&server, ANA).await.remove(0);
    service.require_provider().await;
    let refused = service.use_code(&before).await;
    assert_eq!(refused.status, 403, "{:?}", refused.body);
    assert!(text(&refused.body["detail"]).contains("single sign-on"), "{:?}", refused.body);
    clock.advance(REQUEST_WAIT);
    service.request_codes(&server, ANA).await;
    assert_eq!(server.mails().len(), 1, "no other mail is sent, because its link would be refused");
    let owners = service.request_codes(&server, "owner@shop.example").await.remove(0);
    assert_eq!(service.use_code(&owners).await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn links_are_limited_per_mailbox_and_per_network() {
    let server = MailServer::up();
    let (service, _) = start(Backend::Sqlite, &server).await;
    service.invite_member("demo", ANA, Role::Owner).await;
    service.request_codes(&server, ANA).await;
    let first = service.sign_in_link(ANA).await.unwrap();
    assert_eq!(service.ask_for_sign_in(ANA).await.status, 202);
    assert_eq!(service.sign_in_link(ANA).await.unwrap(), first, "within a minute, nothing changes");
    let mut refused = None;
    // Texts that are not addresses count too, and are refused at once.
    for _ in 0..500 {
        let response = service.ask_for_sign_in("ana").await;
        if response.status == 429 {
            refused = Some(response);
            break;
        }
    }
    assert!(refused.unwrap().headers.contains_key(header::RETRY_AFTER));
    assert_eq!(server.mails().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn link_beyond_the_limit_of_a_day_leaves_the_last_one() {
    let server = MailServer::up();
    let (service, clock) = start(Backend::Sqlite, &server).await;
    service.invite_member("demo", ANA, Role::Owner).await;
    let mut last = Vec::new();
    for mails in 1..=5 {
        last = service.request_codes(&server, ANA).await;
        assert_eq!(server.mails().len(), mails);
        clock.advance(REQUEST_WAIT);
    }
    assert_eq!(service.request_codes(&server, ANA).await, last);
    assert_eq!(server.mails().len(), 5);
    assert_eq!(service.use_code(&last[0]).await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn end_of_the_last_session_of_a_member_ends_their_link() {
    let server = MailServer::up();
    let (service, _) = start(Backend::Sqlite, &server).await;
    let owner = service.sign_in_as("owner@shop.example", Role::Owner).await;
    let ana = service.sign_in_as(ANA, Role::Developer).await;
    let codes = service.request_codes(&server, ANA).await;
    let sessions = service.portal(Method::GET, "/sessions", &ana.cookie, None).await;
    let path = format!("/sessions/{}", text(&sessions.body["items"][0]["id"]));
    assert_eq!(service.portal(Method::DELETE, &path, &owner.cookie, None).await.status, 204);
    assert_eq!(service.use_code(&codes[0]).await.status, 401);
}

#[tokio::test]
async fn service_without_a_mail_server_offers_no_link() {
    let service = TestService::start(Backend::Sqlite).await;
    let options = service.portal(Method::GET, "/session/options", "", None).await;
    assert_eq!(options.body, json!({"hasMail": false}));
    let refused = service.ask_for_sign_in(ANA).await;
    assert_eq!(refused.status, 409);
    assert!(service.sign_in_link(ANA).await.is_none());
}

#[tokio::test]
async fn text_that_is_not_an_address_gets_no_link() {
    let server = MailServer::down();
    let (service, _) = start(Backend::Sqlite, &server).await;
    for wrong in ["", "ana", "ana@[192.0.2.7]"] {
        let refused = service.ask_for_sign_in(wrong).await;
        assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("email")));
    }
}
