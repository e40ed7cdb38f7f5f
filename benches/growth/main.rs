//! Measures how the cost of payloads, exports, erasures and housekeeping grows with the number of users, how much memory
//! their reads need, and what erasures cost others. `cargo xtask bench growth` runs it (ADR 186).
//!
//! ```text
//! cargo run --release -p benches --bin growth -- sqlite 1000000 30 5
//! ```
//!
//! The arguments: the database (`sqlite` or `postgres`), the number of users in the large database (ten data points
//! each; default 1,000,000), the seconds per window of reads (default 30; a vacuum runs every 20), and the number of
//! rounds and pairs of windows (default 5).

#![expect(clippy::print_stdout, reason = "the program's output is its purpose")]
#![expect(clippy::unwrap_used, reason = "a failed measurement has no result")]

mod beside;
mod copies;
mod figures;
mod fill;
mod housekeeping;
mod people;
mod work;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use link_store::test_support::{Backend, durable_postgres};

use self::figures::{MAX_RATIO, Pairs, figure, median, plain};
use self::fill::{Filled, fill};
use self::people::POINTS;
use self::work::Numbers;

/// The number of users in the small database.
const FEW: u64 = 100;
/// The number of payloads, exports, erasures and idle rounds of housekeeping in one round.
const PAYLOADS: usize = 300;
const EXPORTS: usize = 40;
const ERASURES: usize = 8;
const IDLE: usize = 5;
const DUE: usize = 3;
/// The growth of memory in MB that is allowed at any ratio.
const FEW_MEGABYTES: f64 = 16.0;

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let backend = match words.first().map(String::as_str) {
        Some("sqlite") => Backend::Sqlite,
        Some("postgres") => Backend::Postgres,
        Some(_) | None => panic!("usage: growth sqlite|postgres [users] [seconds] [rounds]"),
    };
    let number = |at: usize, or: u64| words.get(at).map_or(or, |text| text.parse().unwrap());
    let (users, seconds, rounds) = (number(1, 1_000_000), number(2, 30), number(3, 5));
    durable_postgres();
    let mut both = [fill(backend, FEW).await, fill(backend, users).await];
    for filled in &both {
        let megabytes = copies::size(&filled.database.settings()) as f64 / 1e6;
        plain(&format!("size with {} data points, MB", filled.users * POINTS), format!("{megabytes:.1}"));
    }
    reads(&both, rounds).await;
    rounds_of_housekeeping(&both, rounds).await;
    erasures(&mut both, rounds).await;
    let [small, mut large] = both;
    small.store.close().await;
    beside::measure(backend, &mut large, Duration::from_secs(seconds), rounds as usize).await;
    large.store.close().await;
}

/// Measures payloads and exports, and the memory that they need.
async fn reads(both: &[Filled; 2], rounds: u64) {
    let (mut payloads, mut reading, mut writing) = (Pairs::default(), Pairs::default(), Pairs::default());
    let mut memory = [0.0; 2];
    // Warms up the small database first, so that its memory does not include the pages of the large one.
    for (database, filled) in both.iter().enumerate() {
        for seed in 0..3 {
            payloads_of(filled, seed).await;
            exports_of(filled, seed).await;
        }
        memory[database] = megabytes();
    }
    let mut from_disk = 0.0;
    for round in 0..rounds {
        for database in order(round) {
            let before = disk_kilobytes();
            payloads.add(database, &payloads_of(&both[database], round + 10).await);
            from_disk += if database == 1 { disk_kilobytes() - before } else { 0.0 };
            let (read, written) = exports_of(&both[database], round + 10).await;
            reading.add(database, &read);
            writing.add(database, &written);
        }
    }
    payloads.print("payload of an account, ms", 1.0);
    let from_disk = from_disk / (rounds as f64 * PAYLOADS as f64);
    plain(
        "read by this process from the disk per payload of the large database, kB",
        format!("{from_disk:.1}"),
    );
    reading.print("reads of an export per data point, ms", POINTS as f64);
    writing.print("unit that stores an export, ms", 1.0);
    let [small, large] = memory;
    memory_figure("memory after reads of the small and the large database, MB", small, large);
    memory_figure("memory after all rounds of reads, MB", large, megabytes());
}

fn memory_figure(name: &str, before: f64, after: f64) {
    figure(name, before, after, after / before, MAX_RATIO.max((before + FEW_MEGABYTES) / before));
}

async fn payloads_of(filled: &Filled, seed: u64) -> Vec<f64> {
    let (mut numbers, mut taken) = (Numbers::new(seed), Vec::new());
    for _ in 0..PAYLOADS {
        let (time, points) = work::payload(&filled.store, filled.any(&mut numbers)).await;
        assert_eq!(points as u64, POINTS);
        taken.push(time.as_secs_f64());
    }
    taken
}

