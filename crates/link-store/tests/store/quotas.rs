//! Quotas are charged exactly under concurrent charges.

use link_domain::change::{Change, Row};
use link_domain::tenancy::quota::{Quota, QuotaExceededError};
use link_store::test_support::Backend;
use link_store::{Store, StoreError};
use link_types::id::UserId;
use rstest::rstest;

use crate::sample::{self, context, owner};

const QUOTA: Quota = Quota::Surveys;

/// Charges a quota once. Returns whether it was admitted.
async fn charge(store: &Store, user: &UserId) -> Result<bool, StoreError> {
    let (user, now) = (user.clone(), sample::context().now());
    store
        .write(move |tx| match tx.quota_uses().get(&owner(), &user, QUOTA, "")?.charge(1, now.wall()) {
            Ok(used) => tx.apply(&Change::row(Row::QuotaUse(used)), now).map(|()| true),
            Err(QuotaExceededError { .. }) => Ok(false),
        })
        .await
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_charges_never_exceed_a_quota(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await.id;
    let charges = (0..QUOTA.max() * 2).map(|_| {
        let (store, user) = (store.clone(), user.clone());
        tokio::spawn(async move { charge(&store, &user).await.unwrap() })
    });
    let mut admitted = 0;
    for it in charges.collect::<Vec<_>>() {
        admitted += u32::from(it.await.unwrap());
    }
    assert_eq!(admitted, QUOTA.max());
    let other = sample::user(&store).await.id;
    assert!(charge(&store, &other).await.unwrap(), "each user has a quota");
}

#[rstest]
#[tokio::test]
async fn unused_quota_row_is_deleted(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await.id;
    assert!(charge(&store, &user).await.unwrap());
    let now = context().now().wall();
    let forget = |moment| store.write(move |tx| tx.quota_uses().delete_full_by(moment));
    let early: Result<u64, StoreError> = forget(now).await;
    assert_eq!(early.unwrap(), 0);
    let late: Result<u64, StoreError> = forget(now + QUOTA.span()).await;
    assert_eq!(late.unwrap(), 1);
}
