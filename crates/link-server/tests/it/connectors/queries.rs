//! Records and signals of production end to end: the service, the example connector and the portal's lookups.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Request;
use axum::http::Method;
use axum::middleware::{Next, from_fn};
use link_connectors::http_source::{ConnectorSettings, Serves};
use link_server::service as parts;
use link_server::settings::{Connector, SettingsInput};
use link_store::test_support::{Backend, TestDatabase};
use link_test_support::wait;
use link_types::record::RecordType;
use link_types::signal::SignalKind;
use link_types::{Mode, Sensitive};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::portal::site::Portal;
use super::{Running, SECRET, anywhere, connector, empty_catalog, portal};
use crate::service::{As, Keys, TestResponse, TestService, text};

const CURP: &str = "MEAL900524MDFNRC04";
const RECORDS: &str = "/alpha/socialSecurities";

/// The requests that a connector received, and whether it has taken its records and signals out of service.
#[derive(Clone, Default)]
struct Received {
    requests: Arc<Mutex<Vec<String>>>,
    is_withdrawn: Arc<AtomicBool>,
}

impl Received {
    fn count(&self, start: &str) -> usize {
        self.requests.lock().unwrap().iter().filter(|it| it.starts_with(start)).count()
    }

    /// Returns a connector that notes its requests.
    fn noting(&self, connector: Router) -> Router {
        let received = self.clone();
        connector.layer(from_fn(move |request: Request, next: Next| {
            let path = request.uri().path().to_owned();
            received.requests.lock().unwrap().push(format!("{} {path}", request.method()));
            let is_withdrawn = path.ends_with("/providers") && received.is_withdrawn.load(Ordering::Relaxed);
            async move { if is_withdrawn { empty_catalog(request.headers()) } else { next.run(request).await } }
        }))
    }
}

/// The portal, its connector, and a service whose production uses it.
struct Production {
    service: TestService,
    keys: Keys,
    portal: Portal,
    portal_at: Running,
    connector: Running,
    received: Received,
}

fn connector_of(mode: Mode, url: &str, records: &[RecordType], signals: &[SignalKind]) -> Connector {
    let (providers, records, signals) = (Vec::new(), records.to_vec(), signals.to_vec());
    Connector {
        mode,
        settings: ConnectorSettings {
            name: "bureau".to_owned(),
            url: url.to_owned(),
            serves: Serves { providers, records, signals },
            secret: Sensitive::new(SECRET),
            ca_file: None,
        },
    }
}

impl Production {
    async fn start(backend: Backend) -> Self {
        let portal = Portal::new(|_| {});
        let portal_at = Running::start(anywhere(), portal::site::router(portal.clone())).await;
        let received = Received::default();
        let router = connector::server::router(vec![SECRET.to_owned()], portal_at.url());
        let connector = Running::start(anywhere(), received.noting(router)).await;
        let url = connector.url();
        let service = TestService::start_with(backend, |settings| {
            let signals =
                [SignalKind::SocialSecuritySignals, SignalKind::IncomeEstimator, SignalKind::Blacklist];
            let records = [RecordType::SocialSecurity];
            settings.connectors = vec![connector_of(Mode::Production, &url, &records, &signals)];
        })
        .await;
        service.app.ports.source(Mode::Production).renew_providers().await;
        let keys = service.production.clone();
        Self { service, keys, portal, portal_at, connector, received }
    }

    async fn post(&self, path: &str, body: &Value) -> TestResponse {
        self.service.send(Method::POST, path, As::Tenant(&self.keys), Some(body)).await
    }

    /// Requests a record, and returns its path.
    async fn record(&self, curp: &str) -> String {
        let mut body = crate::records::request("525500000142");
        body["curp"] = json!(curp);
        let created = self.post(RECORDS, &body).await;
        assert_eq!((created.status.as_u16(), &created.body["status"]), (201, &json!("PROCESSING")));
        format!("{RECORDS}/{}", text(&created.body["id"]))
    }

