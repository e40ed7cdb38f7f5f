//! Circuit breakers: failing webhooks are probed one delivery at a time and do not slow claims down.

use std::time::{Duration, Instant};

use link_domain::change::{Change, Deletion};
use link_domain::kernel::clock::{ClockOffset, Now};
use link_domain::notifications::delivery::{AttemptEnd, AttemptShares, Breaker, FAILURES_TO_OPEN};
use link_domain::notifications::webhook::Webhook;
use link_store::test_support::Backend;
use link_store::test_support::deliveries::claim_due;
use link_store::{
    Claim, DeliveryFilter, DeliveryQueue, DueDelivery, Leased, PageRequest, Store, StoreError, WorkerId,
};
use link_types::id::WebhookId;
use link_types::webhook::DeliveryStatus;
use rstest::rstest;

use crate::sample::{self, wall};

/// A wait that does not end during a test.
const NEVER: f64 = 100_000.0;

async fn claim(store: &Store, queue: DeliveryQueue) -> Vec<Leased<DueDelivery>> {
    store
        .write(move |tx| {
            let worker = WorkerId::from_random([1; 16]);
            let claim = Claim { worker: &worker, now: wall(), limit: 100 };
            claim_due(tx, queue, claim, &AttemptShares::default())
        })
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"))
}

/// Records failed attempts. With a pace of 0 the next probe is due at once.
async fn fail(store: &Store, webhooks: &[Webhook], times: u32, pace: f64) {
    let ids: Vec<WebhookId> = webhooks.iter().map(|webhook| webhook.id().clone()).collect();
    let failed: Result<(), StoreError> = store
        .write(move |tx| {
            for id in &ids {
                let at = Now::new(wall() - Duration::from_secs(60), ClockOffset::default());
                tx.breakers().record(id, &vec![AttemptEnd::failure(at, at); times as usize], pace)?;
            }
            Ok(())
        })
        .await;
    failed.unwrap();
}

async fn breaker(store: &Store, webhook: &Webhook) -> Breaker {
    let id = webhook.id().clone();
    let found: Result<_, StoreError> = store.write(move |tx| tx.breakers().get(&id)).await;
    found.unwrap().unwrap_or_default()
}

/// Applies deletions in real time, which claims use.
async fn delete(store: &Store, deletion: Deletion) {
    let change = Change { deletions: vec![deletion], ..Change::default() };
    let now = Now::new(wall(), ClockOffset::default());
    let applied: Result<(), StoreError> = store.write(move |tx| tx.apply(&change, now)).await;
    applied.unwrap();
}

#[rstest]
#[tokio::test]
async fn open_webhook_is_claimed_one_probe_at_a_time(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let failing = sample::webhook(&store, false).await;
    for _ in 0..8 {
        sample::user(&store).await;
    }
    fail(&store, std::slice::from_ref(&failing), FAILURES_TO_OPEN, 0.0).await;
    assert!(claim(&store, DeliveryQueue::First).await.is_empty(), "the first attempts are parked");
    assert_eq!(claim(&store, DeliveryQueue::Resend).await.len(), 1, "a probe");
    assert!(claim(&store, DeliveryQueue::Resend).await.is_empty(), "the probe is in progress");

    fail(&store, std::slice::from_ref(&failing), 1, NEVER).await;
    assert!(claim(&store, DeliveryQueue::Resend).await.is_empty(), "the next probe is not due yet");
    fail(&store, std::slice::from_ref(&failing), 1, 0.0).await;
    assert_eq!(claim(&store, DeliveryQueue::Resend).await.len(), 1, "the next probe");

    delete(&store, Deletion::Breaker(failing.id().clone())).await;
    claim(&store, DeliveryQueue::Resend).await;
    assert_eq!(
        claim(&store, DeliveryQueue::First).await.len(),
        6,
        "the breaker is closed: everything else is due"
    );
    assert_eq!(breaker(&store, &failing).await, Breaker::default());
}

