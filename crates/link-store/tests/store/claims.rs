//! Claims of deliveries: in order, in two queues, and within the shares of tenants and webhooks.

use std::time::Duration;

use link_domain::change::{Change, Deletion, Row};
use link_domain::kernel::clock::{ClockOffset, Now};
use link_domain::kernel::subject::Subject;
use link_domain::notifications::delivery::{AttemptShares, Delivery};
use link_domain::notifications::event::EventRecord;
use link_domain::notifications::webhook::Webhook;
use link_domain::notifications::webhook_sender::{AttemptOutcome, ReceiverResponse};
use link_domain::tenancy::user::User;
use link_store::test_support::deliveries::claim_due;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{
    Claim, CommitNotice, DeliveryFilter, DeliveryQueue, DueDelivery, Leased, PageRequest, PageSize, Store,
    StoreError, WorkerId,
};
use link_types::event::{EventData, EventType, UserCreated};
use link_types::id::UserId;
use link_types::webhook::{DeliveryAttempt, DeliveryStatus, RetryProfile};
use rstest::rstest;

use crate::sample::{self, apply, context, owner, wall};

const WORKER: [u8; 16] = [1; 16];

async fn claim(store: &Store, queue: DeliveryQueue, limit: usize) -> Vec<Leased<DueDelivery>> {
    claim_as(store, WORKER, queue, limit, AttemptShares::default()).await
}

async fn claim_as(
    store: &Store,
    worker: [u8; 16],
    queue: DeliveryQueue,
    limit: usize,
    shares: AttemptShares,
) -> Vec<Leased<DueDelivery>> {
    store
        .write(move |tx| {
            let worker = WorkerId::from_random(worker);
            claim_due(tx, queue, Claim { worker: &worker, now: wall(), limit }, &shares)
        })
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"))
}

/// Records that the receiver responded with this status. Returns `false` if the lease was lost.
async fn record(store: &Store, due: &Leased<DueDelivery>, status: u16) -> bool {
    let due = due.clone();
    // So long ago that a resend is due at once.
    let now = Now::new(wall() - Duration::from_secs(3_600), ClockOffset::default());
    store
        .write(move |tx| {
            let response = ReceiverResponse { status, body: "thanks, Ana".into() };
            let outcome = AttemptOutcome { took: Duration::from_millis(5), result: Ok(response) };
            let delivery =
                tx.deliveries().get(&owner(), &due.item.delivery.id)?.expect("the delivery is there");
            let (delivery, log) =
                delivery.record_attempt(&outcome, RetryProfile::Standard, now.tenant(), now, 0.5);
            tx.delivery_attempts().record(&due, &delivery, &log)
        })
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"))
}

async fn delivery(store: &Store, due: &Leased<DueDelivery>) -> (Delivery, Vec<DeliveryAttempt>) {
    let id = due.item.delivery.id.clone();
    store
        .read(move |reader| {
            let delivery = reader.deliveries().get(&owner(), &id)?.expect("the delivery is there");
            Ok::<_, StoreError>((delivery, reader.delivery_attempts().of_delivery(&id)?))
        })
        .await
        .unwrap()
}

fn types(claimed: &[Leased<DueDelivery>]) -> Vec<EventType> {
    claimed.iter().map(|due| due.item.delivery.event_type).collect()
}

