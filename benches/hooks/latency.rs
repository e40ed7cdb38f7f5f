//! The time from a commit to the first attempt, at a steady rate.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use link_store::test_support::{Backend, TestDatabase};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use crate::backlog;
use crate::client::{Caller, connect, post};
use crate::service::{Service, data_dir};
use crate::sink::Sink;

/// The number of connections that create users.
const CLIENTS: usize = 32;
/// The number of webhooks of each tenant whose webhooks are dead.
const DEAD_PER_TENANT: usize = 50;

/// Measures the percentiles in milliseconds.
pub async fn measure(backend: Backend, program: &str, (rate, seconds, dead): (usize, usize, usize)) {
    let (database, sink) = (TestDatabase::new(backend), Sink::start(Duration::ZERO).await);
    let _hanging = with_failing(&database, dead).await;
    let service = Service::start(program, &database);
    service.ready(&database).await;
    let caller =
        Arc::new(Caller::for_first_key(&data_dir(&database).join("first-keys.json"), service.port).await);
    let client = || connect(service.port);
    let hook = json!({"url": format!("http://127.0.0.1:{}/timed", sink.port), "eventTypes": ["USER_CREATED"],
                      "secret": "a secret of a tenant"});
    post(&mut client().await, &caller, "/webhooks", &hook).await;
    let mut clients = Vec::new();
    for _ in 0..CLIENTS {
        clients.push(Arc::new(Mutex::new(client().await)));
    }
    let mut ticks = tokio::time::interval(Duration::from_secs(1) / u32::try_from(rate).unwrap());
    let mut posts = JoinSet::new();
    for number in 0..rate * seconds {
        ticks.tick().await;
        let (client, caller) = (Arc::clone(&clients[number % CLIENTS]), Arc::clone(&caller));
        posts.spawn(async move {
            let made = post(&mut *client.lock().await, &caller, "/users", &json!({})).await;
            (made["id"].as_str().unwrap().to_owned(), Instant::now())
        });
    }
    let committed: HashMap<String, Instant> = posts.join_all().await.into_iter().collect();
    sink.until(rate * seconds).await;
    let mut waits: Vec<f64> = sink.read(|received| {
        let arrivals = received.bodies.drain(..).map(|(at, body)| {
            let event: Value = serde_json::from_slice(&body).unwrap();
            let user = event["data"]["userId"].as_str().unwrap();
            // An attempt may arrive before the response of its POST.
            at.saturating_duration_since(committed[user]).as_secs_f64() * 1e3
        });
        arrivals.collect()
    });
    waits.sort_by(f64::total_cmp);
    for (name, share) in [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)] {
        println!("{name}\t{:.2}", waits[(waits.len() as f64 * share) as usize]);
    }
}

/// Creates a webhook that hangs and dead ones, in sandboxes of other tenants, each with 20 events. Returns the receiver
/// that hangs.
async fn with_failing(database: &TestDatabase, dead: usize) -> Option<Arc<TcpListener>> {
    if dead == 0 {
        return None;
    }
    let hanging = Arc::new(TcpListener::bind("127.0.0.1:0").await.unwrap());
    let store = database.open().await;
    let slow = backlog::owner("slow");
    let url = format!("http://{}/", hanging.local_addr().unwrap());
    backlog::put(&store, vec![backlog::webhook(&slow, url)]).await;
    backlog::users(&store, &slow, 100).await;
    for tenant in 0..dead.div_ceil(DEAD_PER_TENANT) {
        let owner = backlog::owner(&format!("dead{tenant}"));
        // Port 9 of this machine refuses connections.
        let url = |number: usize| format!("http://127.0.0.1:9/{number}");
        let webhooks = (0..DEAD_PER_TENANT).map(|number| backlog::webhook(&owner, url(number)));
        backlog::put(&store, webhooks.collect()).await;
        backlog::users(&store, &owner, 20).await;
    }
    store.close().await;
    let accepting = Arc::clone(&hanging);
    tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((stream, _)) = accepting.accept().await {
            open.push(stream);
        }
    });
    Some(hanging)
}
