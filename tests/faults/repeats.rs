//! The service is killed between a request and its answer: whoever sends it again under its key gets one answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

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

/// A kill leaves a signal's request under way on either side; this long after it, everybody has an answer.
const ANSWERED_WITHIN: Duration = Duration::from_secs(15);

#[tokio::test(flavor = "multi_thread")]
async fn signals_killed_in_flight_are_answered_within_15_seconds() {
    for backend in Backend::ALL {
        let mut service = Linchpin::start(backend);
        let client = service.client();
        // A kill finds some of them between their two units of work.
        for round in 0..3 {
            let sent = Arc::new(AtomicUsize::new(0));
            let callers: Vec<_> = (0..TWINS)
                .map(|number| {
                    let (client, sent) = (client.clone(), Arc::clone(&sent));
                    std::thread::spawn(move || {
                        sent.fetch_add(1, Ordering::Relaxed);
                        drop(client.post_once(&signal_key(round, number), "/alpha/blacklists", &signal()));
                    })
                })
                .collect();
            while sent.load(Ordering::Relaxed) < TWINS {
                std::thread::sleep(Duration::from_micros(200));
            }
            std::thread::sleep(Duration::from_millis(5 * (round as u64 + 1)));
            service.kill();
            callers.into_iter().for_each(|it| it.join().unwrap());
            service.restart();
            let again = Instant::now();
            let mut waited = 0;
            for number in 0..TWINS {
                loop {
                    match client.post_once(&signal_key(round, number), "/alpha/blacklists", &signal()) {
                        Some((201, _)) => break,
                        Some((409, _)) | None => waited += 1,
                        Some((status, body)) => panic!("{status} {body}"),
                    }
                    assert!(again.elapsed() < ANSWERED_WITHIN, "signal {number} on {backend:?}");
                    std::thread::sleep(Duration::from_millis(50));
                }
            }
            eprintln!(
                "faults: answered {:?} after a restart, {waited} told to wait, {backend:?}",
                again.elapsed()
            );
        }
        assert_eq!(client.all("/alpha/blacklists").len(), 3 * TWINS, "one signal a request on {backend:?}");
    }
}

fn signal_key(round: usize, number: usize) -> String {
    format!("signal {round} {number}")
}

fn signal() -> Value {
    json!({"mobileNumber": "525500000100", "consent": {
        "consentedAt": "2026-11-20T11:07:11.000Z", "type": "TERMS", "version": "1", "consentedWith": "I agree.",
    }})
}
