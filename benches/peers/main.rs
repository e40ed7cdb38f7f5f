//! Servers that `cargo xtask bench service` compares the service with, and tools that create and fill its databases.
//!
//! - `peers static <port> <file>`: axum alone, which responds to every request with the file's JSON.
//! - `peers commits <port> <folder>`: axum over the store, one commit per request. Every POST creates a user and its
//!   event.
//! - `peers databases <count>`: starts a PostgreSQL server that waits for its disk, and prints the addresses of this number
//!   of empty databases. It ends after a line on the standard input.
//! - `peers fill <folder> <users> <accounts>`: creates rows in the database of a stopped service, using the store. On
//!   PostgreSQL, the database's address is in the environment variable `LINCHPIN_DATABASE_URL`.
//! - `peers copies <folder> <list> <rows>`: copies an existing row `<rows>` times in the database of a stopped service.
//! - `peers polls <port> <count>`: opens widgets that wait with a long poll; the tenant's `Authorization` header is in the
//!   environment variable `BENCH_AUTHORIZATION`.

#![expect(clippy::print_stdout, reason = "the program's output is its purpose")]
#![expect(clippy::unwrap_used, reason = "a failed measurement has no result")]

mod copies;
mod polls;

use std::path::Path;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use link_domain::change::{Change, Deletion, Row};
use link_domain::data::data_point::DataPoint;
use link_domain::data::task::Task;
use link_domain::documents::archive::Archive;
use link_domain::invitations::form_submission::FormSubmission;
use link_domain::invitations::invite::Invite;
use link_domain::kernel::clock::{ClockOffset, Now, Wall};
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::linking::account::Account;
use link_domain::lookups::record::Record;
use link_domain::lookups::signal::Signal;
use link_domain::notifications::delivery::Delivery;
use link_domain::notifications::event::EventRecord;
use link_domain::tenancy::billing::BillingRecord;
use link_domain::tenancy::user::User;
use link_store::test_support::accounts::connect_account;
use link_store::test_support::{Backend, TestDatabase, durable_postgres, one_commit_a_unit};
use link_store::{KeyFiles, PageRequest, Reader, Store, StoreError, StoreSettings};
use link_types::Mode;

use self::copies::Copied;

const UNIT: u64 = 1_000;

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["static", port, file] => {
            let body = Bytes::from(std::fs::read(file).unwrap());
            let respond =
                move || std::future::ready(([(header::CONTENT_TYPE, "application/json")], body.clone()));
            serve(port, Router::new().fallback(respond)).await;
        }
        ["commits", port, folder] => {
            one_commit_a_unit();
            let store = Store::open(StoreSettings::in_folder(*folder)).await.unwrap_or_else(stop);
            serve(port, Router::new().fallback(make_user).with_state(store)).await;
        }
        ["databases", count] => databases(count.parse().unwrap()),
        ["fill", folder, users, accounts] => {
            let store = Store::open(settings(folder)).await.unwrap_or_else(stop);
            fill(&store, users.parse().unwrap(), accounts.parse().unwrap()).await;
            store.close().await;
        }
        ["copies", folder, list, rows] => {
            let store = Store::open(StoreSettings::in_folder(*folder)).await.unwrap_or_else(stop);
            copy_any(&store, list, rows.parse().unwrap()).await;
            store.close().await;
        }
        ["polls", port, count] => {
            let authorization = std::env::var("BENCH_AUTHORIZATION").unwrap();
            polls::wait(port.parse().unwrap(), &authorization, count.parse().unwrap()).await;
        }
        _ => println!("usage: peers static|commits|databases|fill|copies|polls ..."),
    }
}

fn stop<T>(error: StoreError) -> T {
    panic!("{error}")
}

/// Returns the settings of the service whose data folder this is.
fn settings(folder: &str) -> StoreSettings {
    match std::env::var("LINCHPIN_DATABASE_URL") {
        Ok(address) => {
            let keys = KeyFiles::in_folder(Path::new(folder));
            StoreSettings::Postgres { address: address.into(), connections: 4, keys }
        }
        Err(_) => StoreSettings::in_folder(folder),
    }
}

/// Prints the addresses of empty databases, and keeps the server until there is a line on the standard input.
fn databases(count: usize) {
    durable_postgres();
    let databases: Vec<_> = (0..count).map(|_| TestDatabase::new(Backend::Postgres)).collect();
    for database in &databases {
        let (socket, name) = database.socket();
        let folder = socket.parent().unwrap().to_string_lossy().replace('/', "%2F");
        println!("postgres://linchpin@{folder}:5432/{name}");
    }
    std::io::stdin().read_line(&mut String::new()).unwrap();
}

