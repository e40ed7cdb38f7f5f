//! The cost of erasures for others: reads while one user a second is erased, and reads without erasures, in
//! alternating windows.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use link_store::test_support::Backend;
use link_store::{Store, StoreSettings};
use secrecy::ExposeSecret;

use super::figures::{at, figure, median, millis, plain};
use super::fill::Filled;
use super::people::Person;
use super::work::{Numbers, erase, payload};

/// The number of concurrent readers, and the pause of each between two reads.
const READERS: u64 = 4;
const PAUSE: Duration = Duration::from_millis(20);

/// Locks that block readers or writers of a table, on tables that are read and written all the time.
const STRONG: &str = "SELECT l.pid, c.relname::text FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
    WHERE l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
    AND l.locktype = 'relation' AND c.relkind = 'r' \
    AND l.mode IN ('ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')";
const OWED: &str = "SELECT (SELECT COUNT(*) FROM pending_vacuums) + (SELECT COUNT(*) FROM stale_buckets)";

type People = Arc<Mutex<Vec<Person>>>;

/// Measures pairs of windows of this length, and prints the figures.
pub async fn measure(backend: Backend, filled: &mut Filled, length: Duration, pairs: usize) {
    until_vacuumed(&filled.database.settings()).await;
    let people = Arc::new(Mutex::new(std::mem::take(&mut filled.people)));
    let ended = Arc::new(AtomicBool::new(false));
    let watcher = watch(&filled.database.settings(), &ended);
    let store = &filled.store;
    let (mut p50, mut p99) = ([const { Vec::new() }; 2], [const { Vec::new() }; 2]);
    let (mut ratios50, mut ratios99) = (Vec::new(), Vec::new());
    window(store, &people, length / 6, 1).await;
    for pair in 0..pairs as u64 {
        let mut pair_p50 = [0.0; 2];
        let mut pair_p99 = [0.0; 2];
        // Which one is first alternates too.
        for place in 0..2 {
            let erasing = (pair as usize + place) % 2;
            let eraser = (erasing == 1)
                .then(|| tokio::spawn(erase_one_a_second(store.clone(), Arc::clone(&people), length, pair)));
            let taken = window(store, &people, length, 2 * pair + place as u64 + 2).await;
            if let Some(eraser) = eraser {
                eraser.await.unwrap();
                until_vacuumed(&filled.database.settings()).await;
            }
            (pair_p50[erasing], pair_p99[erasing]) = (at(&taken, 0.5), at(&taken, 0.99));
            let name = ["without", "with one a second"][erasing];
            eprintln!(
                "{backend:?}: {} payloads {name}: p50 {:.3} ms, p99 {:.3} ms, max {:.1} ms",
                taken.len(),
                millis(at(&taken, 0.5)),
                millis(at(&taken, 0.99)),
                millis(at(&taken, 1.0))
            );
        }
        for erasing in 0..2 {
            p50[erasing].push(pair_p50[erasing]);
            p99[erasing].push(pair_p99[erasing]);
        }
        ratios50.push(pair_p50[1] / pair_p50[0]);
        ratios99.push(pair_p99[1] / pair_p99[0]);
    }
    ended.store(true, Ordering::SeqCst);
    for (name, times, ratios) in [("p50", &p50, &ratios50), ("p99", &p99, &ratios99)] {
        let [without, with] = [median(&times[0]), median(&times[1])].map(millis);
        let name = format!("{name} of payloads without and with one erasure a second, ms");
        figure(&name, without, with, median(ratios), 1.3);
    }
    let spread = p99[0].iter().copied().fold(0.0, f64::max) / p99[0].iter().copied().fold(f64::MAX, f64::min);
    plain("p99 without erasures, worst / best window", format!("{spread:.2}"));
    if let Some(watcher) = watcher {
        let locks = tokio::task::spawn_blocking(move || watcher.join().unwrap()).await.unwrap();
        let (small, others): (Vec<_>, Vec<_>) =
            locks.iter().partition(|(table, _)| table.starts_with("key_buckets_"));
        let most = small.iter().map(|(_, longest)| **longest).max().unwrap_or_default();
        plain("longest lock of a table of bucket keys, ms", format!("{:.1}", most.as_secs_f64() * 1e3));
        plain("locks of other tables", format!("{others:?}"));
    }
    filled.people = std::mem::take(&mut *people.lock().unwrap());
}

/// Reads payloads for a while. Returns how many seconds each took, in ascending order.
async fn window(store: &Store, people: &People, length: Duration, seed: u64) -> Vec<f64> {
    let readers: Vec<_> = (0..READERS)
        .map(|reader| {
            let (store, people) = (store.clone(), Arc::clone(people));
            tokio::spawn(async move {
                let (begun, mut taken) = (Instant::now(), Vec::new());
                let mut numbers = Numbers::new(seed * READERS + reader);
                while begun.elapsed() < length {
                    let person = {
                        let people = people.lock().unwrap();
                        people[numbers.below(people.len())].clone()
                    };
                    taken.push(payload(&store, &person).await.0.as_secs_f64());
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
    taken.sort_by(f64::total_cmp);
    taken
}

async fn erase_one_a_second(store: Store, people: People, length: Duration, pair: u64) {
    let mut ticks = tokio::time::interval(Duration::from_secs(1));
    let begun = Instant::now();
    let mut numbers = Numbers::new(pair + 77);
    while begun.elapsed() < length {
        ticks.tick().await;
        let person = {
            let mut people = people.lock().unwrap();
            let at = numbers.below(people.len());
            people.swap_remove(at)
        };
        erase(&store, &person, 500_000_000 + numbers.below(1_000_000) as u64).await;
    }
}

fn connect(settings: &StoreSettings) -> Option<postgres::Client> {
    match settings {
        StoreSettings::Postgres { address, .. } => {
            Some(postgres::Client::connect(address.expose_secret(), postgres::NoTls).unwrap())
        }
        StoreSettings::Sqlite { .. } | StoreSettings::Ephemeral => None,
    }
}

/// Waits until PostgreSQL has vacuumed what was erased. SQLite owes nothing. Returns how long it took.
pub async fn until_vacuumed(settings: &StoreSettings) -> Duration {
    let (settings, begun) = (settings.clone(), Instant::now());
    // The PostgreSQL client must not be driven from within an async runtime.
    let waiting = tokio::task::spawn_blocking(move || {
        let Some(mut client) = connect(&settings) else { return };
        while client.query_one(OWED, &[]).unwrap().get::<_, i64>(0) > 0 {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    waiting.await.unwrap();
    begun.elapsed()
}

type Locks = BTreeMap<String, Duration>;

/// Watches the locks of PostgreSQL until `ended` is set: the longest time for which each table was locked.
fn watch(settings: &StoreSettings, ended: &Arc<AtomicBool>) -> Option<std::thread::JoinHandle<Locks>> {
    let (settings, ended) = (settings.clone(), Arc::clone(ended));
    if !matches!(settings, StoreSettings::Postgres { .. }) {
        return None;
    }
    Some(std::thread::spawn(move || {
        let mut longest = Locks::new();
        let Some(mut client) = connect(&settings) else { return longest };
        let statement = client.prepare(STRONG).unwrap();
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
    }))
}
