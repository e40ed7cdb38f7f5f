//! Mail counts, suppressed recipients, and the recipients that a sandbox may mail.

use link_domain::kernel::digest::Digest32;
use link_domain::notifications::mail::SuppressedBecause;
use link_store::StoreError;
use link_store::test_support::Backend;
use link_types::id::TenantId;
use rstest::rstest;

use crate::sample::{self, owner, wall};

#[rstest]
#[tokio::test]
async fn concurrent_mails_are_all_counted(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let count = |store: link_store::Store| async move {
        store
            .write(|tx| -> Result<_, StoreError> {
                for counted in ["tenant/sandbox", "recipient"] {
                    tx.mails().count_of_day(7, counted)?;
                    tx.mails().count(7, counted)?;
                }
                Ok(())
            })
            .await
    };
    let counting: Vec<_> = (0..8).map(|_| tokio::spawn(count(store.clone()))).collect();
    for counted in counting {
        counted.await.unwrap().unwrap();
    }
    let read = store.write(|tx| {
        Ok::<_, StoreError>((
            tx.mails().count_of_day(7, "recipient")?,
            tx.mails().count_of_day(8, "recipient")?,
        ))
    });
    assert_eq!(read.await.unwrap(), (8, 0), "each day is counted separately");
    assert_eq!(store.write(|tx| tx.mails().delete_counts_before(8)).await.unwrap(), 2);
    assert_eq!(store.write(|tx| tx.mails().count_of_day(7, "recipient")).await.unwrap(), 0);
}

#[rstest]
#[tokio::test]
async fn suppressed_mailbox_keeps_its_first_reason_until_released(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let ana = Digest32::from_text("ana");
    for because in [SuppressedBecause::Bounced, SuppressedBecause::Unsubscribed] {
        store.write(move |tx| tx.mails().suppress(&ana, because, wall())).await.unwrap();
    }
    assert!(store.read(move |reader| reader.mails().is_suppressed(&ana)).await.unwrap());
    let counts = store.read(|reader| reader.mails().suppressions()).await.unwrap();
    assert_eq!(counts, [("BOUNCED".to_owned(), 1)]);
    assert!(store.write(move |tx| tx.mails().release(&ana)).await.unwrap());
    assert!(!store.write(move |tx| tx.mails().release(&ana)).await.unwrap());
    assert!(!store.read(move |reader| reader.mails().is_suppressed(&ana)).await.unwrap());
}

#[rstest]
#[tokio::test]
async fn allowed_recipients_are_per_tenant(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let (ana, domain) = (Digest32::from_text("ana"), Digest32::from_text("domain"));
    let (tenant, at) = (owner().tenant, wall());
    let of = tenant.clone();
    let allowed = store.write(move |tx| tx.mails().allow(&of, &domain, Some("example.com"), at));
    assert!(allowed.await.unwrap());
    let may = async |tenant: TenantId, hashes: [Digest32; 2]| {
        store.read(move |reader| reader.mails().is_allowed(&tenant, &hashes)).await.unwrap()
    };
    assert!(may(tenant.clone(), [ana, domain]).await);
    assert!(!may(tenant.clone(), [ana, ana]).await);
    assert!(!may("other".parse().unwrap(), [ana, domain]).await);
    let of = tenant.clone();
    let listed = store.read(move |reader| reader.mails().allowances(&of)).await.unwrap();
    assert_eq!(listed, [(Some("example.com".to_owned()), at)]);
    let of = tenant.clone();
    assert!(store.write(move |tx| tx.mails().disallow(&of, &domain)).await.unwrap());
    assert!(!may(tenant, [ana, domain]).await);
}
