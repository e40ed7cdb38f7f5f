//! The cache of API keys and tenants never returns outdated rows, on both databases.

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::ClockOffset;
use link_domain::tenancy::tenant::standing::Standing;
use link_domain::tenancy::tenant::{ApiKey, Tenant};
use link_store::test_support::Backend;
use link_store::{Store, StoreError};
use rstest::rstest;

use crate::sample::{self, context, owner};

async fn write(store: &Store, row: Row) {
    let (change, now) = (Change::row(row), context().now());
    let written: Result<(), StoreError> = store.write(move |tx| tx.apply(&change, now)).await;
    written.unwrap();
}

#[rstest]
#[tokio::test]
async fn next_request_sees_changed_key_and_tenant(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let now = context().now().tenant();
    let tenant = Tenant {
        id: owner().tenant,
        name: "Demo".to_owned(),
        created_at: now,
        sandbox_offset: ClockOffset::default(),
        standing: Standing::Active,
    };
    let (key, issued) = ApiKey::issue(owner(), &mut context());
    write(&store, Row::Tenant(tenant.clone())).await;
    assert!(store.caller(key.key_hash).await.unwrap().is_none(), "there is no such key yet");
    write(&store, Row::ApiKey(key.clone())).await;
    for _ in 0..2 {
        let caller = store.caller(key.key_hash).await.unwrap().unwrap();
        assert!(caller.0.accepts(&issued.secret));
        assert_eq!(caller.1.sandbox_offset, ClockOffset::default());
    }

    let ahead = ClockOffset::from_micros(86_400_000_000);
    write(&store, Row::Tenant(Tenant { sandbox_offset: ahead, ..tenant })).await;
    assert_eq!(store.caller(key.key_hash).await.unwrap().unwrap().1.sandbox_offset, ahead);

    write(&store, Row::ApiKey(key.clone().revoke(now))).await;
    assert!(!store.caller(key.key_hash).await.unwrap().unwrap().0.accepts(&issued.secret));
}
