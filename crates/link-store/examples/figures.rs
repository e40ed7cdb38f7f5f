//! Measures the store on both databases: a read, a page, grouped writes and a claim.
//!
//! `cargo run --release -p link-store --features test-support --example figures -- 100000`
//!
//! Each SQLite result is followed by the same operation with rusqlite alone in the same run, because ratios are
//! comparable between machines and absolute numbers are not.

#![expect(clippy::print_stdout, reason = "the program's output is its purpose")]
#![expect(clippy::unwrap_used, reason = "a failed measurement has no result")]

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::{ClockOffset, Now, Wall};
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::webhook::{AttemptShares, Registration, RegistrationRules, register};
use link_domain::tenancy::user::User;
use link_store::test_support::deliveries::claim_due;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{
    Claim, Created, DeliveryQueue, PageRequest, PageSize, Store, StoreError, StoreSettings, WorkerId,
};
use link_types::id::UserId;
use link_types::{Mode, Sensitive};

const CLIENTS: u64 = 64;
const WRITING: Duration = Duration::from_secs(4);

fn owner() -> Owner {
    Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox }
}

fn context(number: u64) -> Context {
    let mut seed = [3; 32];
    seed[..8].copy_from_slice(&number.to_be_bytes());
    let wall = Wall::from_micros(1_760_000_000_000_000) + Duration::from_millis(number);
    Context::new(Now::new(wall, ClockOffset::default()), seed)
}

fn new_user(number: u64) -> (User, Change, Context) {
    let mut context = context(number);
    let (user, change) =
        User::create(owner(), Some(format!("customer-{number}")), Default::default(), &mut context);
    (user, change, context)
}

#[tokio::main]
async fn main() {
    let rows: u64 = std::env::args().nth(1).map_or(100_000, |text| text.parse().unwrap());
    for backend in Backend::ALL {
        println!("--- {backend:?}");
        let small = TestDatabase::new(backend);
        let small_store = small.open().await;
        fill(&small_store, 1_000).await;
        let large = TestDatabase::new(backend);
        let store = large.open().await;
        let ids = fill(&store, rows).await;
        reads(&store, &large, &ids).await;
        pages(&small_store, &store, rows).await;
        writes(&store, &large, rows).await;
        claims(&store).await;
    }
}

/// Creates users without events, 1,000 per unit.
async fn fill(store: &Store, rows: u64) -> Vec<UserId> {
    let mut ids = Vec::new();
    let numbers: Vec<u64> = (0..rows).collect();
    for part in numbers.chunks(1_000) {
        let users: Vec<User> = part.iter().map(|number| new_user(*number).0).collect();
        ids.extend(users.iter().map(|user| user.id.clone()));
        let rows = users.into_iter().map(Row::User).collect();
        let change = Change { rows, ..Change::default() };
        let now = context(0).now();
        store.write(move |tx| tx.apply(&change, now)).await.unwrap_or_else(stop);
    }
    ids
}

fn stop<T>(error: StoreError) -> T {
    panic!("{error}")
}

async fn reads(store: &Store, database: &TestDatabase, ids: &[UserId]) {
    let count = 20_000;
    let pick = |round: usize| &ids[(round * 7_919) % ids.len()];
    let begun = Instant::now();
    for round in 0..count {
        let id = pick(round).clone();
        store.read(move |reader| reader.users().get(&owner(), &id)).await.unwrap_or_else(stop);
    }
    let ours = begun.elapsed() / count as u32;
    print!("read by id: {ours:?}");
    if let Some(raw) = raw_connection(database) {
        let begun = Instant::now();
        for round in 0..count {
            let mut statement =
                raw.prepare_cached("SELECT id, reference_hash, body FROM users WHERE id = ?1").unwrap();
            let body: Vec<u8> = statement.query_row([pick(round).as_str()], |row| row.get(2)).unwrap();
            assert!(!body.is_empty());
        }
        let bare = begun.elapsed() / count as u32;
        print!("; rusqlite alone, nothing opened or parsed: {bare:?}");
    }
    println!();
}

fn raw_connection(database: &TestDatabase) -> Option<rusqlite::Connection> {
    match database.settings() {
        StoreSettings::Sqlite { folder, .. } => {
            let raw = rusqlite::Connection::open(folder.join("linchpin.db")).unwrap();
            raw.pragma_update(None, "synchronous", "FULL").unwrap();
            raw.busy_timeout(Duration::from_secs(60)).unwrap();
            Some(raw)
        }
        StoreSettings::Postgres { .. } | StoreSettings::Ephemeral => None,
    }
}

