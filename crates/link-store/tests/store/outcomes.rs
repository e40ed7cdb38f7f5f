//! Recording many attempts in one unit, and giving back deliveries that are not sent.

use std::time::Duration;

use link_domain::change::{Change, Deletion};
use link_domain::kernel::clock::{ClockOffset, Now};
use link_domain::notifications::delivery::{
    AttemptEnd, AttemptLog, AttemptShares, Delivery, FAILURES_TO_OPEN, Lookahead,
};
use link_domain::notifications::webhook::Webhook;
use link_domain::notifications::webhook_sender::{AttemptOutcome, ReceiverResponse};
use link_store::test_support::Backend;
use link_store::test_support::deliveries::claim_due;
use link_store::{
    Claim, Claimed, DeliveryFilter, DeliveryQueue, DueDelivery, EndedAttempt, GiveBack, Leased, PageRequest,
    PageSize, Store, StoreError, WorkerId,
};
use link_types::webhook::{DeliveryStatus, RetryProfile};
use rstest::rstest;

use crate::sample::{self, apply, context, owner, wall};

async fn claim(store: &Store) -> Claimed {
    store
        .write(move |tx| {
            let worker = WorkerId::from_random([1; 16]);
            let (claim, shares) =
                (Claim { worker: &worker, now: wall(), limit: 999 }, AttemptShares::default());
            tx.deliveries().claim(DeliveryQueue::First, claim, &shares, &Lookahead::default())
        })
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"))
}

/// Claims and loads what is due to four webhooks with at most 16 slots each.
async fn due(store: &Store) -> Vec<Leased<DueDelivery>> {
    store
        .write(move |tx| {
            let worker = WorkerId::from_random([1; 16]);
            let claim = Claim { worker: &worker, now: wall(), limit: 999 };
            claim_due(tx, DeliveryQueue::First, claim, &AttemptShares::default())
        })
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"))
}

fn end_attempt(due: &Leased<DueDelivery>, status: u16) -> (Delivery, AttemptLog) {
    let now = Now::new(wall(), ClockOffset::default());
    let response = ReceiverResponse { status, body: "thanks, Ana".into() };
    let outcome = AttemptOutcome { took: Duration::from_millis(5), result: Ok(response) };
    due.item.delivery.clone().record_attempt(&outcome, RetryProfile::Standard, now.tenant(), now, 0.5)
}

/// Records attempts in one unit, and returns the positions of the deliveries that had changed.
async fn record(store: &Store, due: &[Leased<DueDelivery>], status: u16) -> Vec<usize> {
    let due = due.to_vec();
    store
        .write(move |tx| {
            let decided: Vec<_> = due.iter().map(|due| end_attempt(due, status)).collect();
            let attempts: Vec<EndedAttempt<'_>> = due
                .iter()
                .zip(&decided)
                .map(|(due, (after, log))| EndedAttempt { due, after, log })
                .collect();
            tx.delivery_attempts().record_unchanged(&attempts)
        })
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"))
}

async fn read_log(store: &Store, due: &Leased<DueDelivery>) -> (Delivery, usize) {
    let id = due.item.delivery.id.clone();
    let found: Result<_, StoreError> = store
        .read(move |reader| {
            let delivery = reader.deliveries().get(&owner(), &id)?.expect("the delivery is there");
            let attempts = reader.delivery_attempts().of_delivery(&id)?;
            assert!(attempts.iter().all(|it| it.response_body.as_deref() == Some("thanks, Ana")));
            Ok((delivery, attempts.len()))
        })
        .await;
    found.unwrap()
}

async fn of_status(store: &Store, webhook: &Webhook, status: DeliveryStatus) -> usize {
    let (id, filter) = (webhook.id().clone(), DeliveryFilter { status: Some(status), ..Default::default() });
    let found: Result<_, StoreError> = store
        .read(move |reader| {
            let all = PageRequest::first(PageSize::new(150)?);
            Ok(reader.deliveries().list(&owner(), &id, filter, &all)?.items.len())
        })
        .await;
    found.unwrap()
}

