//! Kills at random times under load, and after a receiver has refused a delivery.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use crate::process::{Client, Linchpin, text};

/// The number of kills per round.
const KILLS: u32 = 8;
/// The number of concurrent callers.
const CALLERS: usize = 4;

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn kills_under_load_lose_and_invent_nothing(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let rounds: u32 = std::env::var("LINCHPIN_FAULT_ROUNDS").map_or(1, |it| it.parse().unwrap());
    // About 20,000 events over 200 kills.
    let most_between_kills = if rounds == 1 { 60 } else { 200 };
    let receiver = Receiver::start(&[]).await;
    let mut service = Linchpin::start(backend);
    let client = service.client();
    let hook = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": "a secret of a tenant"});
    assert_eq!(client.post("/webhooks", &hook).unwrap().0, 201);

    let load = Arc::new(Load::default());
    let callers: Vec<_> = (0..CALLERS).map(|_| spawn_caller(client.clone(), Arc::clone(&load))).collect();
    for _ in 0..KILLS * rounds {
        // Waits for a number of requests, because the machine may be slow, then kills at any moment of the next ones.
        load.until_more(usize::try_from(random(1, most_between_kills)).unwrap()).await;
        tokio::time::sleep(Duration::from_millis(random(0, 20))).await;
        service.kill();
        service.restart();
    }
    load.until_more(10).await;
    load.stop.store(true, Ordering::Relaxed);
    let acknowledged: BTreeSet<String> = callers.into_iter().flat_map(|it| it.join().unwrap()).collect();

    let users = ids(&client.all("/users"), "id");
    let lost: Vec<_> = acknowledged.difference(&users).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    let events = client.all("/events");
    let with_event: BTreeSet<String> = events.iter().map(|it| text(&it["data"]["userId"])).collect();
    assert_eq!((events.len(), with_event), (users.len(), users.clone()), "one event per user");
    let delivered = wait_for_deliveries(&receiver, events.len()).await;
    let emitted: BTreeMap<String, String> =
        events.iter().map(|it| (text(&it["id"]), text(&it["data"]["userId"]))).collect();
    assert_eq!(delivered, emitted, "exactly the emitted events are delivered");
    eprintln!("faults: {} kills, {} events, {backend:?}: 0 lost, 0 invented", KILLS * rounds, events.len());
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn refused_delivery_is_resent_unchanged_after_a_kill(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let receiver = Receiver::start(&[500]).await;
    let mut service = Linchpin::start(backend);
    let client = service.client();
    let hook = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": "a secret of a tenant"});
    assert_eq!(client.post("/webhooks", &hook).unwrap().0, 201);
    assert_eq!(client.post("/users", &json!({})).unwrap().0, 201);
    let refused = receiver.until(1).await.remove(0);
    service.kill();
    service.restart();
    let again = receiver.until(2).await.remove(1);
    assert_eq!(again.event["id"], refused.event["id"]);
    assert_eq!(again.body, refused.body, "byte for byte");
    assert_eq!(again.headers["service-signature"], refused.headers["service-signature"]);
}

/// The progress of the callers.
#[derive(Default)]
struct Load {
    acknowledged: AtomicUsize,
    stop: AtomicBool,
}

impl Load {
    /// Waits until `count` more users are acknowledged.
    async fn until_more(&self, count: usize) {
        let wanted = self.acknowledged.load(Ordering::Relaxed) + count;
        let what = format!("the service acknowledges {count} requests");
        wait::until(&what, async || self.acknowledged.load(Ordering::Relaxed) >= wanted).await;
    }
}

/// Creates users until `load.stop` is set; returns the ids of the acknowledged ones.
fn spawn_caller(client: Client, load: Arc<Load>) -> std::thread::JoinHandle<Vec<String>> {
    std::thread::spawn(move || {
        let mut acknowledged = Vec::new();
        while !load.stop.load(Ordering::Relaxed) {
            match client.post("/users", &json!({})) {
                Some((201, user)) => {
                    acknowledged.push(text(&user["id"]));
                    load.acknowledged.fetch_add(1, Ordering::Relaxed);
                }
                Some((status, body)) => panic!("{status} {body}"),
                // The service is killed or starts again. Callers that never pause would slow its start.
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        }
        acknowledged
    })
}

/// Waits for `count` events and returns their users by event id. Every delivery of an event must have the same bytes.
async fn wait_for_deliveries(receiver: &Receiver, count: usize) -> BTreeMap<String, String> {
    wait::until_ok(&format!("{count} events are delivered"), async || {
        let mut bodies: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let mut users = BTreeMap::new();
        for it in receiver.requests() {
            let id = text(&it.event["id"]);
            users.insert(id.clone(), text(&it.event["data"]["userId"]));
            let first = bodies.entry(id).or_insert_with(|| it.body.clone());
            assert_eq!(*first, it.body, "byte for byte");
        }
        if users.len() >= count { Ok(users) } else { Err(format!("{} arrived", users.len())) }
    })
    .await
}

fn ids(items: &[Value], field: &str) -> BTreeSet<String> {
    items.iter().map(|it| text(&it[field])).collect()
}

/// Returns a random number in `from..to`.
pub fn random(from: u64, to: u64) -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).unwrap();
    from + u64::from_le_bytes(bytes) % (to - from)
}
