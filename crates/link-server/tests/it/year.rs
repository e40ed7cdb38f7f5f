//! A year of an account in sync, through the real service and its databases: after each month, the lists and the last
//! payload have the items of the provider's answers, events reported every change once, and the computed data equals
//! that of a new account with the same data.

mod person;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::receiver::{Received, Receiver};
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use self::person::{Counts, Kind, Person, Random, ScriptedSource, amount};
use crate::clock::{DAY, advance_and_wait};
use crate::service::{As, TestService, secret, text};

const PROVIDER: &str = "mx_social_security";
const REPORTS: [&str; 4] =
    ["CONTRIBUTIONS_ADDED", "CONTRIBUTIONS_UPDATED", "DOCUMENTS_ADDED", "DOCUMENTS_UPDATED"];

struct Year {
    service: TestService,
    receiver: Receiver,
    person: Arc<Mutex<Person>>,
    random: Random,
    account: String,
}

impl Year {
    async fn begin(backend: Backend, seed: u64) -> Self {
        let person = Arc::new(Mutex::new(Person::default()));
        let scripted = Arc::clone(&person);
        let service = TestService::start_of(
            backend,
            |_| {},
            |parts| {
                let inner = Arc::clone(&parts.ports.sandbox);
                parts.ports.sandbox = Arc::new(ScriptedSource { inner, person: scripted });
            },
        )
        .await;
        let receiver = Receiver::start(&[]).await;
        let types: Vec<_> = REPORTS.iter().chain(&["TASK_FINISHED", "ACCOUNT_SYNC_TASK_FINISHED"]).collect();
        let hook = json!({
            "url": receiver.url, "eventTypes": types, "secret": "a secret of a tenant", "includePayload": true,
        });
        assert_eq!(service.post("/webhooks", hook).await.status, 201);
        let template = format!("/linkTemplates/{}", service.sandbox.template);
        assert_eq!(service.patch(&template, json!({"syncInterval": "WEEKLY"})).await.status, 200);
        let mut year = Self { service, receiver, person, random: Random::new(seed), account: String::new() };
        year.changes();
        year.account = year.signs_in("ana").await;
        year.check().await;
        year
    }

