//! A service under test: the real router, real workers and its own database.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use link_domain::change::{Change, Row};
use link_domain::documents::document_reader::DocumentReader;
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::tenant::ApiKey;
use link_server::admin::tenant_setup::{first_start, make_tenant};
use link_server::app::{App, Parts};
use link_server::settings::{Settings, SettingsInput};
use link_server::{router, service, workers};
use link_store::test_support::{Backend, TestDatabase};
use link_store::{FileSettings, StoreError};
use link_test_support::sealing::Sealer;
use link_test_support::wait;
use link_types::Mode;
use serde_json::{Value, json};
use tokio::sync::watch;
use tower::ServiceExt as _;

use crate::conformance::{Conformance, DOCUMENT};
use crate::documents::InProcessReader;

/// The page that embeds the widget in these tests.
pub const HOST_ORIGIN: &str = "http://127.0.0.1:8788";

/// One environment's keys and template ids, as the first start writes them.
#[derive(Clone)]
pub struct Keys {
    pub basic: String,
    pub base: &'static str,
    pub template: String,
    pub consent: String,
    pub invite_template: String,
}

/// A running service.
pub struct TestService {
    pub app: App,
    pub router: Router,
    pub sandbox: Keys,
    pub production: Keys,
    pub database: TestDatabase,
    /// All request and response bodies, as a proxy in front of the service would see them.
    pub captured: Mutex<Vec<u8>>,
    conformance: Conformance,
    stop: watch::Sender<bool>,
}

/// A response with its whole body.
#[derive(Debug)]
pub struct TestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
    pub bytes: Vec<u8>,
}