#[rstest]
#[tokio::test]
async fn first_attempts_are_ordered_per_subject(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[values(1, 3)] webhooks: usize,
) {
    let (_database, store) = sample::open(backend).await;
    for _ in 0..webhooks {
        sample::webhook(&store, false).await;
    }
    let user = sample::user(&store).await;
    sample::connect(&store, &user.id, "one").await;
    sample::connect(&store, &user.id, "two").await;
    let mut seen = Vec::new();
    loop {
        let claimed = claim(&store, DeliveryQueue::First, 100).await;
        if claimed.is_empty() {
            break;
        }
        assert!(claim(&store, DeliveryQueue::First, 100).await.is_empty(), "the next ones wait for these");
        for due in &claimed {
            // A failed first attempt unblocks the next event too.
            assert!(record(&store, due, 500).await);
        }
        seen.push(types(&claimed));
    }
    use EventType::{AccountConnected, AccountCreated, TaskStarted, UserCreated};
    let mut first = seen[0].clone();
    first.sort();
    assert_eq!(first, [vec![UserCreated; webhooks], vec![AccountCreated; 2 * webhooks]].concat());
    assert_eq!(seen[1..], [vec![AccountConnected; 2 * webhooks], vec![TaskStarted; 2 * webhooks]]);
}

#[rstest]
#[tokio::test]
async fn claim_returns_body_and_webhook(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let webhook = sample::webhook(&store, true).await;
    let user = sample::user(&store).await;
    sample::read(&store, &user.id, "ana-login", 2).await;
    let mut bodies = Vec::new();
    loop {
        let claimed = claim(&store, DeliveryQueue::First, 100).await;
        if claimed.is_empty() {
            break;
        }
        for due in claimed {
            assert_eq!(due.item.webhook, webhook);
            assert!(record(&store, &due, 200).await);
            bodies.push((due.item.delivery.event_type, String::from_utf8(due.item.body).unwrap()));
        }
    }
    let body = |of: EventType| bodies.iter().find(|(event_type, _)| *event_type == of).unwrap().1.clone();
    assert!(body(EventType::TaskFinished).contains("Salary number 1"));
    assert!(body(EventType::AccountConnected).contains("ana-login"));
    assert!(!body(EventType::UserCreated).contains("ana-login"));
}

#[rstest]
#[tokio::test]
async fn third_failure_exhausts_a_delivery(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    sample::webhook(&store, false).await;
    sample::user(&store).await;
    let first = claim(&store, DeliveryQueue::First, 9).await.remove(0);
    let body = first.item.body.clone();
    assert!(record(&store, &first, 500).await);
    assert!(claim(&store, DeliveryQueue::First, 9).await.is_empty(), "resends have a separate queue");
    for _ in 0..2 {
        let resend = claim(&store, DeliveryQueue::Resend, 9).await.remove(0);
        assert_eq!(resend.item.body, body, "the same bytes under the same id");
        assert!(record(&store, &resend, 500).await);
    }
    assert!(claim(&store, DeliveryQueue::Resend, 9).await.is_empty());
    let (delivery, attempts) = delivery(&store, &first).await;
    assert_eq!(delivery.status(), DeliveryStatus::Exhausted);
    assert_eq!(attempts.len(), 3);
    assert!(attempts.iter().all(|attempt| attempt.response_body.as_deref() == Some("thanks, Ana")));
}

#[rstest]
#[tokio::test]
async fn hanging_webhook_does_not_block_another(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let (hanging, healthy) = (sample::webhook(&store, false).await, sample::webhook(&store, false).await);
    for _ in 0..30 {
        sample::user(&store).await;
    }
    let of = |claimed: &[Leased<DueDelivery>], webhook: &Webhook| {
        claimed.iter().filter(|due| due.item.delivery.webhook_id == *webhook.id()).count()
    };
    let first = claim(&store, DeliveryQueue::First, 100).await;
    assert_eq!((of(&first, &hanging), of(&first, &healthy)), (16, 16));
    let mut shares = AttemptShares::default();
    for due in &first {
        match due.item.delivery.webhook_id == *healthy.id() {
            true => assert!(record(&store, due, 200).await),
            // The hanging webhook never responds to its 16.
            false => shares.begin(DeliveryQueue::First, &owner(), hanging.id(), 1),
        }
    }
    let second = claim_as(&store, WORKER, DeliveryQueue::First, 100, shares).await;
    assert_eq!((of(&second, &hanging), of(&second, &healthy)), (0, 14));
}

