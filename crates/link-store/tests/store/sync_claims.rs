//! The time of a claim of syncs does not grow with the number of accounts.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use link_domain::change::Change;
use link_domain::change::job::{Job, JobKind, JobQueue};
use link_store::test_support::{Backend, TestDatabase, sqlite};
use link_store::{Claim, Share, Store, StoreError, WorkerId};
use link_types::id::AccountId;
use rstest::rstest;

use crate::sample::{self, apply, context, owner, wall};

/// The number of claims in one measurement.
const CLAIMS: u32 = 4;
const AT_ONCE: usize = 16;
/// How often both databases are measured, at least.
const ROUNDS: usize = 40;
/// How often they are measured if the rest of the machine disturbs the measurements. It only lengthens them, so a claim
/// that is slower with more accounts stays slower.
const MAX_ROUNDS: usize = 200;
const RELEASE: &str = "UPDATE jobs SET lease_owner = NULL, lease_until = NULL WHERE lease_owner IS NOT NULL";

/// How many tenants have accounts, and at how many providers each. Every tenant and provider has a lane.
#[derive(Clone, Copy, Debug)]
struct Spread {
    tenants: u32,
    providers: u32,
}

/// How much longer a claim with 100,000 accounts may take than one with 1,000. The index's tree is a level deeper, and a
/// busy machine adds up to a third to times of a millisecond. One that read all
/// accounts would take many times as long.
const MAX_GROWTH: f64 = 2.0;

/// Returns the statement that adds the jobs of this many accounts by copying the only one. 700 are due, and the others
/// during the next week.
fn copies(count: u32, Spread { tenants, providers }: Spread) -> String {
    let tenant = format!("tenant_id || (i % {tenants})");
    format!(
        "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {count}) \
         INSERT INTO jobs (id, key, tenant_id, mode, kind, due_at, run_at, attempts, fence, queue, lane) \
         SELECT substr(id, 1, length(id) - 8) || substr('00000000' || i, length('00000000' || i) - 7), key || i, \
         {tenant}, mode, kind, due_at + CASE WHEN i <= 700 THEN 0 ELSE 60000000 + i * 5760000 END, \
         run_at, attempts, fence, queue, {tenant} || '/' || mode || '/mx_' || (i / {tenants} % {providers}) \
         FROM jobs, n"
    )
}

/// Returns the mean time of claiming 16 syncs.
async fn measure((database, store): &(TestDatabase, Store)) -> Duration {
    let began = Instant::now();
    for _ in 0..CLAIMS {
        assert_eq!(claim(store).await, AT_ONCE);
    }
    let time = began.elapsed() / CLAIMS;
    assert_eq!(database.change(RELEASE), CLAIMS as usize * AT_ONCE);
    time
}

async fn claim(store: &Store) -> usize {
    let claimed: Result<usize, StoreError> = store
        .write(move |tx| {
            // The same worker each time: jobs of others would use up the shares.
            let worker = WorkerId::from_random([1; 16]);
            let (held, held_of_provider) = (BTreeMap::new(), BTreeMap::new());
            let share = Share { most: AT_ONCE, held, most_of_provider: AT_ONCE, held_of_provider };
            let claim = Claim { worker: &worker, now: wall(), limit: AT_ONCE };
            Ok(tx.jobs().claim(JobQueue::Syncs, claim, share)?.jobs.len())
        })
        .await;
    claimed.unwrap()
}

/// Opens a database with the syncs of this many accounts.
async fn with_accounts(backend: Backend, count: u32, spread: Spread) -> (TestDatabase, Store) {
    let (database, store) = sample::open(backend).await;
    let mut context = context();
    let (account_id, provider_id) = (AccountId::from_bytes([1; 16]), "mx_social_security".parse().unwrap());
    let job = Job::now(&owner(), JobKind::SyncAccount { account_id, provider_id }, &mut context);
    apply(&store, Change { jobs: vec![job], ..Change::default() }, &context).await;
    assert_eq!(database.change(&copies(count, spread)), count as usize);
    match backend {
        // Autovacuum does this within a minute. Without it, PostgreSQL plans for a table of unknown size.
        Backend::Postgres => drop(database.change("ANALYZE jobs")),
        // Otherwise every page of the table is still in one large WAL.
        Backend::Sqlite => {
            sqlite::execute(&database.files().join("linchpin.db"), "PRAGMA wal_checkpoint(TRUNCATE)");
        }
    }
    (database, store)
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn claim_of_syncs_does_not_slow_down_with_accounts(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[values(Spread { tenants: 1, providers: 1 }, Spread { tenants: 50, providers: 4 })] spread: Spread,
) {
    let small = with_accounts(backend, 1_000, spread).await;
    let large = with_accounts(backend, 100_000, spread).await;
    let (mut shortest, mut ratio) = ((Duration::MAX, Duration::MAX), f64::MAX);
    // In turns, because the machine's speed changes. Other processes disturb the shortest times least.
    for round in 1..=MAX_ROUNDS {
        shortest.0 = shortest.0.min(measure(&small).await);
        shortest.1 = shortest.1.min(measure(&large).await);
        ratio = shortest.1.as_secs_f64() / shortest.0.as_secs_f64();
        if round >= ROUNDS && ratio <= MAX_GROWTH {
            break;
        }
    }
    eprintln!("a claim with 1,000 and with 100,000 accounts of {spread:?}: {shortest:?}: {ratio:.2}");
    assert!(ratio <= MAX_GROWTH, "{shortest:?}: {ratio:.2}");
}