async fn serve(port: &str, router: Router) {
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await.unwrap();
    axum::serve(listener, router).await.unwrap();
}

async fn make_user(State(store): State<Store>) -> StatusCode {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).unwrap();
    let mut context = Context::new(Now::new(wall(), ClockOffset::default()), seed);
    let (_, change) = User::create(owner(), None, Default::default(), &mut context);
    let written: Result<(), StoreError> = store.write(move |tx| tx.apply(&change, context.now())).await;
    written.map_or(StatusCode::SERVICE_UNAVAILABLE, |()| StatusCode::CREATED)
}

fn owner() -> Owner {
    Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox }
}

fn context(number: u64) -> Context {
    let mut seed = [3; 32];
    seed[..8].copy_from_slice(&number.to_be_bytes());
    let wall = Wall::from_micros(1_760_000_000_000_000) + Duration::from_millis(number);
    Context::new(Now::new(wall, ClockOffset::default()), seed)
}

async fn fill(store: &Store, users: u64, accounts: u64) {
    let user = |number| {
        let reference = Some(format!("customer-{number}"));
        User::create(owner(), reference, Default::default(), &mut context(number)).0
    };
    let person = user(0).id;
    rows(store, users, |number| Row::User(user(number))).await;
    rows(store, accounts, |number| {
        Row::Account(Box::new(connect_account(owner(), &person, number, &mut context(number))))
    })
    .await;
}

async fn copy_any(store: &Store, list: &str, rows: u64) {
    match list {
        "users" => copy::<User>(store, rows).await,
        "accounts" => copy::<Account>(store, rows).await,
        "archives" => copy::<Archive>(store, rows).await,
        "contributions" => copy::<DataPoint>(store, rows).await,
        "events" => {
            stop_webhooks(store).await;
            copy::<EventRecord>(store, rows).await;
        }
        "tasks" => copy::<Task>(store, rows).await,
        "socialSecurities" => copy::<Record>(store, rows).await,
        "blacklists" => copy::<Signal>(store, rows).await,
        "invites" => copy::<Invite>(store, rows).await,
        "forms" => copy::<FormSubmission>(store, rows).await,
        "billing events" => copy::<BillingRecord>(store, rows).await,
        "deliveries" => copy::<Delivery>(store, rows).await,
        _ => panic!("unknown list: {list}"),
    }
}

/// Deletes the webhooks, because each event would also be stored for every webhook.
async fn stop_webhooks(store: &Store) {
    let all = |reader: &mut Reader<'_>| reader.webhooks().list(&owner(), &PageRequest::default());
    let webhooks: Result<_, StoreError> = store.read(all).await;
    let deletions =
        webhooks.unwrap_or_else(stop).items.into_iter().map(|it| Deletion::Webhook(it.id().clone()));
    write(store, Change { deletions: deletions.collect(), ..Change::default() }).await;
}

/// Copies a row. Each copy is 1 ms newer than the one before, and the last is from now.
async fn copy<T: Copied>(store: &Store, rows: u64) {
    let sample: Result<_, StoreError> = store.read(T::sample).await;
    let sample = sample.unwrap_or_else(stop).unwrap();
    let first = wall() - Duration::from_millis(rows);
    for begun in (0..rows).step_by(UNIT as usize) {
        let mut unit = Change::default();
        for number in begun..rows.min(begun + UNIT) {
            let mut seed = [0; 32];
            seed[..8].copy_from_slice(&number.to_be_bytes());
            let wall = first + Duration::from_millis(number);
            unit = unit.then(sample.copy(&mut Context::new(Now::new(wall, ClockOffset::default()), seed)));
        }
        write(store, unit).await;
    }
}

async fn write(store: &Store, change: Change) {
    // Keys are wrapped from today on. Otherwise the service would renew old ones during the measurement.
    let now = Now::new(wall(), ClockOffset::default());
    store.write(move |tx| tx.apply(&change, now)).await.unwrap_or_else(stop);
}

fn wall() -> Wall {
    Wall::from_micros(std::time::UNIX_EPOCH.elapsed().unwrap().as_micros().try_into().unwrap())
}

async fn rows(store: &Store, count: u64, row: impl Fn(u64) -> Row) {
    for first in (0..count).step_by(UNIT as usize) {
        let rows = (first..count.min(first + UNIT)).map(&row).collect();
        write(store, Change { rows, ..Change::default() }).await;
    }
}
