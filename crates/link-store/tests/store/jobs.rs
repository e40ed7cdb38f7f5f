//! Jobs: one per key, held by a lease, fenced.

use std::collections::BTreeMap;
use std::time::Duration;

use link_domain::change::Change;
use link_domain::change::job::{Job, JobKind, JobQueue};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Claim, Leased, Share, Store, StoreError, WorkerId};
use link_types::Mode;
use link_types::id::{AccountId, ArchiveId, ChallengeId, InviteId, ProviderId, RecordId, TaskId, TenantId};
use rstest::rstest;

use crate::sample::{self, apply, context, owner, wall};

fn kind(number: u8) -> JobKind {
    JobKind::DeleteOrphans {
        holder: (&ArchiveId::from_bytes([number; 16])).into(),
        since: Wall::from_micros(0),
    }
}

pub async fn schedule(store: &Store, kind: JobKind) -> Job {
    owe_to(store, &owner(), kind).await
}

pub async fn owe_to(store: &Store, owner: &Owner, kind: JobKind) -> Job {
    let mut context = context();
    let job = Job::now(owner, kind, &mut context);
    apply(store, Change { jobs: vec![job.clone()], ..Change::default() }, &context).await;
    job
}

async fn claim(store: &Store, worker: &WorkerId, now: Wall, limit: usize) -> Vec<Leased<Job>> {
    claim_of(JobQueue::Maintenance, store, worker, now, limit).await
}

async fn claim_of(
    queue: JobQueue,
    store: &Store,
    worker: &WorkerId,
    now: Wall,
    limit: usize,
) -> Vec<Leased<Job>> {
    claim_share(queue, store, worker, (now, limit), (limit, &[])).await
}

async fn claim_share(
    queue: JobQueue,
    store: &Store,
    worker: &WorkerId,
    (now, limit): (Wall, usize),
    (most, held): (usize, &[(&str, usize)]),
) -> Vec<Leased<Job>> {
    claim_shares(queue, store, worker, (now, limit), (most, held), (limit, &[])).await
}

pub async fn claim_shares(
    queue: JobQueue,
    store: &Store,
    worker: &WorkerId,
    (now, limit): (Wall, usize),
    (most, held): (usize, &[(&str, usize)]),
    (most_of_provider, held_of_provider): (usize, &[(&str, usize)]),
) -> Vec<Leased<Job>> {
    let worker = worker.clone();
    let held_of_provider: BTreeMap<(ProviderId, Mode), usize> =
        held_of_provider.iter().map(|(id, held)| ((id.parse().unwrap(), owner().mode), *held)).collect();
    let held: BTreeMap<TenantId, usize> =
        held.iter().map(|(id, held)| (id.parse().unwrap(), *held)).collect();
    let share = Share { most, held, most_of_provider, held_of_provider };
    store
        .write(move |tx| tx.jobs().claim(queue, Claim { worker: &worker, now, limit }, share.clone()))
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"))
        .jobs
}

async fn finish(store: &Store, job: &Leased<Job>) -> bool {
    let job = job.clone();
    store.write(move |tx| tx.jobs().finish(&job)).await.unwrap_or_else(|error: StoreError| panic!("{error}"))
}

#[rstest]
#[tokio::test]
async fn each_queue_claims_only_its_own_jobs(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let (archive_id, account_id) = (ArchiveId::from_bytes([1; 16]), AccountId::from_bytes([1; 16]));
    let (task_id, record_id) = (TaskId::from_bytes([2; 16]), RecordId::from_bytes([1; 16]));
    let (invite_id, mail) = (InviteId::from_bytes([1; 16]), 1);
    let queues = [
        (JobQueue::Steps, vec![JobKind::StepAccount { account_id: account_id.clone(), version: 1 }]),
        (
            JobQueue::Sources,
            vec![
                JobKind::ReadAccount { account_id: account_id.clone(), task_id: task_id.clone() },
                JobKind::CompleteRecord { record_id },
            ],
        ),
        (JobQueue::Withdrawals, vec![JobKind::WithdrawAccess { account_id: account_id.clone(), number: 1 }]),
        (
            JobQueue::Syncs,
            vec![JobKind::SyncAccount { account_id: account_id.clone(), provider_id: sample::provider() }],
        ),
        (JobQueue::Mail, vec![JobKind::SendInvite { invite_id: invite_id.clone(), mail }]),
        (JobQueue::Readings, vec![JobKind::AnalyzeArchive { archive_id: archive_id.clone(), task_id }]),
        (JobQueue::Retention, vec![JobKind::RemovePending { account_id: account_id.clone() }]),
        (JobQueue::Clock, vec![JobKind::AdvanceClock { tenant: owner().tenant }]),
        (
            JobQueue::Maintenance,
            vec![
                JobKind::DeleteOrphans { holder: (&archive_id).into(), since: Wall::from_micros(0) },
                JobKind::ForgetMail { invite_id },
                JobKind::LapseChallenge { account_id, challenge_id: ChallengeId::from_bytes([1; 16]) },
            ],
        ),
    ];
    for kind in queues.iter().flat_map(|(_, kinds)| kinds) {
        schedule(&store, kind.clone()).await;
    }
    let worker = WorkerId::from_random([1; 16]);
    assert_eq!(queues.each_ref().map(|(queue, _)| *queue), JobQueue::ALL);
    for (queue, kinds) in queues {
        let claimed = claim_of(queue, &store, &worker, wall(), 9).await;
        let claimed: Vec<_> = claimed.into_iter().map(|it| it.item.kind).collect();
        assert_eq!(claimed, kinds, "{queue:?}");
    }
}

