//! From accepted events to delivered webhooks, over HTTP.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::client::{Caller, connect, delete, post};
use crate::sink::Sink;

/// The number of connections that create events.
const CLIENTS: usize = 64;
/// The longest time after the last response until every delivery has arrived.
const MAX_ARRIVAL: Duration = Duration::from_secs(300);

/// Creates webhooks and events at a running service, and measures how fast it accepts and delivers them.
pub async fn measure((events, webhooks): (usize, usize), port: u16, keys: &Path, path: &'static str) {
    let sink = Sink::start(Duration::ZERO).await;
    let caller = Arc::new(Caller::for_first_key(keys, port).await);
    let mut first = connect(port).await;
    let mut created = Vec::new();
    for number in 0..webhooks {
        let url = format!("http://127.0.0.1:{}/{number}", sink.port);
        let hook = json!({"url": url, "eventTypes": ["ALL_EVENTS"], "secret": "a secret of a tenant"});
        let hook = post(&mut first, &caller, "/webhooks", &hook).await;
        created.push(hook["id"].as_str().unwrap().to_owned());
    }
    let mut clients = Vec::new();
    for _ in 0..CLIENTS {
        clients.push(connect(port).await);
    }
    let (begun, number) = (Instant::now(), Arc::new(AtomicUsize::new(0)));
    let mut posts = JoinSet::new();
    for mut client in clients {
        let (caller, number) = (Arc::clone(&caller), Arc::clone(&number));
        posts.spawn(async move {
            while number.fetch_add(1, Ordering::Relaxed) < events {
                post(&mut client, &caller, path, &body(path)).await;
            }
        });
    }
    posts.join_all().await;
    let accepted = begun.elapsed();
    let count = events * webhooks;
    let arrived = tokio::time::timeout(MAX_ARRIVAL, sink.until(count)).await;
    assert!(arrived.is_ok(), "only {} of {count} deliveries arrived", sink.read(|it| it.deliveries.len()));
    let (last, requests) = sink.read(|received| {
        let (_, last) = received.span.unwrap();
        (last, received.deliveries.values().sum::<u32>())
    });
    println!("accepted_per_second\t{:.0}", events as f64 / accepted.as_secs_f64());
    println!("per_second\t{:.0}", count as f64 / (last - begun).as_secs_f64());
    println!("repeated\t{}", requests as usize - count);
    for id in created {
        delete(&mut first, &caller, &format!("/webhooks/{id}")).await;
    }
}

/// Returns what creates an event: with the service, each user has one.
fn body(path: &str) -> Value {
    match path {
        "/events" => {
            json!({"type": "USER_CREATED", "data": {"userId": "demo-01a2020592e670008006351f94fe616d"}})
        }
        _ => json!({}),
    }
}