#[rstest]
#[tokio::test]
async fn deliveries_of_new_events_are_parked_while_a_breaker_is_open(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let failing = sample::webhook(&store, false).await;
    fail(&store, std::slice::from_ref(&failing), FAILURES_TO_OPEN, NEVER).await;
    for _ in 0..3 {
        sample::user(&store).await;
        assert!(claim(&store, DeliveryQueue::First).await.is_empty());
        assert!(claim(&store, DeliveryQueue::Resend).await.is_empty());
    }
    fail(&store, std::slice::from_ref(&failing), 1, 0.0).await;
    assert_eq!(claim(&store, DeliveryQueue::Resend).await.len(), 1);
}

/// Returns the shortest time of a claim in both queues, which other processes on the machine disturb least.
async fn shortest_claim(store: &Store) -> Duration {
    let mut shortest = Duration::MAX;
    for _ in 0..41 {
        let began = Instant::now();
        claim(store, DeliveryQueue::First).await;
        claim(store, DeliveryQueue::Resend).await;
        shortest = shortest.min(began.elapsed());
    }
    shortest
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn failing_webhooks_do_not_slow_claims(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let before = shortest_claim(&store).await;
    let mut dead = Vec::new();
    for _ in 0..1_000 {
        dead.push(sample::webhook(&store, false).await);
    }
    for _ in 0..3 {
        sample::user(&store).await;
    }
    fail(&store, &dead, FAILURES_TO_OPEN, NEVER).await;
    // A claim parks the deliveries of 50 webhooks.
    for _ in 0..25 {
        assert!(claim(&store, DeliveryQueue::First).await.is_empty());
    }
    let beside = shortest_claim(&store).await;
    eprintln!("a claim without and with a thousand dead webhooks: {before:?}, {beside:?}");
    assert!(beside < before * 3 + Duration::from_millis(2), "{before:?}, {beside:?}");
}

#[rstest]
#[tokio::test]
async fn large_backlog_does_not_delay_another_webhooks_probe(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let large = sample::webhook(&store, false).await;
    for _ in 0..600 {
        sample::user(&store).await;
    }
    let small = sample::webhook(&store, false).await;
    sample::user(&store).await;
    let both = [large.clone(), small.clone()];
    fail(&store, &both, FAILURES_TO_OPEN, NEVER).await;
    claim(&store, DeliveryQueue::First).await;
    fail(&store, std::slice::from_ref(&small), 1, 0.0).await;
    let probe = claim(&store, DeliveryQueue::Resend).await;
    assert_eq!(probe.len(), 1, "the small one was parked like the large one, and is probed");
    assert_eq!(probe[0].item.delivery.webhook_id, *small.id());
    // Both recover.
    for webhook in both {
        delete(&store, Deletion::Breaker(webhook.id().clone())).await;
    }
    for _ in 0..4 {
        claim(&store, DeliveryQueue::Resend).await;
    }
    assert_eq!(breaker(&store, &large).await, Breaker::default());
    let due = claim(&store, DeliveryQueue::First).await;
    assert_eq!(due.len(), 16, "the backlog is due again");
}

#[rstest]
#[tokio::test]
async fn disabling_a_webhook_cancels_parked_deliveries(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let failing = sample::webhook(&store, false).await;
    for _ in 0..3 {
        sample::user(&store).await;
    }
    fail(&store, std::slice::from_ref(&failing), FAILURES_TO_OPEN, NEVER).await;
    claim(&store, DeliveryQueue::First).await;
    delete(&store, Deletion::PendingDeliveries(failing.id().clone())).await;
    let filter = DeliveryFilter { status: Some(DeliveryStatus::Cancelled), ..DeliveryFilter::default() };
    let listed: Result<_, StoreError> = store
        .read(move |reader| {
            reader.deliveries().list(&sample::owner(), failing.id(), filter, &PageRequest::default())
        })
        .await;
    assert_eq!(listed.unwrap().items.len(), 3);
}

#[rstest]
#[tokio::test]
async fn deleted_webhook_leaves_no_breaker(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let failing = sample::webhook(&store, false).await;
    fail(&store, std::slice::from_ref(&failing), FAILURES_TO_OPEN, 0.0).await;
    delete(&store, Deletion::Webhook(failing.id().clone())).await;
    claim(&store, DeliveryQueue::Resend).await;
    fail(&store, std::slice::from_ref(&failing), 1, 0.0).await;
    assert_eq!(breaker(&store, &failing).await, Breaker::default(), "a late attempt does not recreate it");
}