#[rstest]
#[tokio::test]
async fn attempt_of_a_stale_worker_is_only_logged(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    sample::webhook(&store, false).await;
    sample::user(&store).await;
    let stale = claim(&store, DeliveryQueue::First, 9).await.remove(0);
    crate::faults::spoil(&database, "UPDATE deliveries SET lease_until = 0 WHERE lease_until IS NOT NULL");
    let holder = claim_as(&store, [2; 16], DeliveryQueue::First, 9, AttemptShares::default()).await.remove(0);
    assert!(holder.fence > stale.fence);
    assert!(!record(&store, &stale, 200).await);
    let (unchanged, attempts) = delivery(&store, &stale).await;
    assert_eq!((unchanged.status(), attempts.len()), (DeliveryStatus::Pending, 1));
    assert!(record(&store, &holder, 200).await);
    let (delivered, attempts) = delivery(&store, &holder).await;
    assert_eq!((delivered.status(), attempts.len()), (DeliveryStatus::Delivered, 2));
}

#[rstest]
#[tokio::test]
async fn deleting_a_webhook_cancels_pending_deliveries(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let webhook = sample::webhook(&store, false).await;
    sample::user(&store).await;
    sample::user(&store).await;
    let in_progress = claim(&store, DeliveryQueue::First, 1).await.remove(0);
    let deletion = Change { deletions: vec![Deletion::Webhook(webhook.id().clone())], ..Change::default() };
    apply(&store, deletion, &context()).await;
    assert!(claim(&store, DeliveryQueue::First, 9).await.is_empty());
    record(&store, &in_progress, 200).await;
    let (cancelled, attempts) = delivery(&store, &in_progress).await;
    assert_eq!((cancelled.status(), attempts.len()), (DeliveryStatus::Cancelled, 1));
}

/// Creates deliveries as a unit does that read the webhooks before `change` and commits after it.
async fn schedule_late(store: &Store, webhook: &Webhook, change: Change) -> Leased<DueDelivery> {
    sample::user(store).await;
    let late = claim(store, DeliveryQueue::First, 9).await.remove(0);
    apply(store, change, &context()).await;
    let delivery = late.item.delivery.clone();
    let again = Change::row(Row::Delivery(Box::new(delivery)));
    apply(store, again, &context()).await;
    assert_eq!(late.item.webhook.id(), webhook.id());
    late
}

