//! Custom connectors end to end: the service with the example connector and the example portal.

mod example;
mod queries;
mod withdrawals;

use std::net::SocketAddr;

use axum::Router;
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use link_connectors::http_source::signature::{SignedResponse, SigningKey};
use link_connectors::http_source::{ConnectorSettings, Serves};
use link_domain::kernel::owner::Owner;
use link_domain::linking::account_source::{
    Credentials, Purpose, ReadOutcome, ReadRequest, SourceInput, SourceState, Step, StepRequest,
};
use link_server::service as parts;
use link_server::settings::{Connector, SettingsInput};
use link_store::test_support::{Backend, TestDatabase};
use link_types::{LinkErrorCode, Mode, Sensitive};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::service::{As, TestService, text};

#[path = "../../examples/connector"]
mod connector {
    pub mod document;
    pub mod login;
    pub mod offer;
    pub mod pages;
    pub mod portal;
    pub mod query;
    pub mod reading;
    pub mod server;
    pub mod signing;
}

#[path = "../../examples/portal"]
mod portal {
    pub mod certificate;
    pub mod lookups;
    pub mod pages;
    pub mod people;
    pub mod site;
}

use portal::site::Portal;

const PROVIDER: &str = "mx_aurora_portal";
const SECRET: &str = "canary-secret of portal and service, long enough";

/// A running example program.
struct Running {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Running {
    async fn start(at: SocketAddr, router: Router) -> Self {
        let listener = TcpListener::bind(at).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, mut stopping) = watch::channel(false);
        let served = axum::serve(listener, router).with_graceful_shutdown(async move {
            stopping.wait_for(|stop| *stop).await.ok();
        });
        let task = tokio::spawn(async move { served.await.unwrap() });
        Self { address, stop, task }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops the program and closes its idle connections.
    async fn stop(&mut self) {
        self.stop.send_replace(true);
        (&mut self.task).await.unwrap();
    }
}

/// Returns an address with a port that the system picks.
fn anywhere() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

/// The portal, its connector, and a service configured with it.
struct Setup {
    service: TestService,
    connector: Running,
    portal: Portal,
    portal_at: Running,
    codes: mpsc::UnboundedReceiver<String>,
}

impl Setup {
    async fn start(backend: Backend) -> Self {
        let (send, codes) = mpsc::unbounded_channel();
        let portal = Portal::new(move |text| {
            assert_eq!(text.to, "•••• 0142");
            send.send(text.code).unwrap();
        });
        let portal_at = Running::start(anywhere(), portal::site::router(portal.clone())).await;
        let router = connector::server::router(vec![SECRET.to_owned()], portal_at.url());
        let connector = Running::start(anywhere(), router).await;
        let url = connector.url();
        let service = TestService::start_with(backend, |settings| {
            settings.connectors = vec![configure(Mode::Sandbox, &url, PROVIDER)];
        })
        .await;
        service.app.ports.source(Mode::Sandbox).renew_providers().await;
        Self { service, connector, portal, portal_at, codes }
    }

    /// Submits a login and returns the account's settled progress.
    async fn log_in(&self, session: &str, user: &str, password: &str) -> Value {
        let progress = self.service.submit(session, PROVIDER, user, password).await;
        self.service.until_settled(session, &progress).await
    }