async fn exports_of(filled: &Filled, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut numbers = Numbers::new(seed + 1_000);
    let (mut reading, mut writing) = (Vec::new(), Vec::new());
    for number in 0..EXPORTS as u64 {
        let person = filled.any(&mut numbers);
        let (read, written) = work::export(&filled.store, person, 100_000_000 + seed * 1_000 + number).await;
        reading.push(read.as_secs_f64());
        writing.push(written.as_secs_f64());
    }
    (reading, writing)
}

/// Measures housekeeping with nothing due, and with one due thing of each kind.
async fn rounds_of_housekeeping(both: &[Filled; 2], rounds: u64) {
    let (mut idle, mut due) = (Pairs::default(), Pairs::default());
    let mut steps: [BTreeMap<&str, Vec<f64>>; 2] = Default::default();
    for filled in both {
        housekeeping::round(&filled.store).await;
    }
    for round in 0..rounds {
        for database in order(round) {
            let (filled, mut taken) = (&both[database], Vec::new());
            for _ in 0..IDLE {
                let done = housekeeping::round(&filled.store).await;
                assert_eq!(done.found, 0, "nothing is due");
                taken.push(done.total().as_secs_f64());
                for (what, time) in &done.steps {
                    steps[database].entry(what).or_default().push(time.as_secs_f64());
                }
            }
            idle.add(database, &taken);
            taken.clear();
            for number in 0..DUE as u64 {
                let person = &filled.people[number as usize];
                housekeeping::make_due(filled, person, 200_000_000 + round * 100 + number).await;
                let done = housekeeping::round(&filled.store).await;
                assert!(done.found >= housekeeping::MIN_DUE, "{} things are due", done.found);
                taken.push(done.total().as_secs_f64());
            }
            due.add(database, &taken);
        }
    }
    idle.print("housekeeping, nothing due, ms", 1.0);
    due.print("housekeeping, one due thing of each kind, ms", 1.0);
    let [small, large] = steps.map(|steps| {
        steps.into_iter().map(|(what, times)| (what, median(&times) * 1e3)).collect::<BTreeMap<_, _>>()
    });
    let worst = small
        .iter()
        .map(|(what, time)| (large[what] / time, *what))
        .max_by(|one, other| one.0.total_cmp(&other.0));
    let (ratio, what) = worst.unwrap();
    plain(
        "the step of housekeeping that grows most, ms",
        format!("{what}: {:.3}, {:.3}, ratio {ratio:.2}", small[what], large[what]),
    );
}

/// Measures erasures, and how soon PostgreSQL has vacuumed them.
async fn erasures(both: &mut [Filled; 2], rounds: u64) {
    let mut erased = Pairs::default();
    for filled in both.iter() {
        beside::until_vacuumed(&filled.database.settings()).await;
    }
    for round in 0..rounds {
        for database in order(round) {
            let mut numbers = Numbers::new(round + 50);
            let first = 300_000_000 + round * 10_000;
            let taken = both[database].erasures(ERASURES, &mut numbers, first).await;
            let taken: Vec<f64> = taken.iter().map(Duration::as_secs_f64).collect();
            erased.add(database, &taken);
        }
    }
    erased.print("erasure of a user, ms", 1.0);
    let begun = Instant::now();
    let [small, large] = both.each_ref().map(|filled| filled.database.settings());
    let (small, large) = tokio::join!(beside::until_vacuumed(&small), beside::until_vacuumed(&large));
    if begun.elapsed() > Duration::from_secs(1) {
        let seconds = [small, large].map(|wait| wait.as_secs_f64());
        figure(
            "vacuum after erasures, with its delay of 20 s, s",
            seconds[0],
            seconds[1],
            seconds[1] / seconds[0],
            MAX_RATIO,
        );
    }
}

/// Returns which database is first in a round.
fn order(round: u64) -> [usize; 2] {
    if round.is_multiple_of(2) { [0, 1] } else { [1, 0] }
}

/// Returns the memory of this process that is not pages of files, in MB.
fn megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1e3
}

/// Returns what this process has read from the disk so far, in kB. What the page cache had is not included.
fn disk_kilobytes() -> f64 {
    let counts = std::fs::read_to_string("/proc/self/io").unwrap();
    let line = counts.lines().find_map(|line| line.strip_prefix("read_bytes:")).unwrap();
    line.trim().parse::<f64>().unwrap() / 1e3
}
