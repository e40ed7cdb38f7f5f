//! A person's own page: the mailed link, what belongs to a mailbox, copies, and ending it.

mod given;
mod proven;

use std::sync::Arc;
use std::time::Duration;

use axum::http::{Method, header};
use link_connectors::mail::to_readable;
use link_domain::kernel::digest::hex;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::mail::address_hash;
use link_domain::notifications::page_link::{LINK_LIFE, PageLink, REQUEST_WAIT};
use link_domain::person_page::page_session::SESSION_LIFE;
use link_server::adapters::kept_mail;
use link_server::workers::housekeeping;
use link_store::test_support::Backend;
use link_store::{Label, StoreError, page_mail_name};
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use crate::archives::TestClock;
use crate::invites::{HOSTED, MailServer, ana, html, with_mail};
use crate::service::{TestResponse, TestService, text};

const ANA: &str = "ana@example.com";
const PROVIDER: &str = "mx_social_security";

impl TestService {
    /// Invites a person and waits until the mail is sent.
    async fn mail_to(&self, address: &str) -> Value {
        let mut whom = ana(self);
        whom["emailAddress"] = json!(address);
        let made = self.post("/invites", whom).await;
        assert_eq!(made.status, 201, "{:?}", made.body);
        self.until_invite(&made.body, "mailed", |it| !it["invitedAt"].is_null()).await
    }

    /// Opens the widget in a visit of an invitation that was mailed to an address.
    pub async fn visit_of(&self, address: &str) -> (Value, String) {
        let invite = self.mail_to(address).await;
        let cookie = self.enter(&text(&invite["landingPageUrl"])).await;
        (invite, self.widget_of(&cookie).await)
    }

    /// Links an account in a session, and returns its id.
    pub async fn link_in(&self, session: &str) -> String {
        let progress = self.submit(session, PROVIDER, "good", "pass").await;
        let settled = self.until_settled(session, &progress).await;
        assert!(settled["phase"].get("connected").is_some(), "{settled}");
        self.until_event("TASK_FINISHED").await;
        text(&settled["accountId"])
    }

    /// Sends the form of `/me`, and waits until the service has decided about the mail.
    async fn ask_for_link(&self, address: &str) -> TestResponse {
        let form: String =
            form_urlencoded::Serializer::new(String::new()).append_pair("address", address).finish();
        let asked = self.browse(Method::POST, "/me", "", Some(&form)).await;
        wait::until("the link is mailed or not", async || {
            self.page_link(address).await.is_none_or(|it| it.mail.is_none())
        })
        .await;
        asked
    }

    async fn page_link(&self, address: &str) -> Option<PageLink> {
        let key = self.app.store.read(|reader| Ok::<_, StoreError>(reader.derive_key(Label::Lookup))).await;
        let hash = address_hash(&key.unwrap(), address);
        self.app.store.write(move |tx| tx.page_links().get(&hash)).await.unwrap()
    }

    /// Returns the path of the link in the stored mail.
    async fn read_mailed_link(&self, address: &str) -> Option<String> {
        let link = self.page_link(address).await?;
        let files = self.app.ports.files.as_ref();
        let mail = kept_mail::read_named(&self.app.store, files, &page_mail_name(&link)).await.ok()?;
        let mail = to_readable(mail.as_bytes());
        assert!(mail.contains("Subject: The link to your data"), "{mail}");
        let link = mail.lines().find(|line| line.contains("/me/open/")).unwrap();
        Some(link.trim_start_matches(HOSTED).to_owned())
    }

    /// Opens the page of an address: the link is mailed, and its button pressed. Returns the session's cookie.
    pub async fn page_of(&self, address: &str) -> String {
        assert_eq!(self.ask_for_link(address).await.status, 200);
        let link = self.read_mailed_link(address).await.unwrap();
        self.open(&link).await.unwrap()
    }

    /// Presses the button of a link. Returns the cookie of the session, if the link opened one.
    async fn open(&self, link: &str) -> Option<String> {
        let opened = self.browse(Method::POST, link, "", None).await;
        let cookie = opened.headers.get(header::SET_COOKIE)?.to_str().unwrap();
        assert_eq!(opened.status, 303);
        assert_eq!(opened.headers["location"], "/me/data");
        assert!(cookie.contains("HttpOnly; SameSite=Strict") && cookie.contains("Max-Age=1800"), "{cookie}");
        Some(cookie.split(';').next().unwrap().to_owned())
    }