#[rstest]
#[tokio::test]
async fn many_outcomes_are_recorded_in_one_unit(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    for _ in 0..4 {
        sample::webhook(&store, false).await;
    }
    for _ in 0..13 {
        sample::user(&store).await;
    }
    let claimed = due(&store).await;
    // More than the largest statement takes, more than the smaller one, and some single ones.
    assert!(claimed.len() > 32 + 8, "{}", claimed.len());
    assert_eq!(record(&store, &claimed, 200).await, Vec::<usize>::new());
    for due in &claimed {
        let (delivery, attempts) = read_log(&store, due).await;
        assert_eq!((delivery.status(), delivery.attempts_made, attempts), (DeliveryStatus::Delivered, 1, 1));
    }
    let again: Vec<usize> = (0..claimed.len()).collect();
    assert_eq!(record(&store, &claimed, 200).await, again, "the leases have ended");
}

#[rstest]
#[tokio::test]
async fn late_attempt_for_a_moving_tenant_is_not_recorded(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    sample::webhook(&store, false).await;
    sample::user(&store).await;
    let claimed = due(&store).await;
    let is_busy = async || {
        let looked: Result<bool, StoreError> =
            store.write(|tx| tx.tenants().end_lapsed_leases(&owner().tenant, wall())).await;
        looked.unwrap()
    };
    assert!(is_busy().await);
    database.change("UPDATE deliveries SET lease_until = 0 WHERE lease_until IS NOT NULL");
    assert!(!is_busy().await);
    let changed = record(&store, &claimed, 200).await;
    assert_eq!((claimed.len(), changed), (1, vec![0]), "an export may have the delivery as pending");
}

#[rstest]
#[tokio::test]
async fn changed_delivery_is_left_to_the_caller(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let webhook = sample::webhook(&store, false).await;
    for _ in 0..3 {
        sample::user(&store).await;
    }
    let claimed = due(&store).await;
    let lapse = "UPDATE deliveries SET lease_until = 0 WHERE id = (SELECT MIN(id) FROM deliveries)";
    crate::faults::spoil(&database, lapse);
    let holder = due(&store).await;
    assert_eq!((holder.len(), &holder[0].item), (1, &claimed[0].item));
    let ended = [&claimed[0], &claimed[1], &claimed[1], &claimed[2]].map(Leased::clone);
    assert_eq!(record(&store, &ended, 500).await, [0, 2], "skips the lost lease and the repeated outcome");
    let (delivery, attempts) = read_log(&store, &claimed[1]).await;
    assert_eq!((delivery.status(), delivery.attempts_made, attempts), (DeliveryStatus::Pending, 1, 1));
    assert_eq!(read_log(&store, &claimed[0]).await.1, 0, "nothing was written about it");
    let deletions = vec![Deletion::PendingDeliveries(webhook.id().clone())];
    apply(&store, Change { deletions, ..Change::default() }, &context()).await;
    assert_eq!(record(&store, &holder, 200).await, [0], "it was cancelled during its attempt");
}

#[rstest]
#[tokio::test]
async fn recorded_first_attempts_unblock_their_subjects(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    for _ in 0..10 {
        sample::webhook(&store, false).await;
    }
    let user = sample::user(&store).await;
    sample::connect(&store, &user.id, "one").await;
    let first = due(&store).await;
    assert!(due(&store).await.is_empty(), "the next ones wait for these");
    let mut news = store.subscribe();
    assert_eq!(record(&store, &first, 500).await, Vec::<usize>::new());
    assert!(news.try_recv().is_ok(), "workers are notified");
    assert_eq!(due(&store).await.len(), 10, "the second event of the account");
}