#[rstest]
#[tokio::test]
async fn late_delivery_to_a_deleted_or_disabled_webhook_is_cancelled(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let gone = sample::webhook(&store, false).await;
    let deletions = vec![Deletion::Webhook(gone.id().clone())];
    let deleted = schedule_late(&store, &gone, Change { deletions, ..Change::default() }).await;
    let mut switched_off = sample::webhook(&store, false).await;
    switched_off.registration.active = false;
    let change = Change::row(Row::Webhook(switched_off.clone()));
    let unsent = schedule_late(&store, &switched_off, change).await;

    assert!(claim(&store, DeliveryQueue::First, 9).await.is_empty());
    for due in [deleted, unsent] {
        let (delivery, attempts) = delivery(&store, &due).await;
        assert_eq!((delivery.status(), attempts.len()), (DeliveryStatus::Cancelled, 0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_a_webhook_waits_for_concurrent_events() {
    // SQLite has one writer, so there the second unit begins after the first has ended.
    let database = TestDatabase::new(Backend::Postgres);
    let store = database.open().await;
    let webhook = sample::webhook(&store, false).await;
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel();
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let telling = tokio::spawn({
        let (store, context) = (store.clone(), context());
        async move {
            store
                .write(move |tx| -> Result<(), StoreError> {
                    let mut context = context.clone();
                    let (_, change) = User::create(owner(), None, Default::default(), &mut context);
                    tx.apply(&change, context.now())?;
                    begun.send(()).unwrap();
                    wait.recv().unwrap();
                    Ok(())
                })
                .await
        }
    });
    begins.recv().await.unwrap();
    let deletion = tokio::spawn({
        let (store, id) = (store.clone(), webhook.id().clone());
        async move {
            store
                .write(move |tx| -> Result<(), StoreError> {
                    tx.webhooks().get(&owner(), &id)?.expect("the webhook is there");
                    let deletions = vec![Deletion::Webhook(id.clone())];
                    tx.apply(&Change { deletions, ..Change::default() }, context().now())
                })
                .await
        }
    });
    database.until_a_unit_waits().await;
    go.send(()).unwrap();
    telling.await.unwrap().unwrap();
    deletion.await.unwrap().unwrap();
    let all = PageRequest::default();
    let listed: Result<_, StoreError> = store
        .read(move |reader| reader.deliveries().list(&owner(), webhook.id(), DeliveryFilter::default(), &all))
        .await;
    let statuses: Vec<_> = listed.unwrap().items.iter().map(Delivery::status).collect();
    assert_eq!(statuses, [DeliveryStatus::Cancelled]);
}

#[rstest]
#[tokio::test]
async fn pending_events_of_a_revoked_account_are_sent_stripped(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let webhook = sample::webhook(&store, true).await;
    let user = sample::user(&store).await;
    let account = sample::read(&store, &user.id, "ana-login", 2).await;
    sample::revoke(&store, &account).await;
    let mut sent = Vec::new();
    loop {
        let claimed = claim(&store, DeliveryQueue::First, 100).await;
        if claimed.is_empty() {
            break;
        }
        for due in claimed {
            assert!(record(&store, &due, 200).await);
            sent.push(String::from_utf8(due.item.body).unwrap());
        }
    }
    assert!(sent.iter().any(|body| body.contains("TASK_FINISHED")));
    assert!(sent.iter().all(|body| !body.contains("ana-login") && !body.contains("Salary")));
    let filter = DeliveryFilter::default();
    let listed: Result<_, StoreError> = store
        .read(move |reader| {
            let all = PageRequest::first(PageSize::new(150)?);
            Ok(reader.deliveries().list(&owner(), webhook.id(), filter, &all)?.items.len())
        })
        .await;
    assert_eq!(listed.unwrap(), sent.len());
}

#[rstest]
#[tokio::test]
async fn commit_with_deliveries_notifies_subscribers(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    sample::webhook(&store, false).await;
    let mut news = store.subscribe();
    sample::user(&store).await;
    let told = [news.recv().await.unwrap(), news.recv().await.unwrap()];
    assert!(told.contains(&CommitNotice::Deliveries), "{told:?}");
}

/// Commits the next event about the user.
async fn next_event(store: &Store, id: &UserId) {
    let id = id.clone();
    let context = context();
    let now = context.now();
    store
        .write(move |tx| {
            let user = tx.users().get(&owner(), &id)?.expect("the user is there");
            let user = User { event_count: user.event_count + 1, ..user };
            let data = EventData::UserCreated(UserCreated { user_id: user.id.clone() });
            let subject = Subject::User(user.id.clone());
            let mut context = context.clone();
            let event = EventRecord::new(&owner(), subject, user.event_count, data, &mut context);
            let change = Change { rows: vec![Row::User(user)], events: vec![event], ..Change::default() };
            tx.apply(&change, now)
        })
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"));
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn event_committed_during_the_previous_attempt_is_delivered(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    sample::webhook(&store, false).await;
    let user = sample::user(&store).await;
    for _ in 0..30 {
        let head = claim(&store, DeliveryQueue::First, 9).await.remove(0);
        let (ended, ()) = tokio::join!(record(&store, &head, 200), next_event(&store, &user.id));
        assert!(ended);
    }
    assert_eq!(claim(&store, DeliveryQueue::First, 9).await.len(), 1);
}