    async fn failure(&self, user: &str, password: &str) -> String {
        let session = self.service.session().await;
        let failed = self.log_in(&session, user, password).await;
        text(&failed["phase"]["failed"]["errorCode"])
    }
}

fn configure(mode: Mode, url: &str, provider: &str) -> Connector {
    Connector {
        mode,
        settings: ConnectorSettings {
            name: "portal".to_owned(),
            url: url.to_owned(),
            serves: Serves { providers: vec![provider.parse().unwrap()], ..Serves::default() },
            secret: Sensitive::new(SECRET),
            ca_file: None,
        },
    }
}

/// Returns a connector that lists no providers but serves every other operation.
fn without_providers(connector: Router) -> Router {
    let nothing = async |headers: HeaderMap| empty_catalog(&headers);
    Router::new().route("/linchpin/v1/providers", get(nothing)).fallback_service(connector)
}

/// Returns the signed response of a connector that offers nothing.
fn empty_catalog(headers: &HeaderMap) -> Response {
    let body = r#"{"providers": []}"#;
    let nonce = headers["linchpin-nonce"].to_str().unwrap();
    let signed = SignedResponse { nonce, status: 200, body: body.as_bytes() };
    let signature = SigningKey::new(Sensitive::new(SECRET)).sign_response(signed);
    ([("linchpin-signature", signature)], body).into_response()
}

fn challenge(progress: &Value) -> &Value {
    let challenge = &progress["phase"]["challenge"]["challenge"];
    assert!(challenge.is_object(), "no challenge: {progress}");
    challenge
}

fn other_than(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

#[tokio::test]
async fn connector_account_links_after_wrong_code_and_is_read() {
    let mut setup = Setup::start(Backend::Sqlite).await;
    let service = &setup.service;
    let shown = service.get(&format!("/providers/{PROVIDER}")).await;
    assert_eq!((shown.status.as_u16(), &shown.body["mfa"]), (200, &json!(true)), "{:?}", shown.body);

    let session = service.session().await;
    let asked = setup.log_in(&session, "lucia", "aurora").await;
    assert_eq!(challenge(&asked)["kind"]["oneTimeCode"]["destination"], "•••• 0142");
    let code = setup.codes.recv().await.unwrap();
    let wrong = setup.service.answer(&session, &asked, other_than(&code)).await;
    assert_eq!(challenge(&wrong)["wrongAnswer"], true);
    assert_eq!(challenge(&wrong)["triesLeft"], 2);
    let linked = setup.service.answer(&session, &wrong, &code).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    setup.service.until_event("TASK_FINISHED").await;

    let service = &setup.service;
    let emitted = service.get("/events?size=1").await;
    assert_eq!(emitted.body["items"][0]["data"]["status"], "SUCCEEDED", "{:?}", emitted.body);
    let person = &service.get("/identities").await.body["items"][0];
    assert_eq!(person["fullName"], "Lucía Méndez Aurora");
    assert_eq!(person["dob"], "1990-05-24");
    assert_eq!(person["metadata"]["providerId"], PROVIDER);
    let jobs = service.get("/employments").await.body["items"].as_array().unwrap().clone();
    let employers: Vec<_> = jobs.iter().map(|it| text(&it["employer"])).collect();
    assert_eq!(jobs.len(), 2, "{employers:?}");
    assert!(employers.contains(&"Panadería <Norte> & Sur".to_owned()), "{employers:?}");
    let contributions = service.get("/contributions?size=150").await.body["items"].clone();
    let contributions = contributions.as_array().unwrap();
    assert_eq!(contributions.len(), 14, "three pages");
    let newest = contributions.iter().find(|it| it["date"] == "2025-10-31").unwrap();
    assert_eq!(newest["amount"], 1251.3);
    let certificate = &service.get("/documents").await.body["items"][0];
    assert_eq!(certificate["name"], "Constancia de aportaciones");
    let file = crate::uploads::life::fetch(service, &text(&certificate["fileUrl"])).await;
    let shown = String::from_utf8_lossy(&file.bytes).into_owned();
    assert!(shown.starts_with("%PDF-") && shown.contains("NSS-0000000142"), "{shown}");
    let estimates = service.get("/eincomes").await.body["items"].as_array().unwrap().len();
    assert!(estimates > 0, "the connector's rate is used to estimate incomes");
}

#[tokio::test]
async fn connector_login_without_challenge_links_at_once() {
    let setup = Setup::start(Backend::Sqlite).await;
    let session = setup.service.session().await;
    let linked = setup.log_in(&session, "bruno", "aurora").await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
}

#[tokio::test]
async fn connector_login_failures_map_to_error_codes() {
    let setup = Setup::start(Backend::Sqlite).await;
    assert_eq!(setup.failure("lucia", "canary-password").await, "INVALID_CREDENTIALS");
    assert_eq!(setup.failure("carmen", "aurora").await, "ACCOUNT_LOCKED");
    let log = crate::sealed::log().text();
    assert!(log.len() > 1_000 && !log.contains("canary"), "the log holds a password or the secret");
}

#[tokio::test]
async fn three_wrong_connector_codes_fail_with_invalid_mfa() {
    let mut setup = Setup::start(Backend::Sqlite).await;
    let session = setup.service.session().await;
    let mut progress = setup.log_in(&session, "lucia", "aurora").await;
    let code = setup.codes.recv().await.unwrap();
    for _ in 0..3 {
        progress = setup.service.answer(&session, &progress, other_than(&code)).await;
    }
    assert_eq!(progress["phase"]["failed"]["errorCode"], "INVALID_MFA", "{progress}");
}

#[tokio::test]
async fn resent_connector_code_replaces_the_first() {
    let mut setup = Setup::start(Backend::Sqlite).await;
    let session = setup.service.session().await;
    let asked = setup.log_in(&session, "lucia", "aurora").await;
    setup.codes.recv().await.unwrap();
    let path = format!("/link/accounts/{}/resend", text(&asked["accountId"]));
    let body = json!({"challengeId": challenge(&asked)["id"], "channel": "SMS"});
    let again = setup.service.send(Method::POST, &path, As::Session(&session), Some(&body)).await;
    assert_eq!(again.status, 200, "{:?}", again.body);
    let asked = setup.service.until_settled(&session, &again.body).await;
    let code = setup.codes.recv().await.unwrap();
    let linked = setup.service.answer(&session, &asked, &code).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
}

#[tokio::test]
async fn unreachable_portal_fails_with_service_unavailable() {
    let mut setup = Setup::start(Backend::Sqlite).await;
    setup.portal_at.stop().await;
    assert_eq!(setup.failure("bruno", "aurora").await, "SERVICE_UNAVAILABLE");
}

#[tokio::test]
async fn stopped_connector_disables_provider_until_it_returns() {
    let mut setup = Setup::start(Backend::Sqlite).await;
    setup.connector.stop().await;
    assert_eq!(setup.failure("bruno", "aurora").await, "SERVICE_UNAVAILABLE");
    let source = setup.service.app.ports.source(Mode::Sandbox);
    source.renew_providers().await;
    source.renew_providers().await;
    let enabled = async || setup.service.get(&format!("/providers/{PROVIDER}")).await.body["enabled"].clone();
    assert_eq!(enabled().await, false);
    let router = connector::server::router(vec![SECRET.to_owned()], setup.portal_at.url());
    let _back = Running::start(setup.connector.address, router).await;
    source.renew_providers().await;
    assert_eq!(enabled().await, true);
}

#[tokio::test]
async fn connector_with_wrong_secret_fails_with_system_error() {
    let mut setup = Setup::start(Backend::Sqlite).await;
    setup.connector.stop().await;
    let other = vec!["a secret that the service does not have at all".to_owned()];
    let router = connector::server::router(other, setup.portal_at.url());
    setup.connector = Running::start(setup.connector.address, router).await;
    assert_eq!(setup.failure("bruno", "aurora").await, "SYSTEM_ERROR");
    assert!(crate::sealed::log().text().contains("do secret and clock agree?"));
}

#[tokio::test]
async fn expired_portal_session_requires_a_new_login() {
    let setup = Setup::start(Backend::Sqlite).await;
    let source = setup.service.app.ports.source(Mode::Sandbox);
    let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox };
    let (provider_id, nothing) = (PROVIDER.parse().unwrap(), SourceState::default());
    let values = [("username", "bruno"), ("password", "aurora")];
    let values = values.map(|(name, value)| (name.to_owned(), Sensitive::new(value)));
    let input = SourceInput::LogIn {
        login_option: Some("username".to_owned()),
        credentials: Credentials(values.into()),
    };
    let step = source
        .step(StepRequest { owner: &owner, provider_id: &provider_id, state: &nothing, input: &input })
        .await;
    let Step::Connected { state } = step else { panic!("{step:?}") };
    let at = setup.service.app.now(Default::default()).tenant();
    let request = ReadRequest {
        owner: &owner,
        provider_id: &provider_id,
        state: &state,
        purpose: Purpose::Sync,
        at,
        last_read_at: Some(at),
    };
    assert_eq!(source.read(request).await.outcome, ReadOutcome::Complete);
    setup.portal.end_sessions();
    let code = LinkErrorCode::ExpiredCredentials;
    assert_eq!(source.read(request).await.outcome, ReadOutcome::Failed { code });
}

#[tokio::test]
async fn pending_challenge_survives_removal_of_its_provider() {
    let mut setup = Setup::start(Backend::Sqlite).await;
    let session = setup.service.session().await;
    let asked = setup.log_in(&session, "lucia", "aurora").await;
    let code = setup.codes.recv().await.unwrap();
    setup.connector.stop().await;
    let router = without_providers(connector::server::router(vec![SECRET.to_owned()], setup.portal_at.url()));
    setup.connector = Running::start(setup.connector.address, router).await;
    setup.service.app.ports.source(Mode::Sandbox).renew_providers().await;
    let shown = setup.service.get(&format!("/providers/{PROVIDER}")).await;
    assert_eq!((shown.status.as_u16(), &shown.body["enabled"]), (200, &json!(false)), "{:?}", shown.body);
    let linked = setup.service.answer(&session, &asked, &code).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
}

#[tokio::test]
async fn connector_serves_only_its_own_environment() {
    let setup = Setup::start(Backend::Sqlite).await;
    let url = setup.connector.url();
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.connectors = vec![configure(Mode::Production, &url, PROVIDER)];
    })
    .await;
    service.app.ports.source(Mode::Production).renew_providers().await;
    let list = async |service: &TestService| {
        let response = service.send(Method::GET, "/providers", As::Tenant(&service.production), None).await;
        let items = response.body["items"].as_array().unwrap().clone();
        items.iter().map(|it| text(&it["id"])).collect::<Vec<_>>()
    };
    assert_eq!(list(&service).await, [PROVIDER]);
    assert_eq!(service.get(&format!("/providers/{PROVIDER}")).await.status, 404);
    assert_eq!(
        list(&setup.service).await,
        Vec::<String>::new(),
        "its production environment has no connector"
    );
}

#[tokio::test]
async fn provider_with_two_sources_prevents_startup() {
    let refusal = async |connectors: Vec<Connector>| {
        let database = TestDatabase::new(Backend::Sqlite);
        let mut settings = SettingsInput::default().settle().unwrap();
        settings.data_dir = database.folder().to_owned();
        settings.connectors = connectors;
        let (_stop, stopping) = watch::channel(false);
        parts::parts(settings, database.open().await, stopping).err().unwrap().to_string()
    };
    let sandbox = configure(Mode::Sandbox, "http://127.0.0.1:1", "mx_social_security");
    let refused = refusal(vec![sandbox]).await;
    assert!(
        refused.contains("mx_social_security is served by the sandbox and by the connector portal"),
        "{refused}"
    );
    let production = configure(Mode::Production, "http://127.0.0.1:1", PROVIDER);
    let refused = refusal(vec![production.clone(), production]).await;
    assert!(refused.contains("by the connector portal and by the connector portal"), "{refused}");
}