    async fn signal(&self, kind: SignalKind, email: &str) -> Value {
        let mut body = crate::signals::request(kind, "525500000142", email);
        if body.get("curp").is_some() {
            body["curp"] = json!(CURP);
        }
        let created = self.post(kind.path(), &body).await;
        assert_eq!(created.status, 201, "{:?}", created.body);
        created.body
    }

    /// Takes the connector's records and signals out of service.
    async fn withdraw(&self) {
        self.received.is_withdrawn.store(true, Ordering::Relaxed);
        self.service.app.ports.source(Mode::Production).renew_providers().await;
    }

    /// Waits until the service has asked for a task this many times: the connector accepted the query.
    async fn until_polled(&self, operation: &str, times: usize) {
        let poll = format!("GET /linchpin/v1/{operation}/");
        wait::until("the service asks for the task", async || self.received.count(&poll) >= times).await;
    }

    async fn billing_types(&self) -> Vec<String> {
        let events = self.service.send(Method::GET, "/billing/events", As::Tenant(&self.keys), None).await;
        events.body["items"].as_array().unwrap().iter().map(|it| text(&it["type"])).collect()
    }
}

fn item<'a>(signal: &'a Value, name: &str) -> &'a Value {
    &signal["items"].as_array().unwrap().iter().find(|it| it["name"] == name).unwrap()["value"]
}

#[rstest]
#[tokio::test]
async fn accepted_record_is_ordered_once_and_completed_by_polling(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let setup = Production::start(backend).await;
    let path = setup.record(CURP).await;
    setup.until_polled("record", 2).await;
    setup.portal.finish_reports();
    let record = setup.service.until_completed(&path, &setup.keys).await;
    assert_eq!((&record["status"], &record["resultCode"]), (&json!("COMPLETED"), &json!("SUCCESS")));
    assert_eq!(record["result"]["fullName"], "LUCÍA MÉNDEZ AURORA");
    assert_eq!(record["result"]["curp"], CURP);
    assert_eq!(record["result"]["employerName"], "Talleres Aurora");
    assert_eq!(record["result"]["contributionBaseAmount"], 395.4);
    assert_eq!(setup.received.count("POST /linchpin/v1/record"), 1);
    assert_eq!(setup.billing_types().await, ["SOCIAL_SECURITY_RECORD"]);
}

#[tokio::test]
async fn accepted_record_is_completed_by_another_node() {
    let mut setup = Production::start(Backend::Postgres).await;
    let path = setup.record(CURP).await;
    setup.until_polled("record", 1).await;
    setup.service.move_to_another_node().await;
    setup.portal.finish_reports();
    let record = setup.service.until_completed(&path, &setup.keys).await;
    assert_eq!(record["resultCode"], "SUCCESS");
    assert_eq!(setup.received.count("POST /linchpin/v1/record"), 1, "the other node asks for the same task");
    assert_eq!(setup.billing_types().await, ["SOCIAL_SECURITY_RECORD"]);
}

#[tokio::test]
async fn record_of_a_person_unknown_to_the_source_has_no_data() {
    let setup = Production::start(Backend::Sqlite).await;
    let path = setup.record("HEGG560427MVZRRL04").await;
    setup.until_polled("record", 1).await;
    setup.portal.finish_reports();
    let record = setup.service.until_completed(&path, &setup.keys).await;
    assert_eq!((&record["resultCode"], &record["result"]), (&json!("NO_DATA"), &Value::Null));
    assert!(setup.billing_types().await.is_empty());
}

#[tokio::test]
async fn task_lost_by_the_connector_is_ordered_again() {
    let setup = Production::start(Backend::Sqlite).await;
    let path = setup.record(CURP).await;
    setup.until_polled("record", 1).await;
    setup.portal.forget_reports();
    wait::until("the report is ordered again", async || {
        setup.received.count("POST /linchpin/v1/record") == 2
    })
    .await;
    let polls = setup.received.count("GET /linchpin/v1/record/");
    setup.until_polled("record", polls + 1).await;
    setup.portal.finish_reports();
    let record = setup.service.until_completed(&path, &setup.keys).await;
    assert_eq!(record["resultCode"], "SUCCESS");
}