/// Who sends a request.
#[derive(Clone)]
pub enum As<'a> {
    Anonymous,
    Tenant(&'a Keys),
    Session(&'a str),
}

impl TestService {
    /// Starts a service on an empty database, with very high rate limits and webhook retries after 50 ms.
    pub async fn start(backend: Backend) -> Self {
        Self::start_with(backend, |_| {}).await
    }

    /// Starts a service with changed settings.
    pub async fn start_with(backend: Backend, change: impl FnOnce(&mut Settings)) -> Self {
        Self::start_reading(backend, Arc::new(InProcessReader), change).await
    }

    /// Starts a service with another document reader.
    pub async fn start_reading(
        backend: Backend,
        reader: Arc<dyn DocumentReader>,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        Self::start_of(backend, change, |parts| parts.ports.reader = reader).await
    }

    /// Starts a service with changed settings and parts.
    pub async fn start_of(
        backend: Backend,
        change: impl FnOnce(&mut Settings),
        exchange: impl FnOnce(&mut Parts),
    ) -> Self {
        crate::sealed::log();
        let database = TestDatabase::new(backend);
        let mut settings = SettingsInput::default().settle().unwrap();
        settings.data_dir = database.folder().to_owned();
        settings.files = FileSettings::Folder(database.folder().join("files"));
        settings.webhook_allow = vec!["127.0.0.0/8".to_owned()];
        settings.live.edit(|live| {
            let most = 100_000.try_into().unwrap();
            (live.rate_per_second, live.tenant_rate_per_second) = (most, most);
            (live.rate_burst, live.tenant_rate_burst, live.resend_seconds) = (most, most, 0.05);
        });
        change(&mut settings);
        let (stop, stopping) = watch::channel(false);
        let mut parts = service::parts(settings, database.open().await, stopping).unwrap();
        (parts.ports.reader, parts.ports.logo_encoder) =
            (Arc::new(InProcessReader), Arc::new(InProcessReader));
        exchange(&mut parts);
        let app = App::new(parts);
        let first = first_start(&app).await.unwrap().unwrap();
        let mut keys: Value = serde_json::from_slice(&std::fs::read(first.file.unwrap()).unwrap()).unwrap();
        assert_eq!(keys["production"].get("apiKey"), None, "the first start creates no production key");
        let mut context = app.context(ClockOffset::default());
        let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Production };
        let (key, issued) = ApiKey::issue(owner, &mut context);
        keys["production"]["apiKey"] = issued.key.into();
        keys["production"]["apiSecret"] = issued.secret.expose().into();
        let (change, now) = (Change::row(Row::ApiKey(key)), context.now());
        let made: Result<(), StoreError> = app.store.write(move |tx| tx.apply(&change, now)).await;
        made.unwrap();
        tokio::spawn(workers::jobs::run(app.clone()));
        tokio::spawn(workers::delivery::run(app.clone()));
        let router = router::router(app.clone());
        let conformance = Conformance::with(&DOCUMENT);
        let sandbox = Keys::read(&keys["sandbox"], "/sandbox/v1");
        let production = Keys::read(&keys["production"], "/v1");
        let service = Self {
            app,
            router,
            sandbox,
            production,
            database,
            captured: Mutex::default(),
            conformance,
            stop,
        };
        let path = format!("/linkTemplates/{}", service.sandbox.template);
        let allowed = service.patch(&path, json!({"allowedOrigins": [HOST_ORIGIN]})).await;
        assert_eq!(allowed.status, 200, "{:?}", allowed.body);
        service
    }

    /// Signals a shutdown to requests in progress.
    pub fn begin_to_stop(&self) {
        self.stop.send_replace(true);
    }

    /// Stops this node and starts another one on the same database.
    pub async fn move_to_another_node(&mut self) {
        let (stop, stopping) = watch::channel(false);
        std::mem::replace(&mut self.stop, stop).send_replace(true);
        let settings = self.app.settings.clone();
        self.app = App::new(service::parts(settings, self.database.open().await, stopping).unwrap());
        tokio::spawn(workers::jobs::run(self.app.clone()));
        self.router = router::router(self.app.clone());
    }

    /// Sends one request through the router.
    pub async fn send(&self, method: Method, path: &str, by: As<'_>, body: Option<&Value>) -> TestResponse {
        self.send_with(method, path, by, &[], body).await
    }

    /// Sends one request with further headers.
    pub async fn send_with(
        &self,
        method: Method,
        path: &str,
        caller: As<'_>,
        headers: &[(String, String)],
        body: Option<&Value>,
    ) -> TestResponse {
        let base = match &caller {
            As::Tenant(keys) => keys.base,
            As::Session(_) | As::Anonymous => self.sandbox.base,
        };
        let mut request =
            Request::builder().method(method).uri(format!("{base}{path}")).header("host", "localhost:8787");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        match &caller {
            As::Anonymous => {}
            As::Tenant(keys) => {
                request = request.header(header::AUTHORIZATION, format!("Basic {}", keys.basic))
            }
            As::Session(secret) => {
                request = request.header(header::AUTHORIZATION, format!("Bearer {secret}"))
            }
        }
        let body = match body {
            Some(body) => {
                self.captured.lock().unwrap().extend_from_slice(body.to_string().as_bytes());
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        self.send_raw(request.body(body).unwrap()).await
    }

    /// Sends a request as it is.
    pub async fn send_raw(&self, request: Request<Body>) -> TestResponse {
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap().to_vec();
        self.captured.lock().unwrap().extend_from_slice(&bytes);
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        let answer = TestResponse { status: parts.status, headers: parts.headers, body, bytes };
        self.conformance.check(&method, uri.path(), &answer);
        answer
    }

    /// Returns a tenant's GET in the sandbox.
    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(Method::GET, path, As::Tenant(&self.sandbox), None).await
    }

    /// Returns a tenant's POST in the sandbox.
    pub async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.send(Method::POST, path, As::Tenant(&self.sandbox), Some(&body)).await
    }

    /// Returns a tenant's PATCH in the sandbox.
    pub async fn patch(&self, path: &str, body: Value) -> TestResponse {
        self.send(Method::PATCH, path, As::Tenant(&self.sandbox), Some(&body)).await
    }

    /// Returns a tenant's DELETE in the sandbox.
    pub async fn delete(&self, path: &str) -> TestResponse {
        self.send(Method::DELETE, path, As::Tenant(&self.sandbox), None).await
    }

    /// Creates another tenant and returns its sandbox keys.
    pub async fn another_tenant(&self) -> Keys {
        let (change, keys) = make_tenant(&self.app, "other".parse().unwrap(), "Other".to_owned());
        let now = self.app.now(ClockOffset::default());
        let applied = self.app.store.write(move |tx| -> Result<(), StoreError> { tx.apply(&change, now) });
        applied.await.unwrap();
        Keys::read(&serde_json::to_value(keys).unwrap()["sandbox"], "/sandbox/v1")
    }

    /// Returns the owner of everything in the sandbox.
    pub fn owner(&self) -> Owner {
        Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox }
    }

    /// Creates a user and returns its id and link token.
    pub async fn user(&self) -> (String, String) {
        let user = self.post("/users", json!({})).await;
        assert_eq!(user.status, 201, "{:?}", user.body);
        (text(&user.body["id"]), text(&user.body["token"]["accessToken"]))
    }

    /// Returns the body of a link token exchange.
    pub fn exchange_of(&self, token: &str, secret: &str) -> Value {
        json!({"token": token, "secret": secret, "templateId": self.sandbox.template, "hostOrigin": HOST_ORIGIN})
    }

    /// Exchanges a link token for a session.
    pub async fn exchange(&self, token: &str, secret: &str) -> TestResponse {
        let body = self.exchange_of(token, secret);
        self.send(Method::POST, "/link/sessions", As::Anonymous, Some(&body)).await
    }

    /// Opens a session for a new user and returns its secret.
    pub async fn session(&self) -> String {
        let (_, token) = self.user().await;
        let secret = secret();
        let opened = self.exchange(&token, &secret).await;
        assert_eq!(opened.status, 201, "{:?}", opened.body);
        secret
    }

    /// Returns the sealer of a session.
    pub async fn sealer(&self, session: &str) -> Sealer {
        let key = self.send(Method::GET, "/link/sealingKey", As::Session(session), None).await;
        assert_eq!(key.status, 200, "{:?}", key.body);
        let state = self.send(Method::GET, "/link/session", As::Session(session), None).await;
        Sealer::new(&key.body, &state.body)
    }

    /// Returns the body that submits a login.
    pub async fn login(&self, session: &str, provider: &str, username: &str, password: &str) -> Value {
        let form = json!({"username": username, "password": password});
        let state = self.send(Method::GET, "/link/session", As::Session(session), None).await.body;
        json!({
            "providerId": provider,
            "loginOption": "username",
            "loginName": username,
            "credentials": self.sealer(session).await.credentials(provider, &form),
            "consent": {"consentTemplateId": self.sandbox.consent, "version": "1.0", "locale": "en", "givenBy": "PERSON",
                "syncInterval": state["template"]["syncInterval"], "retention": state["template"]["retention"]},
        })
    }

    /// Submits a login and returns the account's progress.
    pub async fn submit(&self, session: &str, provider: &str, username: &str, password: &str) -> Value {
        let body = self.login(session, provider, username, password).await;
        let started = self.send(Method::POST, "/link/accounts", As::Session(session), Some(&body)).await;
        assert_eq!(started.status, 201, "{:?}", started.body);
        started.body
    }

    /// Answers the challenge with a string and returns the account's settled progress.
    pub async fn answer(&self, session: &str, progress: &Value, answer: &str) -> Value {
        let answer = self.sealer(session).await.answer(&progress["phase"]["challenge"]["challenge"], answer);
        self.answer_with(session, progress, answer).await
    }

    /// Answers the challenge and returns the account's settled progress.
    pub async fn answer_with(&self, session: &str, progress: &Value, answer: Value) -> Value {
        let path = format!("/link/accounts/{}/answer", text(&progress["accountId"]));
        let body =
            json!({"challengeId": progress["phase"]["challenge"]["challenge"]["id"], "answer": answer});
        let answered = self.send(Method::POST, &path, As::Session(session), Some(&body)).await;
        assert_eq!(answered.status, 200, "{:?}", answered.body);
        self.until_settled(session, &answered.body).await
    }

    /// Waits until the account leaves the phase "connecting".
    pub async fn until_settled(&self, session: &str, progress: &Value) -> Value {
        let mut progress = progress.clone();
        for _ in 0..20 {
            if progress["phase"].get("connecting").is_none() {
                return progress;
            }
            let path = format!(
                "/link/accounts/{}?after={}&wait=5000",
                text(&progress["accountId"]),
                progress["version"]
            );
            let response = self.send(Method::GET, &path, As::Session(session), None).await;
            assert_eq!(response.status, 200, "{:?}", response.body);
            progress = response.body;
        }
        panic!("the account never settled: {progress}");
    }

    /// Returns the types of all events so far, oldest first.
    pub async fn event_types(&self) -> Vec<String> {
        let events = self.get("/events?size=150").await;
        let items = events.body["items"].as_array().unwrap().clone();
        items.iter().rev().map(|it| text(&it["type"])).collect()
    }

    /// Waits until an event of this type is emitted.
    pub async fn until_event(&self, event_type: &str) {
        self.until_events(event_type, 1).await;
    }

    /// Waits until `count` events of this type are emitted.
    pub async fn until_events(&self, event_type: &str, count: usize) {
        wait::until_ok(&format!("{count} {event_type} events are emitted"), async || {
            let types = self.event_types().await;
            let found = types.iter().filter(|it| *it == event_type).count();
            if found >= count { Ok(()) } else { Err(format!("{types:?}")) }
        })
        .await;
    }
}

impl Drop for TestService {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}

impl Keys {
    pub fn read(keys: &Value, base: &'static str) -> Self {
        let pair = format!("{}:{}", text(&keys["apiKey"]), text(&keys["apiSecret"]));
        Self {
            basic: STANDARD.encode(pair),
            base,
            template: text(&keys["linkTemplateId"]),
            consent: text(&keys["consentTemplateId"]),
            invite_template: text(&keys["inviteTemplateId"]),
        }
    }
}

/// Returns the value of a JSON string.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}")).to_owned()
}

/// Returns a random session secret, as boot.ts makes it.
pub fn secret() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).unwrap();
    URL_SAFE_NO_PAD.encode(bytes)
}
