//! Jobs on the clocks of sandboxes.

use std::collections::BTreeMap;
use std::time::Duration;

use link_domain::change::job::{Job, JobKind, JobQueue};
use link_domain::change::{Change, Row};
use link_domain::kernel::clock::{ClockOffset, Now, TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::tenant::Tenant;
use link_domain::tenancy::tenant::standing::Standing;
use link_store::test_support::Backend;
use link_store::{Claim, ClaimedJobs, Share, Store, StoreError, WorkerId};
use link_types::Mode;
use link_types::id::{AccountId, ArchiveId};
use rstest::rstest;

use crate::sample::{self, apply, context, owner, wall};

fn kind(number: u8) -> JobKind {
    JobKind::DeleteOrphans {
        holder: (&ArchiveId::from_bytes([number; 16])).into(),
        since: Wall::from_micros(0),
    }
}

fn sync(number: u8) -> JobKind {
    JobKind::SyncAccount {
        account_id: AccountId::from_bytes([number; 16]),
        provider_id: "mx_slow".parse().unwrap(),
    }
}

/// Sets the clock of the tenant's sandbox ahead.
async fn advance(store: &Store, owner: &Owner, by: Duration) {
    let (id, context) = (owner.tenant.clone(), context());
    let sandbox_offset = ClockOffset::from_micros(by.as_micros() as i64);
    let created_at = context.now().tenant();
    let standing = Standing::Active;
    let tenant = Tenant { id, name: "Demo".into(), created_at, sandbox_offset, standing };
    apply(store, Change::row(Row::Tenant(tenant)), &context).await;
}

async fn claim_all(store: &Store, queue: JobQueue) -> ClaimedJobs {
    store
        .write(move |tx| {
            let worker = WorkerId::from_random([1; 16]);
            let share = Share {
                most: 9,
                held: BTreeMap::new(),
                most_of_provider: 9,
                held_of_provider: BTreeMap::new(),
            };
            tx.jobs().claim(queue, Claim { worker: &worker, now: wall(), limit: 9 }, share)
        })
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"))
}

#[rstest]
#[tokio::test]
async fn future_job_is_not_claimed_until_due(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let mut context = context();
    let in_a_day = TenantTime::from_micros(wall().micros()) + Duration::from_secs(86_400);
    let job = Job::due(&owner(), kind(1), in_a_day, &mut context);
    apply(&store, Change { jobs: vec![job], ..Change::default() }, &context).await;
    let claimed = claim_all(&store, JobQueue::Maintenance).await;
    assert_eq!((claimed.jobs.len(), claimed.next), (0, Some(Wall::from_micros(in_a_day.micros()))));
}

#[rstest]
#[tokio::test]
async fn advanced_clock_makes_only_jobs_of_its_sandbox_due(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let other = Owner { tenant: "other".parse().unwrap(), ..owner() };
    let production = Owner { mode: Mode::Production, ..owner() };
    let now = TenantTime::from_micros(wall().micros());
    let day = Duration::from_secs(86_400);
    for (number, owner) in [(1, &owner()), (2, &other), (3, &production)] {
        for (number, kind) in [(number, kind(number)), (number + 3, sync(number))] {
            let mut context = context();
            let job = Job::due(owner, kind, now + day * u32::from(number), &mut context);
            apply(&store, Change { jobs: vec![job], ..Change::default() }, &context).await;
        }
    }
    advance(&store, &other, Duration::from_secs(1)).await;
    advance(&store, &owner(), day * 3).await;
    let claimed = claim_all(&store, JobQueue::Maintenance).await;
    assert_eq!(claimed.jobs.iter().map(|job| job.item.kind.clone()).collect::<Vec<_>>(), [kind(1)]);
    let next = Wall::from_micros((now + day * 2 - Duration::from_secs(1)).micros());
    assert_eq!(claimed.next, Some(next), "the clock of the other tenant is a second ahead");
    let claimed = claim_all(&store, JobQueue::Syncs).await;
    assert_eq!(claimed.jobs, [], "the first is due on the fourth day");
    advance(&store, &owner(), day * 4).await;
    assert_eq!(claim_all(&store, JobQueue::Syncs).await.jobs.len(), 1);
}

#[rstest]
#[case::soon(5, true)]
#[case::later(3_600, false)]
#[tokio::test]
async fn clock_waits_for_a_job_that_runs_again_soon(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[case] seconds: u64,
    #[case] waits: bool,
) {
    let (_database, store) = sample::open(backend).await;
    let mut context = context();
    let job = Job::now(&owner(), sync(1), &mut context);
    apply(&store, Change { jobs: vec![job], ..Change::default() }, &context).await;
    let failed = claim_all(&store, JobQueue::Syncs).await.jobs.remove(0);
    let run_at = wall() + Duration::from_secs(seconds);
    store
        .write(move |tx| tx.jobs().postpone(&failed, run_at))
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"));
    let now = Now::new(wall(), ClockOffset::default());
    let due = store.read(move |reader| reader.clock_advances().due_work(&owner().tenant, None, now)).await;
    assert_eq!(due.unwrap().is_due, waits);
}