#[rstest]
#[tokio::test]
async fn held_job_is_not_claimed_by_others(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let job = schedule(&store, kind(1)).await;
    let (holder, worker) = (WorkerId::from_random([1; 16]), WorkerId::from_random([2; 16]));
    let hold = |by: &WorkerId, now: Wall| {
        let (store, by, key) = (store.clone(), by.clone(), job.key.clone());
        async move {
            let held: Result<bool, StoreError> =
                store.write(move |tx| tx.jobs().hold(&owner(), &key, &by, now)).await;
            held.unwrap()
        }
    };
    // PostgreSQL uses the server's clock.
    assert!(hold(&holder, wall()).await);
    assert!(hold(&holder, wall()).await, "the lease can be renewed");
    assert!(!hold(&worker, wall()).await);
    assert_eq!(claim(&store, &worker, wall(), 9).await, []);
    let key = job.key.clone();
    let gone: Result<bool, StoreError> = store.write(move |tx| tx.jobs().withdraw(&owner(), &key)).await;
    assert!(gone.unwrap());
    assert!(!hold(&holder, wall()).await, "the job is gone");
}

#[tokio::test]
async fn held_job_is_free_after_a_restart() {
    let database = TestDatabase::new(Backend::Sqlite);
    let store = database.open().await;
    let job = schedule(&store, kind(1)).await;
    let (holder, worker) = (WorkerId::from_random([1; 16]), WorkerId::from_random([2; 16]));
    let (key, now) = (job.key.clone(), wall());
    let held: Result<bool, StoreError> =
        store.write(move |tx| tx.jobs().hold(&owner(), &key, &holder, now)).await;
    assert!(held.unwrap());
    assert_eq!(claim(&store, &worker, now, 9).await, []);
    store.close().await;
    let store = database.open().await;
    assert_eq!(claim(&store, &worker, now, 9).await.len(), 1);
}

#[rstest]
#[tokio::test]
async fn hanging_jobs_of_one_tenant_do_not_block_another(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let other = Owner { tenant: "other".parse().unwrap(), ..owner() };
    for number in 0..5 {
        schedule(&store, kind(number)).await;
    }
    for number in 5..8 {
        owe_to(&store, &other, kind(number)).await;
    }
    let worker = WorkerId::from_random([1; 16]);
    let tenants = |claimed: Vec<Leased<Job>>| {
        claimed.into_iter().map(|it| it.item.owner.tenant.to_string()).collect::<Vec<_>>()
    };
    let first = claim_share(JobQueue::Maintenance, &store, &worker, (wall(), 9), (2, &[])).await;
    assert_eq!(tenants(first), ["demo", "demo", "other", "other"], "no tenant gets more than its share");
    let held = [("demo", 2), ("other", 2)];
    assert_eq!(claim_share(JobQueue::Maintenance, &store, &worker, (wall(), 9), (2, &held)).await, []);
    let held = [("demo", 2), ("other", 1)];
    let next = claim_share(JobQueue::Maintenance, &store, &worker, (wall(), 1), (9, &held)).await;
    assert_eq!(tenants(next), ["other"], "the tenant with fewer jobs in progress goes first");
    let rest = claim_share(JobQueue::Maintenance, &store, &worker, (wall(), 9), (9, &held)).await;
    assert_eq!(tenants(rest), ["demo", "demo", "demo"]);
}

#[rstest]
#[tokio::test]
async fn due_jobs_are_claimed_once_oldest_first(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let owed =
        [schedule(&store, kind(1)).await, schedule(&store, kind(2)).await, schedule(&store, kind(3)).await];
    let (one, other) = (WorkerId::from_random([1; 16]), WorkerId::from_random([2; 16]));
    let first = claim(&store, &one, wall(), 2).await;
    let kinds: Vec<_> = first.iter().map(|job| job.item.kind.clone()).collect();
    assert_eq!(kinds, [owed[0].kind.clone(), owed[1].kind.clone()]);
    assert!(first.iter().all(|job| job.item.attempts == 1));
    assert_eq!(claim(&store, &other, wall(), 9).await.len(), 1);
    assert_eq!(claim(&store, &one, wall(), 9).await.len(), 0);
    assert!(finish(&store, &first[0]).await);
    assert!(!finish(&store, &first[0]).await, "a finished job is deleted");
}

#[rstest]
#[tokio::test]
async fn job_with_the_same_key_replaces_the_first(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    schedule(&store, kind(1)).await;
    let worker = WorkerId::from_random([1; 16]);
    let held = claim(&store, &worker, wall(), 9).await.remove(0);
    let second = schedule(&store, kind(1)).await;
    assert!(!finish(&store, &held).await);
    let again = claim(&store, &worker, wall(), 9).await;
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].item.id, second.id);
    assert_eq!(again[0].item.attempts, 1);
}

