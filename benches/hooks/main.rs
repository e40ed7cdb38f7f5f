//! The commands that `cargo xtask bench webhooks` and `bench peers` run. Each command prints `name<TAB>value` lines.
//!
//! - `hooks drain <sqlite|postgres> <linchpin> <deliveries> <webhooks> <ms>`: the service sends a backlog to a receiver
//!   that answers after this time.
//! - `hooks bare <deliveries> <webhooks> <ms>`: hyper sends the same bodies with the same signatures, from memory.
//! - `hooks durable <deliveries> <webhooks> <ms>`: the same, but from a SQLite table: claims 512, posts them, marks them.
//! - `hooks latency <sqlite|postgres> <linchpin> <per second> <seconds> <dead webhooks>`: the time from the response of
//!   a POST to the arrival of its event, with this number of unreachable webhooks and one that hangs, of other tenants.
//! - `hooks accept <events> <webhooks> <port> <keys> <users|events>`: clients create users or events at a running service,
//!   which delivers each event to this number of webhooks; `<keys>` is the file that the service writes on its first start.

#![expect(clippy::print_stdout, reason = "the program's output is its purpose")]
#![expect(clippy::unwrap_used, reason = "a failed measurement has no result")]

mod accept;
mod backlog;
mod client;
mod latency;
mod post;
mod service;
mod sink;

use std::path::Path;
use std::time::Duration;

use link_store::test_support::{Backend, durable_postgres};

#[tokio::main]
async fn main() {
    durable_postgres();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["drain", backend, program, deliveries, webhooks, millis] => {
            let backlog = (number(deliveries), number(webhooks), millisecond(millis));
            service::drain(database(backend), program, backlog).await;
        }
        ["bare", deliveries, webhooks, millis] => {
            post::bare(number(deliveries), number(webhooks), millisecond(millis)).await;
        }
        ["durable", deliveries, webhooks, millis] => {
            post::durable(number(deliveries), number(webhooks), millisecond(millis)).await;
        }
        ["latency", backend, program, rate, seconds, dead] => {
            let load = (number(rate), number(seconds), number(dead));
            latency::measure(database(backend), program, load).await;
        }
        ["accept", events, webhooks, port, keys, kind @ ("users" | "events")] => {
            let path = if *kind == "users" { "/users" } else { "/events" };
            let size = (number(events), number(webhooks));
            accept::measure(size, port.parse().unwrap(), Path::new(keys), path).await;
        }
        _ => println!("usage: hooks drain|bare|durable|latency|accept ..."),
    }
}

fn database(name: &str) -> Backend {
    if name == "postgres" { Backend::Postgres } else { Backend::Sqlite }
}

fn number(text: &str) -> usize {
    text.parse().unwrap()
}

fn millisecond(text: &str) -> Duration {
    Duration::from_millis(text.parse().unwrap())
}