/// Measures the page of 50 in the middle of the list.
async fn page(store: &Store, cursor: &str) -> Duration {
    let rounds = 500;
    let begun = Instant::now();
    for _ in 0..rounds {
        let request = PageRequest::after(PageSize::new(50).unwrap(), cursor);
        let page = store
            .read(move |reader| reader.users().list(&owner(), None, Created::default(), &request))
            .await
            .unwrap_or_else(stop);
        assert_eq!(page.items.len(), 50);
    }
    begun.elapsed() / rounds
}

/// Returns a cursor to the middle: the newest user created before half of the creation times.
async fn middle(store: &Store, rows: u64) -> String {
    let mut request = PageRequest::first(PageSize::new(150).unwrap());
    let mut left = rows / 2;
    loop {
        let next = store
            .read(move |reader| reader.users().list(&owner(), None, Created::default(), &request))
            .await
            .unwrap_or_else(stop);
        let cursor = next.next_cursor.unwrap();
        left = left.saturating_sub(150);
        if left == 0 {
            return cursor;
        }
        request = PageRequest::after(PageSize::new(150).unwrap(), cursor);
    }
}

async fn pages(small: &Store, large: &Store, rows: u64) {
    let (small_cursor, large_cursor) = (middle(small, 1_000).await, middle(large, rows).await);
    let (mut few, mut many) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        few.push(page(small, &small_cursor).await);
        many.push(page(large, &large_cursor).await);
    }
    few.sort();
    many.sort();
    let ratio = many[2].as_secs_f64() / few[2].as_secs_f64();
    println!("page of 50, median of 5: 1,000 rows {:?}; {rows} rows {:?}; ratio {ratio:.2}", few[2], many[2]);
}

async fn writes(store: &Store, database: &TestDatabase, from: u64) {
    let times = Arc::new(Mutex::new(Vec::new()));
    let begun = Instant::now();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (store, times) = (store.clone(), Arc::clone(&times));
            tokio::spawn(async move {
                let mut number = from + client;
                while begun.elapsed() < WRITING {
                    let (_, change, context) = new_user(number);
                    let asked = Instant::now();
                    store.write(move |tx| tx.apply(&change, context.now())).await.unwrap_or_else(stop);
                    times.lock().unwrap().push(asked.elapsed());
                    number += CLIENTS;
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    let mut times = std::mem::take(&mut *times.lock().unwrap());
    times.sort();
    let rate = times.len() as f64 / begun.elapsed().as_secs_f64();
    let p99 = times[times.len() * 99 / 100];
    print!("durable user and event, {CLIENTS} clients: {rate:.0}/s, p99 {p99:?}");
    if let Some(raw) = raw_connection(database) {
        raw.execute_batch("CREATE TABLE bare (id TEXT PRIMARY KEY NOT NULL, body BLOB NOT NULL) STRICT")
            .unwrap();
        let begun = Instant::now();
        let mut rows = 0_u32;
        while begun.elapsed() < WRITING / 2 {
            raw.prepare_cached("INSERT INTO bare (id, body) VALUES (?1, ?2)")
                .unwrap()
                .execute((format!("row-{rows}"), vec![7_u8; 200]))
                .unwrap();
            rows += 1;
        }
        print!(
            "; rusqlite alone, one commit per row: {:.0}/s",
            f64::from(rows) / begun.elapsed().as_secs_f64()
        );
    }
    println!();
}

async fn claims(store: &Store) {
    let mut context = context(10_000_000);
    let registration = Registration {
        name: None,
        url: "https://example.com/hook".into(),
        event_types: vec!["ALL_EVENTS".into()],
        active: None,
        secret: Some(Sensitive::new("a secret long enough")),
        include_payload: None,
        retry_profile: None,
    };
    let webhook =
        register(owner(), registration, RegistrationRules { sandbox_http: false }, &mut context).unwrap();
    let now = context.now();
    let change = Change::row(Row::Webhook(webhook));
    store.write(move |tx| tx.apply(&change, now)).await.unwrap_or_else(stop);
    for part in 0..20_u64 {
        let mut whole = Change::default();
        for number in 0..500 {
            whole = whole.then(new_user(20_000_000 + part * 500 + number).1);
        }
        store.write(move |tx| tx.apply(&whole, now)).await.unwrap_or_else(stop);
    }
    let wall = Wall::from_micros(1_900_000_000_000_000);
    let mut taken = 0;
    let begun = Instant::now();
    let mut claims = 0;
    for number in 0..10 {
        let claimed = store
            .write(move |tx| {
                let worker = WorkerId::from_random([number; 16]);
                claim_due(
                    tx,
                    DeliveryQueue::First,
                    Claim { worker: &worker, now: wall, limit: 256 },
                    &AttemptShares::default(),
                )
            })
            .await
            .unwrap_or_else(stop);
        taken += claimed.len();
        claims += 1;
    }
    let each = begun.elapsed() / claims;
    println!("claim of a webhook's 16 of 10,000 due, with body and secret: {each:?} ({taken} taken)");
}
