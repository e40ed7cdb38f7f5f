//! Retention: events are deleted with their deliveries and attempts.

use link_store::test_support::Backend;
use link_store::test_support::deliveries::claim_due;
use rstest::rstest;
use std::time::Duration;

use link_domain::kernel::clock::{ClockOffset, Now, TenantTime};
use link_domain::notifications::delivery::AttemptShares;
use link_domain::notifications::webhook_sender::{AttemptOutcome, ReceiverResponse};
use link_store::{
    Claim, DeliveryFilter, DeliveryQueue, EventFilter, PageRequest, PageSize, Store, StoreError, WorkerId,
};
use link_types::id::{DeliveryId, WebhookId};
use link_types::webhook::RetryProfile;

use crate::sample::{self, other_owner, owner, wall};

/// Attempts every due delivery and returns their ids.
async fn attempt_due(store: &Store) -> Vec<DeliveryId> {
    let attempted: Result<_, StoreError> = store
        .write(move |tx| {
            let worker = WorkerId::from_random([1; 16]);
            let due = claim_due(
                tx,
                DeliveryQueue::First,
                Claim { worker: &worker, now: wall(), limit: 99 },
                &AttemptShares::default(),
            )?;
            let now = Now::new(wall(), ClockOffset::default());
            let mut ids = Vec::new();
            for due in due {
                let response = ReceiverResponse { status: 200, body: "thanks, Ana".into() };
                let outcome = AttemptOutcome { took: Duration::from_millis(5), result: Ok(response) };
                let delivery =
                    tx.deliveries().get(&owner(), &due.item.delivery.id)?.expect("the delivery is there");
                let (delivery, log) =
                    delivery.record_attempt(&outcome, RetryProfile::Standard, now.tenant(), now, 0.5);
                tx.delivery_attempts().record(&due, &delivery, &log)?;
                ids.push(delivery.id);
            }
            Ok(ids)
        })
        .await;
    attempted.unwrap()
}

/// Returns the number of events, deliveries, and attempts of these deliveries.
async fn count_left(store: &Store, webhook: &WebhookId, of: &[DeliveryId]) -> (usize, usize, usize) {
    let (webhook, of) = (webhook.clone(), of.to_vec());
    let counted: Result<_, StoreError> = store
        .read(move |reader| {
            let all = PageRequest::first(PageSize::new(150)?);
            let events = reader.events().list(&owner(), EventFilter::default(), &all)?.items.len();
            let deliveries =
                reader.deliveries().list(&owner(), &webhook, DeliveryFilter::default(), &all)?.items.len();
            let mut attempts = 0;
            for id in &of {
                attempts += reader.delivery_attempts().of_delivery(id)?.len();
            }
            Ok((events, deliveries, attempts))
        })
        .await;
    counted.unwrap()
}

async fn delete(store: &Store, before: TenantTime, limit: usize) -> usize {
    let deleted: Result<_, StoreError> =
        store.write(move |tx| tx.events().delete_before(&owner(), before, limit)).await;
    deleted.unwrap()
}

#[rstest]
#[tokio::test]
async fn old_events_are_deleted_in_batches_with_deliveries(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let webhook = sample::webhook(&store, false).await;
    for _ in 0..5 {
        sample::user(&store).await;
    }
    let newer = sample::user(&store).await.created_at;
    sample::user(&store).await;
    let attempted = attempt_due(&store).await;
    assert_eq!(count_left(&store, webhook.id(), &attempted).await, (7, 7, 7));
    let elsewhere: Result<usize, StoreError> =
        store.write(move |tx| tx.events().delete_before(&other_owner(), newer, 9)).await;
    assert_eq!(elsewhere.unwrap(), 0);
    assert_eq!(delete(&store, newer, 3).await, 3);
    assert_eq!(count_left(&store, webhook.id(), &attempted).await, (4, 4, 4));
    assert_eq!(delete(&store, newer, 3).await, 2);
    assert_eq!(count_left(&store, webhook.id(), &attempted).await, (2, 2, 2));
    assert_eq!(delete(&store, newer, 3).await, 0);
}

#[rstest]
#[tokio::test]
async fn deleting_a_delivery_unblocks_the_next(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let webhook = sample::webhook(&store, false).await;
    let user = sample::user(&store).await;
    let later = sample::connect(&store, &user.id, "good").await;
    // The account's first event was never attempted, and its next events wait for it.
    let second = later.updated_at;
    assert_eq!(delete(&store, second, 9).await, 2, "one of the user and one of the account");
    let sent = attempt_due(&store).await;
    assert_eq!(sent.len(), 1, "the account's second event");
    assert_eq!(count_left(&store, webhook.id(), &sent).await, (2, 2, 1));
}
