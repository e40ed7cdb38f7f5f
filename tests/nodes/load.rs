//! Requests of tenants and widgets to all nodes, and a record of what the service acknowledged.
//!
//! They arrive at a fixed rate, so a request that waits for a silent database does not delay the next one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::network::NODES;
use crate::service::{Client, text};

/// The time between two requests to one node.
const PAUSE: Duration = Duration::from_millis(200);
/// The maximum number of requests of one node that wait for a response.
const MAX_WAITING: usize = 120;
/// The origin of the tenant's page.
pub const ORIGIN: &str = "http://127.0.0.1:8788";

/// The acknowledgements of the service, and how it refused the rest.
#[derive(Default)]
pub struct Record {
    /// The ids of users by their references.
    pub users: BTreeMap<String, String>,
    /// The ids of users whose erasure was sent. Those without an acknowledgement may exist.
    pub erasing: BTreeSet<String>,
    /// The ids of users whose erasure was acknowledged.
    pub erased: BTreeSet<String>,
    /// Link tokens that were exchanged.
    pub used: Vec<String>,
    /// The number of tokens that two sessions got.
    pub used_twice: usize,
    /// The responses that are not successes, by what they say.
    pub errors: BTreeMap<String, usize>,
    /// The nodes and times of acknowledged users.
    pub successes: Vec<(usize, Instant)>,
}

impl Record {
    /// Adds the acknowledgements of another record, so that a later fault is checked for what an earlier one acknowledged.
    pub fn extend(&mut self, other: &Record) {
        self.users.extend(other.users.clone());
        self.erasing.extend(other.erasing.iter().cloned());
        self.erased.extend(other.erased.iter().cloned());
        self.used.extend(other.used.iter().cloned());
    }
}

/// A running load.
pub struct Load {
    shared: Arc<Shared>,
    tickers: Vec<JoinHandle<()>>,
}

struct Shared {
    stop: AtomicBool,
    waiting: [AtomicUsize; NODES.len()],
    clients: Vec<Client>,
    template: String,
    record: Mutex<Record>,
}

impl Load {
    /// Starts it. `template` is the id of a link template that allows [`ORIGIN`].
    pub fn start(clients: &[Client], template: &str, name: &str) -> Self {
        let shared = Arc::new(Shared {
            stop: AtomicBool::new(false),
            waiting: Default::default(),
            clients: clients.to_vec(),
            template: template.to_owned(),
            record: Mutex::default(),
        });
        let tickers = (0..clients.len()).map(|node| {
            let (shared, name) = (Arc::clone(&shared), name.to_owned());
            std::thread::spawn(move || tick(&shared, node, &name))
        });
        Self { tickers: tickers.collect(), shared }
    }

    /// Returns the record so far.
    pub fn record(&self) -> MutexGuard<'_, Record> {
        self.shared.record.lock().unwrap()
    }

    /// Ends it after the requests that wait, and returns the record.
    pub fn end(self) -> Record {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.tickers.into_iter().for_each(|it| it.join().unwrap());
        std::mem::take(&mut self.shared.record.lock().unwrap())
    }
}

fn tick(shared: &Arc<Shared>, node: usize, name: &str) {
    let (mut senders, mut number) = (Vec::new(), 0);
    while !shared.stop.load(Ordering::Relaxed) {
        let next = Instant::now() + PAUSE;
        if shared.waiting[node].fetch_add(1, Ordering::Relaxed) < MAX_WAITING {
            let (of_sender, reference) = (Arc::clone(shared), format!("{name} {node} {number}"));
            senders.push(std::thread::spawn(move || {
                act(&of_sender, node, &reference, number);
                of_sender.waiting[node].fetch_sub(1, Ordering::Relaxed);
            }));
        } else {
            shared.waiting[node].fetch_sub(1, Ordering::Relaxed);
        }
        number += 1;
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    senders.into_iter().for_each(|it| it.join().unwrap());
}

/// Creates a user, and of each four uses the token of one and erases another.
fn act(shared: &Shared, node: usize, reference: &str, number: usize) {
    let body = json!({"reference": reference, "externalMetadata": {"canary": reference}});
    let Some(user) = shared.request(node, "POST", "/users", Some(&body)) else { return };
    let id = text(&user["id"]);
    let mut record = shared.record.lock().unwrap();
    record.users.insert(reference.to_owned(), id.clone());
    record.successes.push((node, Instant::now()));
    drop(record);
    match number % 4 {
        0 => use_twice(shared, node, &text(&user["token"]["accessToken"])),
        1 => {
            shared.record.lock().unwrap().erasing.insert(id.clone());
            if shared.request(node, "DELETE", &format!("/users/{id}"), None).is_some() {
                shared.record.lock().unwrap().erased.insert(id);
            }
        }
        _ => {}
    }
}

/// Exchanges a token at two nodes at the same time, for two sessions.
fn use_twice(shared: &Shared, node: usize, token: &str) {
    let other = (node + 1) % shared.clients.len();
    let exchange = |node: usize| {
        let body = exchange_of(token, &shared.template, &random_secret());
        let response = shared.clients[node].send("POST", "/link/sessions", &body);
        // A refusal because the token is used is expected: the other exchange was first.
        let is_used = response.as_ref().is_ok_and(|it| (400..500).contains(&it.0));
        if is_used { None } else { shared.accept(response) }
    };
    let both = std::thread::scope(|scope| {
        let first = scope.spawn(|| exchange(node).is_some());
        [exchange(other).is_some(), first.join().unwrap()]
    });
    let successes = both.into_iter().filter(|it| *it).count();
    let mut record = shared.record.lock().unwrap();
    if successes > 0 {
        record.used.push(token.to_owned());
    }
    record.used_twice += usize::from(successes == 2);
}

impl Shared {
    /// Sends a request, and returns the body of a success.
    fn request(&self, node: usize, method: &str, path: &str, body: Option<&Value>) -> Option<Value> {
        let client = &self.clients[node];
        self.accept(body.map_or_else(|| client.call(method, path), |body| client.send(method, path, body)))
    }

    fn accept(&self, response: Result<(u16, Value), String>) -> Option<Value> {
        let error = match response {
            Ok((200..300, body)) => return Some(body),
            Ok((status, body)) => format!("{status} {}", body["code"].as_str().unwrap_or_default()),
            Err(error) if error.contains("timeout") => "timeout".to_owned(),
            Err(_) => "connection".to_owned(),
        };
        *self.record.lock().unwrap().errors.entry(error).or_default() += 1;
        None
    }
}

/// Returns the body that exchanges a token for a session.
pub fn exchange_of(token: &str, template: &str, secret: &str) -> Value {
    json!({"token": token, "secret": secret, "templateId": template, "hostOrigin": ORIGIN})
}

/// Returns a new secret of a session.
pub fn random_secret() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).unwrap();
    URL_SAFE_NO_PAD.encode(bytes)
}
