//! Kills between a request and its response: retries with the same idempotency key get one consistent response.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use link_store::test_support::Backend;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use crate::process::{Client, Linchpin, text};

/// The number of callers that send the same request.
const DUPLICATES: usize = 50;
/// The number of requests, each sent by every caller.
const REQUESTS: usize = 4;

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn request_repeated_across_kills_creates_one_user(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let rounds: usize = std::env::var("LINCHPIN_FAULT_ROUNDS").map_or(1, |it| it.parse().unwrap());
    let mut service = Linchpin::start(backend);
    let client = service.client();
    for request in 0..REQUESTS * rounds {
        let sent = Arc::new(AtomicUsize::new(0));
        let duplicates: Vec<_> = (0..DUPLICATES)
            .map(|_| {
                let (client, sent) = (client.clone(), Arc::clone(&sent));
                std::thread::spawn(move || until_answered(&client, &format!("request {request}"), &sent))
            })
            .collect();
        // At the kill, some requests are answered, some are in progress, some are not sent yet.
        let some = 1 + request * 7 % DUPLICATES;
        wait::blocking::until("some requests are sent", || sent.load(Ordering::Relaxed) >= some);
        service.kill();
        service.restart();
        let responses: Vec<Value> = duplicates.into_iter().map(|it| it.join().unwrap()).collect();
        assert!(responses.iter().all(|it| *it == responses[0]), "request {request}: {responses:?}");
        let users = client.all("/users");
        assert_eq!(users.len(), request + 1, "one user per request");
        assert_eq!(users[0]["id"], responses[0]["id"], "the response names the user");
        let events = client.all("/events");
        assert_eq!(events.len(), request + 1, "one event per request");
        assert_eq!(text(&events[0]["data"]["userId"]), text(&users[0]["id"]));
    }
    eprintln!("faults: {} requests, each repeated {DUPLICATES} times over a kill", REQUESTS * rounds);
}

/// Retries a request with its key until it gets a response.
fn until_answered(client: &Client, key: &str, sent: &AtomicUsize) -> Value {
    wait::blocking::until_some("the request is answered", || {
        sent.fetch_add(1, Ordering::Relaxed);
        match client.post_once(key, "/users", &json!({"externalMetadata": {"key": key}}))? {
            (201, user) => Some(user),
            (status, body) => panic!("{status} {body}"),
        }
    })
}

/// The longest time from a kill until every signal request in progress has a response.
const MAX_RESPONSE_TIME: Duration = Duration::from_secs(15);
/// The longest time from a restart, on SQLite: a restarted service takes over all work at once. On PostgreSQL, another node
/// could still work, so leases must expire first.
const MAX_TAKE_OVER_TIME: Duration = Duration::from_secs(5);

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn signals_killed_in_flight_are_answered_within_15_seconds(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let mut service = Linchpin::start(backend);
    let client = service.client();
    // The kill interrupts some signals between their two units of work.
    for round in 0..3 {
        let sent = Arc::new(AtomicUsize::new(0));
        let callers: Vec<_> = (0..DUPLICATES)
            .map(|number| {
                let (client, sent) = (client.clone(), Arc::clone(&sent));
                std::thread::spawn(move || {
                    sent.fetch_add(1, Ordering::Relaxed);
                    drop(client.post_once(&signal_key(round, number), "/alpha/blacklists", &signal()));
                })
            })
            .collect();
        wait::blocking::until("all requests are sent", || sent.load(Ordering::Relaxed) == DUPLICATES);
        // Each round kills the service at another moment of the requests.
        std::thread::sleep(Duration::from_millis(5 * (round as u64 + 1)));
        service.kill();
        callers.into_iter().for_each(|it| it.join().unwrap());
        service.restart();
        let again = Instant::now();
        let (mut waited, mut last_refused) = (0, Duration::ZERO);
        for number in 0..DUPLICATES {
            let left = MAX_RESPONSE_TIME.saturating_sub(again.elapsed());
            let answered = wait::blocking::retry_for(left, || {
                match client.post_once(&signal_key(round, number), "/alpha/blacklists", &signal()) {
                    Some((201, _)) => Ok(()),
                    Some((409, _)) | None => {
                        waited += 1;
                        last_refused = again.elapsed();
                        Err(())
                    }
                    Some((status, body)) => panic!("{status} {body}"),
                }
            });
            assert_eq!(answered, Ok(()), "signal {number} was not answered within {MAX_RESPONSE_TIME:?}");
        }
        assert!(
            backend == Backend::Postgres || last_refused <= MAX_TAKE_OVER_TIME,
            "409 after {last_refused:?}"
        );
        eprintln!("faults: answered {:?} after a restart, {waited} retries", again.elapsed());
    }
    assert_eq!(client.all("/alpha/blacklists").len(), 3 * DUPLICATES, "one signal per request");
}

fn signal_key(round: usize, number: usize) -> String {
    format!("signal {round} {number}")
}

fn signal() -> Value {
    json!({"mobileNumber": "525500000100", "consent": {
        "consentedAt": "2026-11-20T11:07:11.000Z", "type": "TERMS", "version": "1", "consentedWith": "I agree.",
    }})
}