#[tokio::test]
async fn accepted_record_is_completed_after_the_kind_is_withdrawn() {
    let setup = Production::start(Backend::Sqlite).await;
    let path = setup.record(CURP).await;
    setup.until_polled("record", 1).await;
    setup.withdraw().await;
    let next = setup.record(CURP).await;
    let record = setup.service.until_completed(&next, &setup.keys).await;
    assert_eq!(record["resultCode"], "SERVICE_UNAVAILABLE", "a new query is not sent");
    setup.portal.finish_reports();
    let record = setup.service.until_completed(&path, &setup.keys).await;
    assert_eq!(record["resultCode"], "SUCCESS");
    assert_eq!(setup.received.count("POST /linchpin/v1/record"), 1);
    assert_eq!(setup.billing_types().await, ["SOCIAL_SECURITY_RECORD"]);
}

#[tokio::test]
async fn accepted_signal_is_completed_after_the_kind_is_withdrawn() {
    let setup = Arc::new(Production::start(Backend::Sqlite).await);
    let asking = Arc::clone(&setup);
    let asked = tokio::spawn(async move { asking.signal(SignalKind::SocialSecuritySignals, "").await });
    setup.until_polled("signal", 1).await;
    setup.withdraw().await;
    setup.portal.finish_reports();
    assert_eq!(asked.await.unwrap()["resultCode"], "SUCCESS");
}

#[tokio::test]
async fn lost_task_of_a_withdrawn_kind_is_not_ordered_again() {
    let setup = Production::start(Backend::Sqlite).await;
    let path = setup.record(CURP).await;
    setup.until_polled("record", 1).await;
    setup.withdraw().await;
    setup.portal.forget_reports();
    let record = setup.service.until_completed(&path, &setup.keys).await;
    assert_eq!(record["resultCode"], "SERVICE_UNAVAILABLE");
    assert_eq!(setup.received.count("POST /linchpin/v1/record"), 1);
}

#[tokio::test]
async fn accepted_record_survives_a_stopped_connector() {
    let mut setup = Production::start(Backend::Sqlite).await;
    let path = setup.record(CURP).await;
    setup.until_polled("record", 1).await;
    let address = setup.connector.address;
    setup.connector.stop().await;
    let warned = "A connector cannot be used";
    wait::until("a poll fails", async || crate::sealed::log().text().contains(warned)).await;
    let router = connector::server::router(vec![SECRET.to_owned()], setup.portal_at.url());
    setup.connector = Running::start(address, router).await;
    setup.portal.finish_reports();
    let record = setup.service.until_completed(&path, &setup.keys).await;
    assert_eq!(record["resultCode"], "SUCCESS");
}

#[tokio::test]
async fn erased_record_is_not_completed_by_its_task() {
    let setup = Production::start(Backend::Sqlite).await;
    let path = setup.record(CURP).await;
    setup.until_polled("record", 1).await;
    let erased = setup.service.send(Method::DELETE, &path, As::Tenant(&setup.keys), None).await;
    assert_eq!(erased.status, 204);
    setup.portal.finish_reports();
    let polls = setup.received.count("GET /linchpin/v1/record/");
    let next = setup.record(CURP).await;
    // The erased record may be polled another time, after which its job ends.
    setup.until_polled("record", polls + 2).await;
    setup.portal.finish_reports();
    setup.service.until_completed(&next, &setup.keys).await;
    let gone = setup.service.send(Method::GET, &path, As::Tenant(&setup.keys), None).await;
    assert_eq!(gone.status, 404);
    assert_eq!(setup.billing_types().await, ["SOCIAL_SECURITY_RECORD"]);
}

