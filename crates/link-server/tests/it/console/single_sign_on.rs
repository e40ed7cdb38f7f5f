//! The sign-in with a tenant's OpenID provider: who gets in, what ends it, and everything that a provider can do wrong.

mod ending;
mod fake;
mod faults;
mod settings;

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, Request, header};
use link_domain::console::single_sign_on::DEPARTURE_LIFE;
use link_store::test_support::Backend;
use link_types::console::Role;
use rstest::rstest;
use serde_json::{Value, json};

use self::fake::{CLIENT, FakeProvider, ISSUER, SECRET};
use super::Browser;
use crate::archives::TestClock;
use crate::invites::html;
use crate::sealed::{assert_absent, each_file};
use crate::service::{TestResponse, TestService, text};

/// A service, the provider of its tenant `demo`, and the owner who configured it.
struct Scene {
    service: TestService,
    provider: Arc<FakeProvider>,
    clock: Arc<TestClock>,
    owner: Browser,
}

/// A browser that left for the provider.
struct Away {
    cookie: String,
    page: String,
}

fn draft() -> Value {
    json!({"issuer": ISSUER, "clientId": CLIENT, "clientSecret": SECRET, "role": "DEVELOPER", "isRequired": false})
}

impl Scene {
    /// Starts a service whose owner has not configured a provider yet.
    async fn bare(backend: Backend) -> Self {
        let (provider, clock) = (Arc::new(FakeProvider::default()), Arc::new(TestClock::default()));
        let (port, moved) = (Arc::clone(&provider), Arc::clone(&clock));
        let service = TestService::start_of(
            backend,
            |_| {},
            move |parts| {
                parts.ports.identity = port;
                parts.ports.clock = moved;
            },
        )
        .await;
        let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
        Self { service, provider, clock, owner }
    }

    /// Starts a service whose owner has configured the provider and proven `shop.example`.
    async fn start(backend: Backend) -> Self {
        let scene = Self::bare(backend).await;
        scene.save(draft()).await;
        scene.prove("shop.example").await;
        scene
    }

    async fn ask(&self, method: Method, path: &str, by: &Browser, body: Option<Value>) -> TestResponse {
        self.service.portal(method, path, &by.cookie, body).await
    }

    async fn save(&self, draft: Value) -> TestResponse {
        let saved = self.ask(Method::PUT, "/singleSignOn", &self.owner, Some(draft)).await;
        assert_eq!(saved.status, 200, "{:?}", saved.body);
        saved
    }

    async fn prove(&self, domain: &str) {
        self.prove_by(domain, &self.owner).await;
    }

    /// Proves a domain as an owner, with a record next to those that stayed.
    async fn prove_by(&self, domain: &str, owner: &Browser) {
        let path = "/singleSignOn/domains";
        let added = self.ask(Method::POST, path, owner, Some(json!({"domain": domain}))).await;
        assert_eq!(added.status, 201, "{:?}", added.body);
        let (name, record) = (text(&added.body["recordName"]), text(&added.body["recordText"]));
        self.provider.now().texts.entry(name).or_default().push(record);
        let path = format!("{path}/{domain}/proof");
        let proven = self.ask(Method::POST, &path, owner, None).await;
        assert_eq!(proven.status, 200, "{:?}", proven.body);
    }

    async fn ask_to_leave(&self, body: Value) -> TestResponse {
        self.service.portal(Method::POST, "/session/provider", "", Some(body)).await
    }

    async fn leave_with(&self, body: Value) -> Away {
        away(&self.ask_to_leave(body).await)
    }

    async fn leave(&self) -> Away {
        self.leave_with(json!({"organization": "demo"})).await
    }

    async fn come_back_in(&self, languages: &str, tenant: &str, query: &str, cookie: &str) -> TestResponse {
        let request = Request::get(format!("/console/sign-in/callback/{tenant}?{query}"))
            .header(header::HOST, "localhost:8787")
            .header("sec-fetch-site", "cross-site")
            .header(header::ACCEPT_LANGUAGE, languages)
            .header(header::USER_AGENT, "Firefox/140.0 Linux")
            .header(header::COOKIE, cookie);
        self.service.send_raw(request.body(Body::empty()).unwrap()).await
    }

    async fn come_back(&self, query: &str, cookie: &str) -> TestResponse {
        self.come_back_in("en", "demo", query, cookie).await
    }