#[rstest]
#[tokio::test]
async fn claimed_delivery_is_not_sent_if_its_webhook_changed(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let (failing, deleted) = (sample::webhook(&store, false).await, sample::webhook(&store, false).await);
    sample::user(&store).await;
    let claimed = claim(&store).await;
    assert_eq!((claimed.deliveries.len(), claimed.has_more, claimed.next), (2, false, None));
    let (id, now) = (failing.id().clone(), Now::new(wall(), ClockOffset::default()));
    let opened: Result<(), StoreError> = store
        .write(move |tx| {
            let failed = [AttemptEnd::failure(now, now); FAILURES_TO_OPEN as usize];
            tx.breakers().record(&id, &failed, 1_000.0).map(drop)
        })
        .await;
    opened.unwrap();
    let deletions = vec![Deletion::Webhook(deleted.id().clone())];
    apply(&store, Change { deletions, ..Change::default() }, &context()).await;
    let loaded: Result<_, StoreError> =
        store.read(move |reader| reader.deliveries().load(claimed.deliveries)).await;
    let loaded = loaded.unwrap();
    assert!(loaded.due.is_empty());
    let mut reasons: Vec<(bool, GiveBack)> =
        loaded.returned.iter().map(|(leased, why)| (leased.item.webhook_id == *failing.id(), *why)).collect();
    reasons.sort_by_key(|(is_failing, _)| !is_failing);
    assert_eq!(reasons, [(true, GiveBack::Release), (false, GiveBack::Cancel)]);
    let given_back: Result<(), StoreError> =
        store.write(move |tx| tx.deliveries().give_back(&loaded.returned, wall())).await;
    given_back.unwrap();
    assert_eq!(of_status(&store, &failing, DeliveryStatus::Pending).await, 1);
    assert_eq!(of_status(&store, &deleted, DeliveryStatus::Cancelled).await, 1);
    assert!(claim(&store).await.deliveries.is_empty(), "it is parked");
}

#[rstest]
#[tokio::test]
async fn delivery_claimed_twice_is_loaded_once(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let webhook = sample::webhook(&store, false).await;
    sample::user(&store).await;
    let mut both = claim(&store).await.deliveries;
    crate::faults::spoil(&database, "UPDATE deliveries SET lease_until = 0");
    both.extend(claim(&store).await.deliveries);
    let fences: Vec<i64> = both.iter().map(|leased| leased.fence).collect();
    let loaded: Result<_, StoreError> = store.read(move |reader| reader.deliveries().load(both)).await;
    let loaded = loaded.unwrap();
    let due: Vec<i64> = loaded.due.iter().map(|leased| leased.fence).collect();
    let returned: Vec<i64> = loaded.returned.iter().map(|(leased, _)| leased.fence).collect();
    assert_eq!((returned, due), (fences[..1].to_vec(), fences[1..].to_vec()), "the second lease is valid");
    let given_back: Result<(), StoreError> =
        store.write(move |tx| tx.deliveries().give_back(&loaded.returned, wall())).await;
    given_back.unwrap();
    assert_eq!(record(&store, &loaded.due, 200).await, Vec::<usize>::new());
    assert_eq!(of_status(&store, &webhook, DeliveryStatus::Delivered).await, 1);
}

#[rstest]
#[tokio::test]
async fn claims_cancel_deliveries_of_a_deleted_webhook(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let webhook = sample::webhook(&store, false).await;
    for _ in 0..3 {
        sample::user(&store).await;
    }
    let deletions = vec![Deletion::Webhook(webhook.id().clone())];
    apply(&store, Change { deletions, ..Change::default() }, &context()).await;
    // As if its deletion had not reached them.
    let changed = database.change("UPDATE deliveries SET ending = NULL, due_at = 1, run_at = 1");
    assert_eq!(changed, 3);
    assert_eq!(of_status(&store, &webhook, DeliveryStatus::Pending).await, 3);
    assert!(claim(&store).await.deliveries.is_empty(), "the claim skips deliveries of the webhook");
    assert_eq!(of_status(&store, &webhook, DeliveryStatus::Cancelled).await, 3);
}