#[tokio::test]
async fn synchronous_signal_waits_for_the_task_of_its_source() {
    let setup = Arc::new(Production::start(Backend::Sqlite).await);
    let asking = Arc::clone(&setup);
    let asked = tokio::spawn(async move { asking.signal(SignalKind::SocialSecuritySignals, "").await });
    setup.until_polled("signal", 1).await;
    setup.portal.finish_reports();
    let signal = asked.await.unwrap();
    assert_eq!((&signal["status"], &signal["resultCode"]), (&json!("COMPLETED"), &json!("SUCCESS")));
    assert_eq!((item(&signal, "employed"), item(&signal, "contributionWeeks")), (&json!(true), &json!(250)));
    assert_eq!(item(&signal, "monthsInJob"), &Value::Null, "the connector does not know it");
    assert_eq!(setup.received.count("POST /linchpin/v1/signal"), 1);
    assert_eq!(setup.billing_types().await, ["SOCIAL_SECURITY_SIGNAL"]);
}

#[rstest]
#[tokio::test]
async fn signal_of_connector_has_the_result_in_its_response(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let setup = Production::start(backend).await;
    let signal = setup.signal(SignalKind::IncomeEstimator, "lucia@example.com").await;
    assert_eq!((&signal["resultCode"], item(&signal, "amount")), (&json!("SUCCESS"), &json!(11_850.0)));
    let unknown = setup.signal(SignalKind::IncomeEstimator, "nadie@example.com").await;
    assert_eq!((&unknown["resultCode"], &unknown["items"]), (&json!("NO_DATA"), &json!([])));
    assert_eq!(setup.billing_types().await, ["INCOME_ESTIMATOR"]);
}

#[tokio::test]
async fn signal_that_no_connector_answers_is_unavailable() {
    let setup = Production::start(Backend::Sqlite).await;
    // BLACKLIST is in the settings, but the connector does not offer it. FOOTPRINTS is not in the settings.
    for kind in [SignalKind::Blacklist, SignalKind::Footprints] {
        let signal = setup.signal(kind, "lucia@example.com").await;
        let code = (&signal["status"], &signal["resultCode"]);
        assert_eq!(code, (&json!("ERROR"), &json!("SERVICE_UNAVAILABLE")), "{kind}");
    }
    assert_eq!(setup.received.count("POST"), 0, "the connector is not asked");
    let sandbox = crate::signals::request(SignalKind::IncomeEstimator, "", "success@example.com");
    let sandbox = setup.service.post(SignalKind::IncomeEstimator.path(), sandbox).await;
    assert_eq!(sandbox.body["resultCode"], "SUCCESS", "the sandbox answers by itself");
    assert_eq!(setup.received.count("POST"), 0);
}

#[tokio::test]
async fn stopped_connector_makes_records_and_signals_unavailable() {
    let mut setup = Production::start(Backend::Sqlite).await;
    setup.connector.stop().await;
    let path = setup.record(CURP).await;
    let record = setup.service.until_completed(&path, &setup.keys).await;
    assert_eq!((&record["status"], &record["resultCode"]), (&json!("ERROR"), &json!("SERVICE_UNAVAILABLE")));
    let signal = setup.signal(SignalKind::IncomeEstimator, "lucia@example.com").await;
    assert_eq!(signal["resultCode"], "SERVICE_UNAVAILABLE");
}

#[tokio::test]
async fn record_with_two_sources_prevents_startup() {
    let database = TestDatabase::new(Backend::Sqlite);
    let mut settings = SettingsInput::default().settle().unwrap();
    settings.data_dir = database.folder().to_owned();
    let bureau = connector_of(Mode::Production, "http://127.0.0.1:1", &[RecordType::SocialSecurity], &[]);
    settings.connectors = vec![bureau.clone(), bureau];
    let (_stop, stopping) = watch::channel(false);
    let refused = parts::parts(settings, database.open().await, stopping).err().unwrap().to_string();
    assert!(refused.contains("the record SOCIAL_SECURITY is served by the connector bureau"), "{refused}");
}
