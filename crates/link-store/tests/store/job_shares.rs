//! Shares of jobs: how many a tenant and a provider may have in progress.

use link_domain::change::job::{JobKind, JobQueue};
use link_domain::kernel::owner::Owner;
use link_store::test_support::Backend;
use link_store::{LEASE, WorkerId};
use link_types::Mode;
use link_types::id::AccountId;
use rstest::rstest;

use crate::jobs::{claim_shares, owe_to, schedule};
use crate::sample::{self, owner, wall};

fn sync_of(number: u8, provider: &str) -> JobKind {
    JobKind::SyncAccount {
        account_id: AccountId::from_bytes([number; 16]),
        provider_id: provider.parse().unwrap(),
    }
}

#[rstest]
#[tokio::test]
async fn hanging_provider_does_not_block_others_or_exceed_its_share(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let other = Owner { tenant: "other".parse().unwrap(), ..owner() };
    for number in 0..4 {
        schedule(&store, sync_of(number, "mx_slow")).await;
    }
    schedule(&store, sync_of(4, "mx_fast")).await;
    for number in 5..8 {
        owe_to(&store, &other, sync_of(number, "mx_slow")).await;
    }
    let worker = WorkerId::from_random([1; 16]);
    let claim = async |limit, of_tenant, of_provider| {
        let claimed =
            claim_shares(JobQueue::Syncs, &store, &worker, (wall(), limit), of_tenant, of_provider).await;
        let shares = claimed.into_iter().map(|it| {
            let provider = it.item.kind.provider().unwrap().to_string();
            format!("{} {provider}", it.item.owner.tenant)
        });
        let mut shares: Vec<_> = shares.collect();
        shares.sort();
        shares
    };
    let first = claim(9, (3, &[]), (2, &[])).await;
    assert_eq!(
        first,
        ["demo mx_fast", "demo mx_slow", "demo mx_slow"],
        "the share of the provider is used up"
    );
    assert_eq!(claim(9, (9, &[("demo", 3)]), (2, &[("mx_slow", 2)])).await, [""; 0]);
    let next = claim(9, (3, &[("demo", 2)]), (2, &[("mx_slow", 1)])).await;
    assert_eq!(next, ["other mx_slow"], "the tenant with fewer jobs in progress goes first");
    let rest = claim(9, (9, &[]), (9, &[])).await;
    assert_eq!(rest, ["demo mx_slow", "demo mx_slow", "other mx_slow", "other mx_slow"]);
}

#[rstest]
#[tokio::test]
async fn shares_of_syncs_count_the_jobs_of_other_nodes(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    for number in 0..6 {
        schedule(&store, sync_of(number, "mx_slow")).await;
    }
    let claim = async |queue, node, at| {
        let worker = WorkerId::from_random([node; 16]);
        claim_shares(queue, &store, &worker, (at, 9), (9, &[]), (4, &[])).await.len()
    };
    assert_eq!(claim(JobQueue::Syncs, 1, wall()).await, 4);
    assert_eq!(
        claim(JobQueue::Syncs, 2, wall()).await,
        0,
        "the provider's share is used up by the other node"
    );
    if backend == Backend::Sqlite {
        // PostgreSQL uses its own clock.
        assert_eq!(claim(JobQueue::Syncs, 2, wall() + LEASE).await, 4, "leases of a dead node do not count");
    }
}

#[rstest]
#[tokio::test]
async fn sandbox_syncs_do_not_use_the_production_share_of_a_provider(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let production = Owner { mode: Mode::Production, ..owner() };
    schedule(&store, sync_of(1, "mx_slow")).await;
    owe_to(&store, &production, sync_of(2, "mx_slow")).await;
    let worker = WorkerId::from_random([1; 16]);
    let full = (1, &[("mx_slow", 1)][..]);
    let claimed = claim_shares(JobQueue::Syncs, &store, &worker, (wall(), 9), (9, &[]), full).await;
    let modes: Vec<_> = claimed.into_iter().map(|it| it.item.owner.mode).collect();
    assert_eq!(modes, [Mode::Production], "only the share of the sandbox is used up");
}