    /// Returns the list of a session, or the page that replaces it.
    pub async fn list(&self, cookie: &str) -> String {
        html(&self.browse(Method::GET, "/me/data", cookie, None).await)
    }

    /// Sends a form of the page.
    pub async fn act(&self, path: &str, cookie: &str, what: &str) -> TestResponse {
        let form = format!("environment=demo/SANDBOX&what={what}");
        self.browse(Method::POST, path, cookie, Some(&form)).await
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn response_is_the_same_for_known_and_unknown_addresses(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let (_, session) = service.visit_of(ANA).await;
    service.link_in(&session).await;
    let known = service.ask_for_link(ANA).await;
    let unknown = service.ask_for_link("bo@example.com").await;
    assert_eq!((known.status, html(&known)), (unknown.status, html(&unknown)));
    assert!(html(&known).contains("an email with a link is on its way"), "{}", html(&known));
    let names = |response: &TestResponse| {
        let mut names: Vec<String> = response.headers.keys().map(ToString::to_string).collect();
        names.sort();
        names
    };
    assert_eq!(names(&known), names(&unknown));
    // Both have a row, so that the next request takes as long. Only one has a mail.
    let (of_known, of_unknown) =
        (service.page_link(ANA).await.unwrap(), service.page_link("bo@example.com").await.unwrap());
    assert!(of_known.reach.is_some() && of_unknown.reach.is_none());
    assert!(service.read_mailed_link(ANA).await.is_some());
    assert!(service.read_mailed_link("bo@example.com").await.is_none());
    // At some providers, this is the mailbox of another person.
    service.ask_for_link("ana+bo@example.com").await;
    assert!(service.read_mailed_link("ana+bo@example.com").await.is_none());
}

#[tokio::test]
async fn text_that_is_not_an_address_is_explained() {
    let service = TestService::start(Backend::Sqlite).await;
    let wrong = service.browse(Method::POST, "/me", "", Some("address=ana")).await;
    assert_eq!(wrong.status, 422);
    assert!(
        html(&wrong).contains("aria-invalid=\"true\"") && html(&wrong).contains("must be an email address")
    );
    for path in ["/me", "/me/data"] {
        let page = service.browse_in("es-MX", Method::GET, path, "", None).await;
        assert!(html(&page).contains("lang=\"es-MX\""), "{path}");
        assert_eq!(page.headers["x-robots-tag"], "noindex");
        assert_eq!(page.headers[header::CACHE_CONTROL], "no-store");
        assert!(page.headers["content-security-policy"].to_str().unwrap().contains("default-src 'none'"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn link_opens_one_session_and_scanners_do_not_use_it() {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.ports.clock = moved).await;
    let (_, session) = service.visit_of(ANA).await;
    service.link_in(&session).await;
    service.ask_for_link("Ana@Example.com").await;
    let link = service.read_mailed_link(ANA).await.unwrap();
    for _ in 0..2 {
        let scanned = service.browse(Method::GET, &link, "", None).await;
        assert_eq!((scanned.status.as_u16(), scanned.headers.get(header::SET_COOKIE)), (200, None));
        assert!(html(&scanned).contains("Show my data"), "{}", html(&scanned));
    }
    let cookie = service.open(&link).await.unwrap();
    assert!(service.list(&cookie).await.contains("Demo Company"));
    assert_eq!(service.open(&link).await, None, "it works once");
    let used = service.browse(Method::GET, &link, "", None).await;
    assert_eq!(used.status, 410);
    assert!(html(&used).contains("href=\"/me\""));

    clock.advance(SESSION_LIFE);
    assert!(service.list(&cookie).await.contains("Your page is closed"));
    service.ask_for_link(ANA).await;
    let late = service.read_mailed_link(ANA).await.unwrap();
    clock.advance(LINK_LIFE);
    assert_eq!(service.open(&late).await, None, "it has expired");
    housekeeping::tidy(&service.app, service.app.wall()).await.unwrap();
    assert!(service.page_link(ANA).await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn person_can_leave() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, session) = service.visit_of(ANA).await;
    service.link_in(&session).await;
    let cookie = service.page_of(ANA).await;
    let known = service.browse(Method::GET, "/me", &cookie, None).await;
    assert_eq!(known.status, 303);
    assert_eq!(known.headers["location"], "/me/data");
    let left = service.browse(Method::POST, "/me/leave", &cookie, None).await;
    assert!(left.headers["set-cookie"].to_str().unwrap().contains("Max-Age=0"));
    assert!(service.list(&cookie).await.contains("Your page is closed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_other_sites_are_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, session) = service.visit_of(ANA).await;
    let account = service.link_in(&session).await;
    let cookie = service.page_of(ANA).await;
    for path in ["/me", "/me/end", "/me/copy", "/me/leave"] {
        let form = format!("environment=demo/SANDBOX&what={account}");
        let request = axum::http::Request::post(path)
            .header(header::HOST, "127.0.0.1:8787")
            .header(header::COOKIE, &cookie)
            .header("sec-fetch-site", "cross-site")
            .body(axum::body::Body::from(form));
        assert_eq!(service.send_raw(request.unwrap()).await.status, 403, "{path}");
    }
    assert!(service.list(&cookie).await.contains(&account), "nothing happened");
}

#[tokio::test(flavor = "multi_thread")]
async fn links_are_limited_by_mailbox_and_suppression() {
    let (server, clock) = (MailServer::up(), Arc::new(TestClock::default()));
    let (address, moved) = (server.address(), Arc::clone(&clock));
    let service = TestService::start_of(
        Backend::Sqlite,
        move |settings| {
            settings.smtp_url = Some(address.into());
            settings.live.edit(|live| live.mails_per_recipient = 4.try_into().unwrap());
        },
        move |parts| parts.ports.clock = moved,
    )
    .await;
    service.allow_mail(ANA).await;
    let (_, session) = service.visit_of(ANA).await;
    service.link_in(&session).await;
    let links = || server.mails().iter().filter(|it| it.contains("/me/open/")).count();
    service.ask_for_link(ANA).await;
    service.ask_for_link(ANA).await;
    assert_eq!(links(), 1, "the second request came within 60 seconds");
    for expected in [2, 2] {
        clock.advance(REQUEST_WAIT);
        let asked = service.ask_for_link(ANA).await;
        assert_eq!((asked.status.as_u16(), links()), (200, expected), "half of the mailbox's limit");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn typed_address_is_sealed_and_forgotten_after_sending() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, session) = service.visit_of(ANA).await;
    service.link_in(&session).await;
    service.ask_for_link("ANA@Example.com").await;
    let link = service.page_link(ANA).await.unwrap();
    assert!(link.mail.is_none() && link.reach.is_some());
    let key = format!("page-link/{}", hex(link.address.as_bytes()));
    let job = service.app.store.read(move |reader| reader.jobs().get(&Owner::service(), &key)).await;
    assert_eq!(job.unwrap(), None);
    let tomorrow = service.app.wall() + Duration::from_secs(2 * 86_400);
    housekeeping::tidy(&service.app, tomorrow).await.unwrap();
    let folder = service.app.settings.data_dir.join("files/mail");
    let left = std::fs::read_dir(folder).map(|it| it.map(|it| it.unwrap().file_name()).collect::<Vec<_>>());
    let left = left.unwrap_or_default();
    assert!(!left.iter().any(|it| it.to_str().unwrap().starts_with("me-")), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn allowed_address_of_the_sandbox_gets_the_mail_over_smtp() {
    let server = MailServer::up();
    let service = with_mail(Backend::Sqlite, &server).await;
    let (_, session) = service.visit_of(ANA).await;
    service.link_in(&session).await;
    service.ask_for_link(ANA).await;
    let mails = server.mails();
    let mail = mails.iter().find(|it| it.contains("/me/open/")).expect("an allowed address gets the mail");
    assert!(mail.contains("To: ana@example.com") && mail.contains("List-Unsubscribe"), "{mail}");
    let link = mail.lines().find(|it| it.starts_with(HOSTED)).unwrap();
    let cookie = service.open(link).await.unwrap();
    assert!(service.list(&cookie).await.contains("Sandbox: this is test data."));
}
