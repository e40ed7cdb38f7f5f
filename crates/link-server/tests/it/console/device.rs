//! A program gets an API key that a member creates with the code which the program shows.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, header};
use base64::Engine as _;
use link_domain::kernel::clock::ClockOffset;
use link_domain::tenancy::tenant::key_request::{KeyRequest, REQUEST_LIFE, device_code};
use link_server::settings::Settings;
use link_server::workers::housekeeping;
use link_store::StoreError;
use link_store::test_support::Backend;
use link_types::console::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::Browser;
use crate::service::{As, Keys, TestResponse, TestService, text};

const GRANT_TYPE: &str = "urn:ietf:params:oauth:grant-type:device_code";

impl TestService {
    async fn device(&self, path: &str, fields: &[(&str, &str)]) -> TestResponse {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.extend_pairs(fields);
        let request = Request::post(format!("/device/{path}"))
            .header(header::HOST, "localhost:8787")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send_raw(request.body(Body::from(form.finish())).unwrap()).await
    }

    async fn ask_for_key(&self, device_code: &str) -> TestResponse {
        self.device("token", &[("grant_type", GRANT_TYPE), ("device_code", device_code)]).await
    }

    async fn create_for_code(&self, browser: &Browser, code: &str) -> TestResponse {
        let draft = json!({"name": "Laptop", "scopes": ["READ"], "code": code});
        self.portal(Method::POST, "/sandbox/keys", &browser.cookie, Some(draft)).await
    }
}

#[rstest]
#[tokio::test]
async fn program_gets_the_key_that_a_member_creates(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start_with(backend, |settings| {
        settings.api_url = "https://api.linchpin.example".to_owned();
    })
    .await;
    let browser = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let session = service.portal(Method::GET, "/session", &browser.cookie, None).await;
    assert_eq!(session.body["productionUrl"], "https://api.linchpin.example/v1");
    let begun = service.device("authorization", &[("client_id", "linchpin-cli")]).await;
    assert_eq!(begun.status, 200, "{:?}", begun.body);
    assert_eq!(begun.headers[header::CACHE_CONTROL], "no-store");
    assert_eq!(begun.body["verification_uri"], "http://localhost:8787/console/keys/sandbox");
    assert_eq!((&begun.body["expires_in"], &begun.body["interval"]), (&json!(600), &json!(2)));
    let (device_code, code) = (text(&begun.body["device_code"]), text(&begun.body["user_code"]));
    let keys = Keys {
        basic: base64::engine::general_purpose::STANDARD.encode(&device_code),
        ..service.sandbox.clone()
    };
    let use_key = async || service.send(Method::GET, "/users", As::Tenant(&keys), None).await.status.as_u16();

    let waiting = service.ask_for_key(&device_code).await;
    assert_eq!((waiting.status.as_u16(), &waiting.body["error"]), (400, &json!("authorization_pending")));
    assert_eq!(use_key().await, 401, "the device code does not work yet");

    let created = service.create_for_code(&browser, &code.to_lowercase()).await;
    assert_eq!(created.status, 201, "{:?}", created.body);
    assert_eq!(created.body["credentials"], Value::Null, "only the program has the secret");
    let token = service.ask_for_key(&device_code).await;
    assert_eq!(token.status, 200, "{:?}", token.body);
    assert_eq!(text(&token.body["access_token"]), device_code);
    assert_eq!(token.body["base_url"], "http://localhost:8787/sandbox/v1", "its key names no tenant");
    assert_eq!(token.body["key_name"], "Laptop");
    assert_eq!((&token.body["token_type"], &token.body["scope"]), (&json!("Basic"), &json!("READ")));
    assert_eq!(use_key().await, 200);

    let again = service.create_for_code(&browser, &code).await;
    assert_eq!((again.status.as_u16(), &again.body["errors"][0]["field"]), (422, &json!("code")));
    let path = format!("/sandbox/keys/{}", text(&created.body["key"]["id"]));
    assert_eq!(service.portal(Method::DELETE, &path, &browser.cookie, None).await.status, 200);
    assert_eq!(service.ask_for_key(&device_code).await.body["error"], "access_denied");
    assert_eq!(use_key().await, 401);
}