    /// Signs a person in at the provider.
    async fn sign_in(&self) -> TestResponse {
        let away = self.leave().await;
        let query = self.provider.authorize(&away.page);
        self.come_back(&query, &away.cookie).await
    }

    /// Signs a person in, who then has a session.
    async fn sign_in_first(&self) -> Browser {
        self.browser_of(&self.sign_in().await).await
    }

    async fn browser_of(&self, response: &TestResponse) -> Browser {
        assert_eq!(response.status, 303, "{}", html(response));
        assert_eq!(response.headers["location"], "/console/");
        let cookie = session_cookie(response).unwrap();
        let session = self.service.portal(Method::GET, "/session", &cookie, None).await;
        Browser { cookie, member: text(&session.body["member"]["id"]) }
    }

    async fn audit(&self, action: &str) -> Vec<Value> {
        self.service.production_audit(&self.owner, action).await
    }
}

fn away(left: &TestResponse) -> Away {
    assert_eq!(left.status, 201, "{:?}", left.body);
    let cookie = left.headers[header::SET_COOKIE].to_str().unwrap();
    assert!(cookie.ends_with("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax"), "{cookie}");
    Away { cookie: cookie.split(';').next().unwrap().to_owned(), page: text(&left.body["url"]) }
}

/// Returns the cookie of the session that a response begins.
fn session_cookie(response: &TestResponse) -> Option<String> {
    let cookies = response.headers.get_all(header::SET_COOKIE).iter().map(|it| it.to_str().unwrap());
    cookies
        .filter_map(|it| it.split(';').next())
        .find(|it| it.starts_with("linchpin_console="))
        .map(str::to_owned)
}

/// Asserts that no one is signed in, and that the page says why and nothing of the provider.
fn assert_refused(response: &TestResponse, status: u16, code: &str) {
    let page = html(response);
    assert_eq!(response.status, status, "{page}");
    assert!(page.contains(&format!(">{code}<")), "{code}: {page}");
    assert_eq!(session_cookie(response), None);
    assert!(page.contains("href=\"/console/\"") && !page.contains("shop.example"), "{page}");
    assert_eq!(response.headers["cache-control"], "no-store");
    let policy = response.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
}

#[rstest]
#[tokio::test]
async fn colleague_joins_by_proven_domain_and_leaves(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let scene = Scene::start(backend).await;
    let away = scene.leave_with(json!({"organization": " Bo@Shop.example "})).await;
    let query = scene.provider.authorize(&away.page);
    let joined = scene.come_back(&query, &away.cookie).await;
    let colleague = scene.browser_of(&joined).await;
    let session = scene.ask(Method::GET, "/session", &colleague, None).await;
    let member = &session.body["member"];
    assert_eq!((&member["email"], &member["name"]), (&json!("bo@shop.example"), &json!("Bo Salas")));
    assert_eq!(member["role"], "DEVELOPER");
    assert_eq!(scene.audit("MEMBER_JOINED").await.len(), 1);

    let again = scene.sign_in_first().await;
    assert_eq!(again.member, colleague.member, "no second member");
    let used = scene.audit("SESSION_PROVIDER_USED").await;
    assert_eq!((used.len(), &used[0]["actor"]["id"]), (1, &json!(colleague.member)));

    let path = format!("/members/{}", colleague.member);
    assert_eq!(scene.ask(Method::DELETE, &path, &scene.owner, None).await.status, 204);
    for browser in [&colleague, &again] {
        assert_eq!(scene.ask(Method::GET, "/session", browser, None).await.status, 401);
    }
    // The removal is not remembered: the provider still says that the person belongs to the organization.
    let back = scene.sign_in_first().await;
    assert!(back.member != colleague.member, "a new member");
    assert_eq!(scene.audit("MEMBER_JOINED").await.len(), 2);
    assert_eq!(
        scene.ask(Method::DELETE, &format!("/members/{}", back.member), &scene.owner, None).await.status,
        204
    );
    let path = "/singleSignOn/domains/shop.example";
    assert_eq!(scene.ask(Method::DELETE, path, &scene.owner, None).await.status, 204);
    assert_refused(&scene.sign_in().await, 403, "NOT_A_MEMBER");
}

