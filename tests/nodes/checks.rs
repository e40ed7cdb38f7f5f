//! Compares what the service acknowledged with what it knows and delivered.

use std::collections::{BTreeMap, BTreeSet};

use hmac::{Hmac, KeyInit as _, Mac as _};
use link_test_support::receiver::Receiver;
use serde_json::Value;
use sha2::Sha512;

use crate::load::{Record, exchange_of, random_secret};
use crate::process::until_ok;
use crate::service::{Client, text};

/// The secret of the webhook.
pub const SECRET: &str = "a secret of a tenant";

/// The figures that must be 0, and how often deliveries were repeated.
#[derive(Default, Debug)]
pub struct Findings {
    /// Acknowledged users that do not exist.
    pub lost: usize,
    /// Acknowledged users without the event of their creation.
    pub without_event: usize,
    /// Events that the receiver did not get.
    pub undelivered: usize,
    /// Deliveries with a wrong signature, or bytes that differ from those of the first attempt.
    pub wrong_deliveries: usize,
    /// Tokens that two sessions got, also after the fault.
    pub used_twice: usize,
    /// Users that exist, or can be read, after their erasure.
    pub returned: usize,
    /// Deliveries in addition to the first of each event. They are allowed.
    pub repeated: usize,
}

impl Findings {
    /// Returns the figures that must be 0, by name.
    pub fn list_forbidden(&self) -> [(&'static str, usize); 6] {
        [
            ("lost writes", self.lost),
            ("writes without an event", self.without_event),
            ("missing deliveries", self.undelivered),
            ("wrong deliveries", self.wrong_deliveries),
            ("tokens used twice", self.used_twice),
            ("erased users found", self.returned),
        ]
    }
}

/// Checks a record at every node.
pub fn check(clients: &[Client], template: &str, receiver: &Receiver, record: &Record) -> Findings {
    let mut findings = Findings::default();
    let listed: BTreeSet<String> = ids(&clients[0].all("/users"), |it| &it["id"]);
    let must_exist: BTreeSet<String> =
        record.users.values().filter(|id| !record.erasing.contains(*id)).cloned().collect();
    findings.lost = must_exist.difference(&listed).count();
    for (number, id) in record.erased.iter().enumerate() {
        let client = &clients[number % clients.len()];
        let status = until_answered(client, "GET", &format!("/users/{id}"), None);
        findings.returned += usize::from(listed.contains(id) || status != 404);
    }
    for (number, token) in record.used.iter().enumerate() {
        let client = &clients[number % clients.len()];
        let body = exchange_of(token, template, &random_secret());
        findings.used_twice +=
            usize::from(until_answered(client, "POST", "/link/sessions", Some(&body)) == 201);
    }
    let events = clients[1].all("/events?type=USER_CREATED");
    let with_event = ids(&events, |it| &it["data"]["userId"]);
    findings.without_event = must_exist.difference(&with_event).count();
    check_deliveries(receiver, &ids(&events, |it| &it["id"]), &mut findings);
    findings
}

/// Sends a request until the service handles it, and returns the status.
fn until_answered(client: &Client, method: &str, path: &str, body: Option<&Value>) -> u16 {
    until_ok(&format!("{method} {path} is answered"), || {
        let response = body.map_or_else(|| client.call(method, path), |body| client.send(method, path, body));
        match response? {
            (status, body) if status >= 500 => Err(format!("{status} {body}")),
            (status, _) => Ok(status),
        }
    })
}

fn check_deliveries(receiver: &Receiver, events: &BTreeSet<String>, findings: &mut Findings) {
    let missing = |receiver: &Receiver| {
        let delivered: BTreeSet<String> =
            receiver.requests().iter().map(|it| text(&it.event["id"])).collect();
        events.difference(&delivered).count()
    };
    let waited = std::panic::catch_unwind(|| {
        until_ok("all events are delivered", || match missing(receiver) {
            0 => Ok(()),
            count => Err(format!("{count} are missing")),
        });
    });
    findings.undelivered = if waited.is_ok() { 0 } else { missing(receiver) };
    let mut first: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for it in receiver.requests() {
        let signature =
            it.headers.get("service-signature").and_then(|it| it.to_str().ok()).unwrap_or_default();
        let is_signed = signature == sign(&it.body);
        let id = text(&it.event["id"]);
        let is_same = first.get(&id).is_none_or(|body| *body == it.body);
        findings.repeated += usize::from(first.insert(id, it.body).is_some());
        findings.wrong_deliveries += usize::from(!is_signed || !is_same);
    }
}

fn sign(body: &[u8]) -> String {
    let mut mac = Hmac::<Sha512>::new_from_slice(SECRET.as_bytes()).unwrap();
    mac.update(body);
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn ids(items: &[Value], field: impl Fn(&Value) -> &Value) -> BTreeSet<String> {
    items.iter().map(|it| text(field(it))).collect()
}