    fn person(&self) -> MutexGuard<'_, Person> {
        self.person.lock().unwrap()
    }

    /// Changes the provider's data several times.
    fn changes(&mut self) {
        for _ in 0..=self.random.below(6) {
            self.person.lock().unwrap().change(&mut self.random);
        }
    }

    /// Signs in as this user, and returns the account once it is read.
    async fn signs_in(&self, reference: &str) -> String {
        let user = self.service.post("/users", json!({"reference": reference})).await;
        let session = secret();
        let opened = self.service.exchange(&text(&user.body["token"]["accessToken"]), &session).await;
        assert_eq!(opened.status, 201, "{:?}", opened.body);
        let progress = self.service.submit(&session, PROVIDER, "good", "pass").await;
        self.service.until_settled(&session, &progress).await;
        self.until_tasks_end().await;
        text(&progress["accountId"])
    }

    async fn until_tasks_end(&self) {
        wait::until("every task has finished", async || {
            self.service.get("/tasks?status=STARTED").await.body["items"] == json!([])
        })
        .await;
    }

    async fn list(&self, kind: &str, account: &str) -> Vec<Value> {
        let page = self.service.get(&format!("/{kind}?size=150&sourceId={account}")).await;
        assert_eq!((page.status.as_u16(), &page.body["nextCursor"]), (200, &Value::Null), "{:?}", page.body);
        page.body["items"].as_array().unwrap().clone()
    }

    /// Compares the lists with what the provider's answers contained, and the events that receivers got with the changes.
    async fn check(&self) {
        let contributions = self.list("contributions", &self.account).await;
        let documents = self.list("documents", &self.account).await;
        let items = contributions
            .iter()
            .map(|it| (Kind::Contribution, text(&it["referenceId"]), it["amount"].clone()));
        let items = items
            .chain(documents.iter().map(|it| (Kind::Document, text(&it["docId"]), it["remarks"].clone())));
        let mut stored: Vec<_> = items.map(|(kind, key, value)| (kind, key, value.to_string())).collect();
        let expected: Counts = self.person().changes.clone();
        let mut kept: Vec<_> = (self.person().kept.iter())
            .flat_map(|((kind, number), values)| {
                values.iter().map(move |value| match kind {
                    Kind::Contribution => (*kind, format!("C{number}"), json!(amount(*value)).to_string()),
                    Kind::Document => (*kind, format!("D{number}"), json!(value.to_string()).to_string()),
                })
            })
            .collect();
        stored.sort();
        kept.sort();
        assert_eq!(stored, kept);
        wait::until_ok("receivers get every change", async || {
            let reported = self.reported_counts();
            if reported == expected { Ok(()) } else { Err(format!("{reported:?} instead of {expected:?}")) }
        })
        .await;
        for (kind, list) in [("contributions", contributions), ("documents", documents)] {
            let ids = |items: &[Value]| items.iter().map(|it| it["id"].clone()).collect::<Vec<_>>();
            wait::until_ok("the last payload has what is listed", async || {
                let reported = self.last_payload(kind);
                if ids(&reported) == ids(&list) { Ok(()) } else { Err(format!("{kind}: {reported:?}")) }
            })
            .await;
        }
    }

    /// Returns the requests that receivers got, each event once: a delivery may be repeated.
    fn list_received(&self) -> Vec<Received> {
        let mut seen = BTreeSet::new();
        let requests = self.receiver.requests().into_iter();
        requests.filter(|it| seen.insert(text(&it.event["id"]))).collect()
    }

    /// Returns the numbers of changes in the events that receivers got.
    fn reported_counts(&self) -> Counts {
        let mut reported = Counts::new();
        for received in self.list_received() {
            if let Some(name) = REPORTS.iter().find(|it| received.event["type"] == **it) {
                *reported.entry(name).or_default() += received.event["data"]["count"].as_u64().unwrap();
            }
        }
        reported
    }

    /// Returns a list of the last payload that has it.
    fn last_payload(&self, kind: &str) -> Vec<Value> {
        let received = self.list_received();
        let lists = received.iter().rev().map(|it| &it.event["data"]["payload"][kind]["items"]);
        lists.filter_map(Value::as_array).find(|it| !it.is_empty()).cloned().unwrap_or_default()
    }

    /// Lets four weeks pass, in which some readings fail.
    async fn month_passes(&mut self) {
        self.changes();
        if self.random.below(2) == 0 {
            self.account = self.signs_in("ana").await;
            self.check().await;
            self.changes();
        }
        // A sync has four tries.
        self.person.lock().unwrap().failures = self.random.below(7);
        advance_and_wait(&self.service, 28 * DAY).await;
        self.until_tasks_end().await;
        self.check().await;
    }

    /// Compares the computed data with that of a new account of another person with the same data.
    async fn check_computed(&mut self) {
        // Insights are computed again only if an item changed.
        self.person().is_paid();
        self.signs_in("ana").await;
        self.check().await;
        self.person().shows_what_is_kept();
        let fresh = self.signs_in("bo").await;
        for kind in ["eincomes", "insights"] {
            let computed = async |account: &str| {
                let mut items = self.list(kind, account).await;
                for item in &mut items {
                    item.as_object_mut().unwrap().retain(|key, _| !NOT_COMPUTED.contains(&key.as_str()));
                }
                items.sort_by_key(Value::to_string);
                items
            };
            let (followed, fresh) = (computed(&self.account).await, computed(&fresh).await);
            assert!(!fresh.is_empty(), "{kind}");
            assert_eq!(followed, fresh, "{kind}");
        }
        self.revoke(&fresh).await;
    }

    async fn revoke(&self, account: &str) {
        let path = format!("/accounts/{account}");
        let revoked = self.service.send(Method::DELETE, &path, As::Tenant(&self.service.sandbox), None).await;
        assert_eq!(revoked.status, 204, "{:?}", revoked.body);
    }

    /// Returns the number of events of the account that receivers got.
    fn events(&self) -> usize {
        let received = self.list_received();
        received.iter().filter(|it| it.event["data"].to_string().contains(&self.account)).count()
    }

    /// Revokes the account. Nothing happens after that.
    async fn end(&self) {
        self.revoke(&self.account).await;
        for kind in ["contributions", "documents", "eincomes", "insights"] {
            assert_eq!(self.list(kind, &self.account).await, [Value::Null; 0], "{kind}");
        }
    }
}

/// The fields of an item that say where and when it was stored.
const NOT_COMPUTED: [&str; 3] = ["id", "metadata", "cutoffTime"];

#[rstest]
#[case(Backend::Sqlite, 1)]
#[case(Backend::Sqlite, 2)]
#[case(Backend::Sqlite, 3)]
#[case(Backend::Postgres, 4)]
#[tokio::test(flavor = "multi_thread")]
async fn year_of_syncs_stores_and_reports_each_change_once(#[case] backend: Backend, #[case] seed: u64) {
    let mut year = Year::begin(backend, seed).await;
    let mut months_since_login = 0;
    for _ in 0..13 {
        let before = year.person().readings;
        if months_since_login == 1 {
            // Every second month, the person signs in again.
            year.signs_in("ana").await;
            months_since_login = 0;
        }
        year.month_passes().await;
        months_since_login += 1;
        let readings = year.person().readings - before;
        let tasks = year.list("tasks", &year.account).await;
        assert!(
            readings >= 4,
            "an account in sync is read each week: {readings} times in 4 weeks; {tasks:?}"
        );
    }
    year.check_computed().await;
    year.end().await;
    let readings = year.person().readings;
    let events = year.events();
    advance_and_wait(&year.service, 28 * DAY).await;
    assert_eq!(year.events(), events, "no event follows the end");
    assert_eq!(year.person().readings, readings, "nothing is read after the end");
}