#[tokio::test]
async fn session_of_a_provider_is_proven_but_asks_for_a_passkey() {
    let scene = Scene::start(Backend::Sqlite).await;
    let colleague = scene.sign_in_first().await;
    let exported = scene.ask(Method::GET, "/production/audit/audit.csv", &colleague, None).await;
    assert_eq!(exported.status, 200, "an act in production: {:?}", exported.body);
    let refused = scene.ask(Method::POST, "/passkeys/challenge", &colleague, Some(json!({}))).await;
    assert_eq!(refused.status, 403);
    let challenge = refused.headers[header::WWW_AUTHENTICATE].to_str().unwrap();
    assert!(challenge.contains("insufficient_user_authentication"), "{challenge}");
    let sessions = scene.ask(Method::GET, "/sessions", &colleague, None).await;
    assert_eq!(sessions.body["items"][0]["isConfirmed"], true, "the provider proved who it is");
}

#[tokio::test]
async fn way_works_once_in_one_browser_and_for_one_tenant() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.service.another_tenant().await;
    let away = scene.leave().await;
    let other = scene.leave().await;
    let query = scene.provider.authorize(&away.page);
    let code = "SIGN_IN_EXPIRED";
    for (tenant, cookie) in [("demo", ""), ("demo", other.cookie.as_str()), ("other", away.cookie.as_str())] {
        assert_refused(&scene.come_back_in("en", tenant, &query, cookie).await, 410, code);
    }
    assert!(!scene.provider.now().asked.contains(&"/token".to_owned()), "the code was not used");
    scene.browser_of(&scene.come_back(&query, &away.cookie).await).await;
    assert_refused(&scene.come_back(&query, &away.cookie).await, 410, code);

    let away = scene.leave().await;
    let query = scene.provider.authorize(&away.page);
    let twice = format!("{query}&state=x");
    assert_refused(&scene.come_back(&twice, &away.cookie).await, 410, code);
    let long = format!("{query}&error={}", "x".repeat(5_000));
    assert_refused(&scene.come_back(&long, &away.cookie).await, 410, code);
    scene.clock.advance(DEPARTURE_LIFE);
    assert_refused(&scene.come_back(&query, &away.cookie).await, 410, code);
}

#[rstest]
#[case::not_verified(json!({"email_verified": false}))]
#[case::verification_unknown(json!({"email_verified": null}))]
#[case::another_domain(json!({"email": "bo@bank.example"}))]
#[tokio::test]
async fn person_without_verified_address_of_a_proven_domain_stays_out(#[case] claims: Value) {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.provider.now().claims = claims;
    assert_refused(&scene.sign_in().await, 403, "NOT_A_MEMBER");
}

#[tokio::test]
async fn existing_member_links_while_signed_in_and_never_by_address() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.provider.now().claims = json!({"email": "ana@shop.example"});
    assert_refused(&scene.sign_in().await, 403, "IDENTITY_NOT_LINKED");

    let link = async |by: &Browser| scene.ask(Method::POST, "/session/identity", by, Some(json!({}))).await;
    let mailed = scene.service.sign_in_unproven(&scene.owner.member).await;
    assert_eq!(link(&mailed).await.status, 403, "only after a confirmation");
    let left = away(&link(&scene.owner).await);
    let query = scene.provider.authorize(&left.page);
    let without_session = scene.come_back(&query, &left.cookie).await;
    assert_refused(&without_session, 403, "SESSION_ENDED");
    let left = away(&link(&scene.owner).await);
    let query = scene.provider.authorize(&left.page);
    let both = format!("{}; {}", left.cookie, scene.owner.cookie);
    let linked = scene.come_back(&query, &both).await;
    assert_eq!(
        (linked.status.as_u16(), &linked.headers["location"]),
        (303, &"/console/single-sign-on".parse().unwrap())
    );
    assert_eq!(scene.audit("IDENTITY_LINKED").await.len(), 1);
    let elsewhere = scene.sign_in_first().await;
    assert_eq!(elsewhere.member, scene.owner.member);

    let own = scene.ask(Method::GET, "/session/identity", &scene.owner, None).await;
    assert!(own.body["linkedAt"].is_string() && own.body["isOffered"] == true, "{:?}", own.body);
    let unlinked = scene.ask(Method::DELETE, "/session/identity", &scene.owner, None).await;
    assert_eq!((unlinked.status.as_u16(), &unlinked.body["linkedAt"]), (200, &Value::Null));
    let left = scene.ask(Method::GET, "/session", &elsewhere, None).await;
    assert_eq!(left.status, 401, "another person may have the account");
    assert_eq!(scene.ask(Method::GET, "/session", &scene.owner, None).await.status, 200);
    assert_refused(&scene.sign_in().await, 403, "IDENTITY_NOT_LINKED");
}