#[rstest]
#[tokio::test]
async fn postponed_job_is_not_claimed_before_its_time(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    schedule(&store, kind(1)).await;
    let worker = WorkerId::from_random([1; 16]);
    let held = claim(&store, &worker, wall(), 9).await.remove(0);
    let later = wall() + Duration::from_secs(3_600);
    let given = held.clone();
    let back: Result<_, StoreError> = store.write(move |tx| tx.jobs().postpone(&given, later)).await;
    assert!(back.unwrap());
    assert_eq!(claim(&store, &worker, wall(), 9).await.len(), 0);
    let given = held.clone();
    let twice: Result<_, StoreError> = store.write(move |tx| tx.jobs().postpone(&given, later)).await;
    assert!(!twice.unwrap(), "the lease was released");
}

#[rstest]
#[tokio::test]
async fn expired_lease_is_taken_over_unless_renewed(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    schedule(&store, kind(1)).await;
    schedule(&store, kind(2)).await;
    schedule(&store, kind(3)).await;
    let (dead, alive) = (WorkerId::from_random([1; 16]), WorkerId::from_random([2; 16]));
    let lost = claim(&store, &dead, wall(), 1).await.remove(0);
    let kept = claim(&store, &alive, wall(), 1).await.remove(0);
    // Of the same worker, whose task has ended without finishing the job.
    let dropped = claim(&store, &alive, wall(), 1).await.remove(0);
    for _ in 0..2 {
        // PostgreSQL uses its own clock, so the test moves the leases: by more than half of their 10 s.
        let later = "UPDATE jobs SET lease_until = lease_until - 5500000 WHERE lease_until IS NOT NULL";
        assert_eq!(database.change(later), 3);
        let (worker, active) = (alive.clone(), [kept.lease()]);
        let held: Result<_, StoreError> =
            store.write(move |tx| tx.jobs().renew(&worker, &active, wall())).await;
        assert_eq!(held.unwrap(), 1);
    }
    let taken = claim(&store, &alive, wall(), 9).await;
    let ids: Vec<_> = taken.iter().map(|job| &job.item.id).collect();
    assert_eq!(ids, [&lost.item.id, &dropped.item.id]);
    assert!(taken[0].fence > lost.fence);
    assert!(!finish(&store, &lost).await, "the late worker is rejected");
    assert!(finish(&store, &taken[0]).await);
    assert!(finish(&store, &kept).await);
}

#[rstest]
#[tokio::test]
async fn stalled_worker_of_a_moving_tenant_is_rejected(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    schedule(&store, kind(1)).await;
    schedule(&store, kind(2)).await;
    let worker = WorkerId::from_random([1; 16]);
    let stalled = claim(&store, &worker, wall(), 1).await.remove(0);
    let busy = claim(&store, &WorkerId::from_random([2; 16]), wall(), 1).await.remove(0);
    let expire = format!("UPDATE jobs SET lease_until = 0 WHERE id = '{}'", stalled.item.id);
    assert_eq!(database.change(&expire), 1);
    let is_busy = async || {
        let looked: Result<bool, StoreError> =
            store.write(|tx| tx.tenants().end_lapsed_leases(&owner().tenant, wall())).await;
        looked.unwrap()
    };
    assert!(is_busy().await, "the other job is in progress");
    let (renewing, active) = (worker.clone(), [stalled.lease()]);
    let renewed: Result<_, StoreError> =
        store.write(move |tx| tx.jobs().renew(&renewing, &active, wall())).await;
    assert_eq!(renewed.unwrap(), 0);
    assert!(!finish(&store, &stalled).await, "an export may have the job");
    assert!(finish(&store, &busy).await);
    assert!(!is_busy().await);
}

#[tokio::test]
async fn sqlite_start_releases_leases_of_the_last_process() {
    let database = link_store::test_support::TestDatabase::new(Backend::Sqlite);
    let store = database.open().await;
    schedule(&store, kind(1)).await;
    assert_eq!(claim(&store, &WorkerId::from_random([1; 16]), wall(), 9).await.len(), 1);
    store.close().await;
    let store = database.open().await;
    assert_eq!(claim(&store, &WorkerId::from_random([2; 16]), wall(), 9).await.len(), 1);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_workers_never_claim_a_job_twice(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    for number in 0..60 {
        schedule(&store, kind(number)).await;
    }
    let workers: Vec<_> = (0..8_u8)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                let worker = WorkerId::from_random([number; 16]);
                let mut held = Vec::new();
                loop {
                    let claimed = claim(&store, &worker, wall(), 3).await;
                    if claimed.is_empty() {
                        return held;
                    }
                    held.extend(claimed.into_iter().map(|job| job.item.id));
                }
            })
        })
        .collect();
    let mut held = Vec::new();
    for worker in workers {
        held.extend(worker.await.unwrap());
    }
    let claims = held.len();
    held.sort();
    held.dedup();
    assert_eq!((claims, held.len()), (60, 60));
}