#[tokio::test]
async fn wrong_codes_are_refused_with_a_reason() {
    let service = TestService::start(Backend::Sqlite).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Developer).await;
    for code in ["BCDF-GHJK", "no code", ""] {
        let refused = service.create_for_code(&browser, code).await;
        assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("code")));
    }
    let mut context = service.app.context(ClockOffset::default());
    let (_, unknown, _) = KeyRequest::begin(None, &mut context);
    let unknown = device_code(&unknown);
    for (fields, error) in [
        (vec![], "unsupported_grant_type"),
        (vec![("grant_type", GRANT_TYPE)], "invalid_request"),
        (vec![("grant_type", GRANT_TYPE), ("device_code", "lpk_1:lps_1")], "expired_token"),
        (vec![("grant_type", GRANT_TYPE), ("device_code", unknown.expose())], "expired_token"),
    ] {
        let refused = service.device("token", &fields).await;
        assert_eq!((refused.status.as_u16(), &refused.body["error"]), (400, &json!(error)));
    }
}

#[tokio::test]
async fn keys_of_another_origin_are_not_tried() {
    let service = TestService::start(Backend::Sqlite).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let body = Some(json!({"name": "found"}));
    let created = service.portal(Method::POST, "/sandbox/keys", &browser.cookie, body).await;
    let found = &created.body["credentials"];
    let pair = format!("{}:{}", text(&found["apiKey"]), text(&found["apiSecret"]));
    assert_eq!(service.ask_for_key(&pair).await.body["error"], "expired_token");

    let begun = service.device("authorization", &[]).await.body;
    let other = service.device("authorization", &[]).await.body;
    let (key, _) = text(&begun["device_code"]).split_once(':').map(|it| (it.0.to_owned(), ())).unwrap();
    let secret = text(&other["device_code"]).split_once(':').unwrap().1.to_owned();
    assert_eq!(service.ask_for_key(&format!("{key}:{secret}")).await.body["error"], "expired_token");
}

#[tokio::test]
async fn code_gives_only_a_key_of_the_environment_that_was_named() {
    let service = TestService::start(Backend::Sqlite).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let begun = service.device("authorization", &[("environment", "production")]).await;
    assert_eq!(begun.body["verification_uri"], "http://localhost:8787/console/keys/production");
    let refused = service.create_for_code(&browser, &text(&begun.body["user_code"])).await;
    assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("code")));
    let wrong = service.device("authorization", &[("environment", "staging")]).await;
    assert_eq!((wrong.status.as_u16(), &wrong.body["error"]), (400, &json!("invalid_request")));
}

#[tokio::test]
async fn granted_key_of_a_suspended_tenant_is_not_given() {
    let service = TestService::start(Backend::Sqlite).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let begun = service.device("authorization", &[]).await.body;
    assert_eq!(service.create_for_code(&browser, &text(&begun["user_code"])).await.status, 201);
    let now = service.app.now(ClockOffset::default());
    let suspended: Result<(), StoreError> = service
        .app
        .store
        .write(move |tx| {
            let tenant = tx.tenants().get(&"demo".parse().unwrap())?.unwrap();
            tx.apply(&tenant.suspend(now.wall()).unwrap().1, now)
        })
        .await;
    suspended.unwrap();
    assert_eq!(service.ask_for_key(&text(&begun["device_code"])).await.body["error"], "access_denied");
}

#[rstest]
#[tokio::test]
async fn housekeeping_deletes_codes_after_their_time(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let begun = service.device("authorization", &[]).await.body;
    let tidy_after = async |life: Duration| {
        housekeeping::tidy(&service.app, service.app.wall() + life).await.unwrap();
        service.ask_for_key(&text(&begun["device_code"])).await.body["error"].clone()
    };
    assert_eq!(tidy_after(REQUEST_LIFE - Duration::from_secs(60)).await, "authorization_pending");
    assert_eq!(tidy_after(REQUEST_LIFE + Duration::from_secs(60)).await, "expired_token");
}

#[tokio::test]
async fn page_of_another_site_begins_no_login() {
    let service = TestService::start(Backend::Sqlite).await;
    let request = Request::post("/device/authorization")
        .header(header::HOST, "localhost:8787")
        .header("sec-fetch-site", "cross-site");
    let refused = service.send_raw(request.body(Body::empty()).unwrap()).await;
    assert_eq!((refused.status.as_u16(), &refused.body["error"]), (400, &json!("invalid_request")));
}

#[tokio::test]
async fn codes_begin_only_with_a_portal_and_within_the_limit() {
    let off = |settings: &mut Settings| settings.console_url = "http://console.example".to_owned();
    let without = TestService::start_with(Backend::Sqlite, off).await;
    assert_eq!(without.device("authorization", &[]).await.status, 404);

    let slow = |settings: &mut Settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 5.try_into().unwrap();
        });
    };
    let service = TestService::start_with(Backend::Sqlite, slow).await;
    let mut statuses = Vec::new();
    for _ in 0..12 {
        statuses.push(service.device("authorization", &[]).await.status.as_u16());
    }
    assert_eq!((statuses[0], statuses[11]), (200, 429), "each stores a row: {statuses:?}");
}