#[tokio::test]
async fn identity_of_another_member_cannot_be_linked() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.sign_in_first().await;
    let left = scene.ask(Method::POST, "/session/identity", &scene.owner, Some(json!({}))).await;
    let left = away(&left);
    let query = scene.provider.authorize(&left.page);
    let both = format!("{}; {}", left.cookie, scene.owner.cookie);
    assert_refused(&scene.come_back(&query, &both).await, 409, "IDENTITY_TAKEN");
}

#[rstest]
#[tokio::test]
async fn required_provider_admits_invited_members_and_owners_anyway(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let scene = Scene::start(backend).await;
    let before = scene.service.sign_in_as("old@bank.example", Role::Developer).await;
    let mut required = draft();
    required["isRequired"] = true.into();
    scene.save(required).await;
    assert_eq!(
        scene.ask(Method::GET, "/session", &before, None).await.status,
        401,
        "it was not by the provider"
    );
    assert_eq!(scene.ask(Method::GET, "/session", &scene.owner, None).await.status, 200);

    let code = scene.service.invite_member("demo", "cy@bank.example", Role::Support).await;
    let refused = scene.service.portal(Method::POST, "/session", "", Some(json!({"code": code}))).await;
    assert_eq!(refused.status, 403, "{:?}", refused.body);
    assert!(text(&refused.body["detail"]).contains("single sign-on"));
    scene.provider.now().claims = json!({"email_verified": false, "sub": "cy"});
    let left = scene.leave_with(json!({"code": code})).await;
    let query = scene.provider.authorize(&left.page);
    let invited = scene.browser_of(&scene.come_back(&query, &left.cookie).await).await;
    assert_eq!(scene.audit("IDENTITY_LINKED").await.len(), 1);
    let challenge = scene.ask(Method::POST, "/passkeys/challenge", &invited, Some(json!({}))).await;
    assert_eq!(challenge.status, 201, "the first passkey: {:?}", challenge.body);
    assert_eq!(scene.sign_in_first().await.member, invited.member, "the invitation linked the identity");
    let used = scene.ask_to_leave(json!({"code": code})).await;
    assert_eq!(used.status, 422, "the invitation works once: {:?}", used.body);

    let owners = scene.service.invite_member("demo", "di@bank.example", Role::Owner).await;
    let demoted = scene.service.sign_in(&owners).await;
    let path = format!("/members/{}", demoted.member);
    let changed = scene.ask(Method::PATCH, &path, &scene.owner, Some(json!({"role": "VIEWER"}))).await;
    assert_eq!(changed.status, 200);
    assert_eq!(scene.ask(Method::GET, "/session", &demoted, None).await.status, 401, "a former owner is out");
}

#[tokio::test]
async fn unknown_organization_looks_like_one_without_a_provider() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.service.another_tenant().await;
    let mut bodies = Vec::new();
    for organization in ["nowhere", "other", "ana@nowhere.example", "", "x@", "../demo"] {
        let refused = scene.ask_to_leave(json!({"organization": organization})).await;
        assert_eq!((refused.status.as_u16(), refused.headers.get(header::SET_COOKIE)), (422, None));
        bodies.push(refused.body["errors"].clone());
    }
    assert!(bodies.iter().all(|it| *it == bodies[0]), "{bodies:?}");
    for body in [json!({}), json!({"code": "c0de"})] {
        assert_eq!(scene.ask_to_leave(body).await.status, 422);
    }
    let foreign = [("sec-fetch-site", "cross-site")];
    let body = Some(json!({"organization": "demo"}));
    let refused = scene.service.portal_from(&foreign, Method::POST, "/session/provider", "", body).await;
    assert_eq!(refused.status, 403, "another site must not begin a sign-in");
}

#[tokio::test]
async fn database_has_neither_secret_nor_subject_nor_address_in_clear() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.sign_in_first().await;
    let away = scene.leave().await;
    let browser = away.cookie.split_once('=').unwrap().1;
    let mut files = 0;
    each_file(scene.service.database.folder(), &mut |path, bytes| {
        for needle in [SECRET, "248289761001", "bo@shop.example", browser] {
            assert_absent(&path.display().to_string(), &bytes, needle);
        }
        files += 1;
    });
    assert!(files > 0);
}
