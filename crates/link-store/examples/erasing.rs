//! Measures how erasures slow other requests down on PostgreSQL.
//!
//! One run alternates between windows with one user erased per second and windows without erasures. It reports p50 and
//! p99 of `GET` of a user for both, and the longest lock that blocked other users of a table.
//!
//! ```text
//! cargo run --release -p link-store --features test-support --example erasing -- 1000000 60 3
//! ```
//!
//! The arguments: the number of keys in the database (default 100,000), the seconds per window (default 60; a vacuum
//! runs every 20), and the number of pairs of windows (default 2).

#![expect(clippy::print_stdout, reason = "the program's output is its purpose")]
#![expect(clippy::unwrap_used, reason = "a failed measurement has no result")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use link_domain::change::{Change, Deletion, Row};
use link_domain::clock::{ClockOffset, Now, Wall};
use link_domain::context::Context;
use link_domain::owner::Owner;
use link_domain::user::User;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Store, StoreError, StoreSettings};
use link_types::Mode;
use link_types::id::UserId;
use secrecy::ExposeSecret;

/// The number of concurrent readers, and the pause of each between two reads.
const READERS: usize = 8;
const PAUSE: Duration = Duration::from_millis(20);
const USERS_A_UNIT: u64 = 500;
const FILLERS: u64 = 4;

/// Locks that block readers or writers of a table, on tables that are read and written all the time.
const STRONG: &str = "SELECT l.pid, c.relname::text FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
    WHERE l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
    AND l.locktype = 'relation' AND c.relkind = 'r' \
    AND l.mode IN ('ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')";
const OWED: &str = "SELECT (SELECT COUNT(*) FROM pending_vacuums) + (SELECT COUNT(*) FROM stale_buckets)";

fn owner() -> Owner {
    Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox }
}

fn context(number: u64) -> Context {
    let mut seed = [5; 32];
    seed[..8].copy_from_slice(&number.to_be_bytes());
    let wall = Wall::from_micros(1_760_000_000_000_000) + Duration::from_millis(number);
    Context::new(Now::new(wall, ClockOffset::default()), seed)
}

fn connect(database: &TestDatabase) -> postgres::Client {
    let StoreSettings::Postgres { address, .. } = database.settings() else { panic!("a PostgreSQL") };
    postgres::Client::connect(address.expose_secret(), postgres::NoTls).unwrap()
}

fn stop<T>(error: StoreError) -> T {
    panic!("{error}")
}

async fn fill(store: &Store, keys: u64) -> Vec<UserId> {
    let part = keys.div_ceil(FILLERS);
    let fillers: Vec<_> = (0..FILLERS)
        .map(|filler| {
            let store = store.clone();
            tokio::spawn(async move {
                let (mut ids, end) = (Vec::new(), keys.min((filler + 1) * part));
                let mut from = filler * part;
                while from < end {
                    let to = end.min(from + USERS_A_UNIT);
                    let users: Vec<User> = (from..to)
                        .map(|number| {
                            User::create(owner(), None, BTreeMap::default(), &mut context(number)).0
                        })
                        .collect();
                    ids.extend(users.iter().map(|user| user.id.clone()));
                    let rows = users.into_iter().map(Row::User).collect();
                    let change = Change { rows, ..Change::default() };
                    let now = context(to).now();
                    store.write(move |tx| tx.apply(&change, now)).await.unwrap_or_else(stop);
                    from = to;
                }
                ids
            })
        })
        .collect();
    let mut ids = Vec::new();
    for filler in fillers {
        ids.extend(filler.await.unwrap());
    }
    ids
}

/// Reads for a while. Returns how long each read took.
async fn window(store: &Store, ids: &Arc<Mutex<Vec<UserId>>>, length: Duration, seed: u64) -> Vec<Duration> {
    let readers: Vec<_> = (0..READERS as u64)
        .map(|reader| {
            let (store, ids) = (store.clone(), Arc::clone(ids));
            tokio::spawn(async move {
                let (begun, mut taken) = (Instant::now(), Vec::new());
                let mut number = seed.wrapping_add(reader).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
                while begun.elapsed() < length {
                    number = number
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    let id = {
                        let ids = ids.lock().unwrap();
                        ids[(number >> 33) as usize % ids.len()].clone()
                    };
                    let asked = Instant::now();
                    let read = store.read(move |reader| reader.users().get(&owner(), &id)).await;
                    drop(read.unwrap_or_else(stop));
                    taken.push(asked.elapsed());
                    tokio::time::sleep(PAUSE).await;
                }
                taken
            })
        })
        .collect();
    let mut taken = Vec::new();
    for reader in readers {
        taken.extend(reader.await.unwrap());
    }
    taken
}

