//! The time of a claim of syncs does not grow with the number of accounts.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use link_domain::change::Change;
use link_domain::job::{Job, JobKind, JobQueue};
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Claim, Share, Store, StoreError, WorkerId};
use link_types::id::AccountId;
use rstest::rstest;

use crate::faults::change;
use crate::sample::{self, apply, context, owner, wall};

const CLAIMS: usize = 41;
const AT_ONCE: usize = 16;
const ROUNDS: usize = 5;

/// Adds the jobs of 1,000 accounts by copying the only one. 700 are due, and the others during the next week.
const THOUSAND: &str = "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 1000) \
    INSERT INTO jobs (id, key, tenant_id, mode, kind, due_at, run_at, attempts, fence, queue, lane) \
    SELECT substr(id, 1, length(id) - 8) || substr('00000000' || i, length('00000000' || i) - 7), key || i, \
    tenant_id, mode, kind, due_at + CASE WHEN i <= 700 THEN 0 ELSE 60000000 + i * 5760000 END, \
    run_at, attempts, fence, queue, lane FROM jobs, n";
/// Adds those of 99,000 more, which are due during the next week.
const REST_OF_HUNDRED_THOUSAND: &str = "WITH RECURSIVE n (i) AS (SELECT CAST(1001 AS BIGINT) UNION ALL SELECT i + 1 \
    FROM n WHERE i < 100000) \
    INSERT INTO jobs (id, key, tenant_id, mode, kind, due_at, run_at, attempts, fence, queue, lane) \
    SELECT substr(id, 1, length(id) - 8) || substr('00000000' || i, length('00000000' || i) - 7), key || i, \
    tenant_id, mode, kind, due_at + 60000000 + i * 5760000, run_at, attempts, fence, queue, lane \
    FROM jobs, n WHERE id = (SELECT MAX(id) FROM jobs WHERE due_at = (SELECT MIN(due_at) FROM jobs))";
const RELEASE: &str = "UPDATE jobs SET lease_owner = NULL, lease_until = NULL WHERE lease_owner IS NOT NULL";

/// Returns the shortest time of claiming 16 syncs, which other processes on the machine disturb least.
async fn shortest_claim(database: &TestDatabase, store: &Store) -> Duration {
    let mut shortest = Duration::MAX;
    for _ in 0..CLAIMS {
        let began = Instant::now();
        // The same worker each time: jobs of others would use up the shares.
        let worker = WorkerId::from_random([1; 16]);
        let claimed: Result<usize, StoreError> = store
            .write(move |tx| {
                let (held, held_of_provider) = (&BTreeMap::new(), &BTreeMap::new());
                let share = Share { most: AT_ONCE, held, most_of_provider: AT_ONCE, held_of_provider };
                let claim = Claim { worker: &worker, now: wall(), limit: AT_ONCE };
                Ok(tx.jobs().claim(JobQueue::Syncs, claim, share)?.jobs.len())
            })
            .await;
        shortest = shortest.min(began.elapsed());
        assert_eq!(claimed.unwrap(), AT_ONCE);
    }
    assert_eq!(change(database, RELEASE), CLAIMS * AT_ONCE);
    shortest
}

/// Opens a database with the syncs of 1,000 or 100,000 accounts.
async fn with_accounts(backend: Backend, is_large: bool) -> (TestDatabase, Store) {
    let (database, store) = sample::open(backend).await;
    let mut context = context();
    let (account_id, provider_id) = (AccountId::from_bytes([1; 16]), "mx_social_security".parse().unwrap());
    let job = Job::now(&owner(), JobKind::SyncAccount { account_id, provider_id }, &mut context);
    apply(&store, Change { jobs: vec![job], ..Change::default() }, &context).await;
    assert_eq!(change(&database, THOUSAND), 1_000);
    if is_large {
        assert_eq!(change(&database, REST_OF_HUNDRED_THOUSAND), 99_000);
    }
    if backend == Backend::Postgres {
        // Autovacuum does this within a minute. Without it, PostgreSQL plans for a table of unknown size.
        change(&database, "ANALYZE jobs");
    }
    (database, store)
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn claim_of_syncs_does_not_slow_down_with_accounts(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let small = with_accounts(backend, false).await;
    let large = with_accounts(backend, true).await;
    let mut shortest = (Duration::MAX, Duration::MAX);
    // In turns, because the machine's speed changes.
    for _ in 0..ROUNDS {
        shortest.0 = shortest.0.min(shortest_claim(&small.0, &small.1).await);
        shortest.1 = shortest.1.min(shortest_claim(&large.0, &large.1).await);
    }
    let ratio = shortest.1.as_secs_f64() / shortest.0.as_secs_f64();
    eprintln!("a claim with 1,000 and with 100,000 accounts: {shortest:?}: {ratio:.2}");
    // The depth of an index is part of the time of a claim, which is a fraction of a millisecond.
    assert!(shortest.1 <= shortest.0.mul_f64(1.3) + Duration::from_micros(100), "{shortest:?}");
}
