//! The service is killed between a request and its answer: whoever sends it again under its key gets one answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use link_store::test_support::Backend;
use serde_json::{Value, json};

use crate::process::{Client, Linchpin, text};

/// Callers that send the same request.
const TWINS: usize = 50;
/// Requests, each sent by all of them.
const REQUESTS: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn fifty_callers_that_repeat_one_request_over_kills_make_one_user_and_get_one_answer() {
    let rounds: usize = std::env::var("LINCHPIN_FAULT_ROUNDS").map_or(1, |it| it.parse().unwrap());
    for backend in Backend::ALL {
        let mut service = Linchpin::start(backend);
        let client = service.client();
        for request in 0..REQUESTS * rounds {
            let sent = Arc::new(AtomicUsize::new(0));
            let twins: Vec<_> = (0..TWINS)
                .map(|_| {
                    let (client, sent) = (client.clone(), Arc::clone(&sent));
                    std::thread::spawn(move || until_answered(&client, &format!("request {request}"), &sent))
                })
                .collect();
            // Some are answered, some are under way, some have not begun.
            while sent.load(Ordering::Relaxed) < 1 + request * 7 % TWINS {
                std::thread::sleep(Duration::from_micros(200));
            }
            service.kill();
            service.restart();
            let answers: Vec<Value> = twins.into_iter().map(|it| it.join().unwrap()).collect();
            assert!(
                answers.iter().all(|it| *it == answers[0]),
                "request {request} on {backend:?}: {answers:?}"
            );
            let users = client.all("/users");
            assert_eq!(users.len(), request + 1, "one user a request on {backend:?}");
            assert_eq!(users[0]["id"], answers[0]["id"], "the answer names it on {backend:?}");
            let told = client.all("/events");
            assert_eq!(told.len(), request + 1, "one event a request on {backend:?}");
            assert_eq!(text(&told[0]["data"]["userId"]), text(&users[0]["id"]), "on {backend:?}");
        }
        eprintln!(
            "faults: {} requests, each repeated {TWINS} times over a kill, {backend:?}",
            REQUESTS * rounds
        );
    }
}

/// Sends a request again and again, under its key, until it is answered.
fn until_answered(client: &Client, key: &str, sent: &AtomicUsize) -> Value {
    loop {
        sent.fetch_add(1, Ordering::Relaxed);
        match client.post_once(key, "/users", &json!({"externalMetadata": {"key": key}})) {
            Some((201, user)) => return user,
            Some((status, body)) => panic!("{status} {body}"),
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}