async fn erase_one_a_second(store: Store, ids: Arc<Mutex<Vec<UserId>>>, length: Duration) -> usize {
    let mut ticks = tokio::time::interval(Duration::from_secs(1));
    let begun = Instant::now();
    let mut erased = 0;
    while begun.elapsed() < length {
        ticks.tick().await;
        let user_id = {
            let mut ids = ids.lock().unwrap();
            let at = erased * 7_919 % ids.len();
            ids.swap_remove(at)
        };
        let deletion = Deletion::User { owner: owner(), user_id };
        let change = Change { deletions: vec![deletion], ..Change::default() };
        let now = context(u64::from(u32::MAX)).now();
        store.write(move |tx| tx.apply(&change, now)).await.unwrap_or_else(stop);
        erased += 1;
    }
    erased
}

/// Returns the longest time for which each table was locked, until `ended` is set.
fn watch(mut client: postgres::Client, ended: &AtomicBool) -> BTreeMap<String, Duration> {
    let statement = client.prepare(STRONG).unwrap();
    let mut longest: BTreeMap<String, Duration> = BTreeMap::new();
    let mut held: BTreeMap<(i32, String), Instant> = BTreeMap::new();
    while !ended.load(Ordering::SeqCst) {
        let looked = Instant::now();
        let rows = client.query(&statement, &[]).unwrap();
        let seen: Vec<(i32, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        held.retain(|lock, _| seen.contains(lock));
        for lock in seen {
            let since = *held.entry(lock.clone()).or_insert(looked);
            let longest = longest.entry(lock.1).or_default();
            *longest = (*longest).max(since.elapsed());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    longest
}

fn until_vacuumed(client: &mut postgres::Client) {
    while client.query_one(OWED, &[]).unwrap().get::<_, i64>(0) > 0 {
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn at(sorted: &[Duration], share: f64) -> f64 {
    let index = ((sorted.len() as f64 - 1.0) * share).round() as usize;
    sorted.get(index).copied().unwrap_or_default().as_secs_f64() * 1_000.0
}

fn show(name: &str, taken: &mut [Duration]) {
    taken.sort_unstable();
    let (p50, p99, most) = (at(taken, 0.5), at(taken, 0.99), at(taken, 1.0));
    println!("{name:<18} {:>8} reads  p50 {p50:>7.2} ms  p99 {p99:>7.2} ms  max {most:>8.2} ms", taken.len());
}

#[tokio::main]
async fn main() {
    let number = |at: usize, or: u64| std::env::args().nth(at).map_or(or, |text| text.parse().unwrap());
    let (keys, length, pairs) = (number(1, 100_000), Duration::from_secs(number(2, 60)), number(3, 2));
    let database = TestDatabase::new(Backend::Postgres);
    let store = database.open().await;
    let filled = Instant::now();
    let ids = Arc::new(Mutex::new(fill(&store, keys).await));
    println!("{keys} keys, made in {:.0} s", filled.elapsed().as_secs_f64());
    let ended = Arc::new(AtomicBool::new(false));
    // The PostgreSQL client must not be driven from within an async runtime.
    let (watching, looking) = std::thread::scope(|scope| {
        let connected = scope.spawn(|| (connect(&database), connect(&database)));
        connected.join().unwrap()
    });
    let until = Arc::clone(&ended);
    let watcher = std::thread::spawn(move || watch(watching, &until));
    let looking = Arc::new(Mutex::new(looking));
    let (mut quiet, mut erasing, mut erased) = (Vec::new(), Vec::new(), 0);
    // Warm up.
    window(&store, &ids, Duration::from_secs(5), 1).await;
    for pair in 0..pairs {
        let mut without = window(&store, &ids, length, 2 * pair).await;
        show("without erasures", &mut without);
        let eraser = tokio::spawn(erase_one_a_second(store.clone(), Arc::clone(&ids), length));
        let mut with = window(&store, &ids, length, 2 * pair + 1).await;
        erased += eraser.await.unwrap();
        show("with one a second", &mut with);
        quiet.append(&mut without);
        erasing.append(&mut with);
        let looking = Arc::clone(&looking);
        tokio::task::spawn_blocking(move || until_vacuumed(&mut looking.lock().unwrap())).await.unwrap();
    }
    ended.store(true, Ordering::SeqCst);
    println!("--- all windows, {erased} erased");
    show("without erasures", &mut quiet);
    show("with one a second", &mut erasing);
    let locks = tokio::task::spawn_blocking(move || watcher.join().unwrap()).await.unwrap();
    let (small, large): (Vec<_>, Vec<_>) =
        locks.iter().partition(|(table, _)| table.starts_with("key_buckets_"));
    let most = small.iter().map(|(_, longest)| **longest).max().unwrap_or_default();
    println!(
        "longest lock of a table of bucket keys: {:.1} ms, {} tables",
        most.as_secs_f64() * 1_000.0,
        small.len()
    );
    println!("locks of other tables: {large:?}");
    store.close().await;
    // The connection must not be dropped within an async runtime.
    tokio::task::spawn_blocking(move || drop(looking)).await.unwrap();
}
