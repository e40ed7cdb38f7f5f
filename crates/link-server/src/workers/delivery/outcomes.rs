//! Records the outcomes of attempts, many in one unit of work, so that attempts do not wait for commits.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::StatusCode;
use link_domain::kernel::clock::Now;
use link_domain::notifications::delivery::{AttemptEnd, AttemptLog, Breaker, Delivery, MAX_RESPONSE_BYTES};
use link_domain::notifications::webhook::Webhook;
use link_domain::notifications::webhook_sender::AttemptOutcome;
use link_store::{DueDelivery, EndedAttempt, Leased, Tx};
use link_types::id::WebhookId;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{Receiver, Sender, UnboundedSender, channel};
use tokio::task::JoinHandle;

use super::attempts::{Note, RunningAttempt};
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};
use crate::logs::log_failure;
use crate::workers::running::LeaseGuard;

/// The number of units that record outcomes at the same time. While one commits, the other runs.
const RECORDERS: usize = 2;
/// The maximum number of outcomes in one unit.
const MAX_RECORDED_AT_ONCE: usize = 256;
/// The maximum number of outcomes that wait, with 16 MB of receivers' responses. Further attempts that end wait, and keep
/// their slots.
const MAX_WAITING: usize = 16 * 1024 * 1024 / MAX_RESPONSE_BYTES;

/// An attempt that has ended and is not recorded.
pub(super) struct Ended {
    pub(super) due: Leased<DueDelivery>,
    pub(super) outcome: AttemptOutcome,
    pub(super) began: Now,
}

/// The lease of an attempt and, if it failed, its slot. Both end after the outcome is recorded.
pub(super) type HeldUntilRecorded = (LeaseGuard, Option<RunningAttempt>);

/// The outcomes that wait to be recorded.
#[derive(Clone)]
pub(super) struct Outcomes {
    waiting: Sender<(Ended, HeldUntilRecorded)>,
    counts: Arc<OutcomeCounts>,
}

/// Counts of outcomes.
#[derive(Default)]
pub(super) struct OutcomeCounts {
    accepted: AtomicU64,
    failed: AtomicU64,
}

impl Outcomes {
    /// Starts the recorders. They end when the last clone is dropped.
    pub(super) fn start(app: &App, notes: &UnboundedSender<Note>) -> (Self, Vec<JoinHandle<()>>) {
        let (waiting, outcomes) = channel(MAX_WAITING);
        let (outcomes, counts) = (Arc::new(Mutex::new(outcomes)), Arc::new(OutcomeCounts::default()));
        let recorder = Recorder { app: app.clone(), outcomes, notes: notes.clone() };
        let recorders = (0..RECORDERS).map(|_| tokio::spawn(recorder.clone().run())).collect();
        (Self { waiting, counts }, recorders)
    }

    /// Adds an outcome to those that wait, once there is room.
    pub(super) async fn record(&self, ended: Ended, held: HeldUntilRecorded) {
        let counts = &self.counts;
        let outcomes = if ended.outcome.is_accepted() { &counts.accepted } else { &counts.failed };
        outcomes.fetch_add(1, Ordering::Relaxed);
        // The recorders end after the last attempt.
        drop(self.waiting.send((ended, held)).await);
    }

    /// Returns the counts of outcomes.
    pub(super) fn counts(&self) -> Arc<OutcomeCounts> {
        Arc::clone(&self.counts)
    }
}

impl OutcomeCounts {
    /// Logs the number of attempts since the last call, if there were any.
    pub(super) fn report(&self) {
        let accepted = self.accepted.swap(0, Ordering::Relaxed);
        let failed = self.failed.swap(0, Ordering::Relaxed);
        if accepted + failed > 0 {
            tracing::info!(accepted, failed, "Deliveries attempted");
        }
    }
}

#[derive(Clone)]
struct Recorder {
    app: App,
    outcomes: Arc<Mutex<Receiver<(Ended, HeldUntilRecorded)>>>,
    notes: UnboundedSender<Note>,
}

/// An outcome with what follows from it, if the delivery has not changed.
struct Decided {
    ended: Ended,
    now: Now,
    fraction: f64,
    after: Delivery,
    log: AttemptLog,
}

impl Decided {
    fn new(ended: Ended, now: Now, fraction: f64, pace: f64) -> Self {
        let (after, log) = decide(&ended, ended.due.item.delivery.clone(), (now, fraction, pace));
        Self { ended, now, fraction, after, log }
    }

    fn webhook(&self) -> &Webhook {
        &self.ended.due.item.webhook
    }
}

fn decide(
    ended: &Ended,
    delivery: Delivery,
    (now, fraction, pace): (Now, f64, f64),
) -> (Delivery, AttemptLog) {
    let profile = ended.due.item.webhook.registration.retry_profile;
    let (after, log) = delivery.record_attempt(&ended.outcome, profile, ended.began.tenant(), now, fraction);
    (after.with_pace(now, pace), log)
}

impl Recorder {
    async fn run(self) {
        loop {
            let mut batch = Vec::new();
            // The lock is held while this recorder waits. The other waits behind it.
            if self.outcomes.lock().await.recv_many(&mut batch, MAX_RECORDED_AT_ONCE).await == 0 {
                return;
            }
            let (batch, held): (Vec<Ended>, Vec<HeldUntilRecorded>) = batch.into_iter().unzip();
            // In a separate task, so that a panic does not end this one.
            let recorder = self.clone();
            if let Err(panic) = tokio::spawn(async move { recorder.record(batch).await }).await {
                tracing::error!(%panic, "Recording the outcomes of attempts failed");
            }
            drop(held);
        }
    }

    /// Records a batch in one unit. If that fails, records each outcome in a separate unit, so that one that
    /// fails cannot keep the others from being recorded. While the database is unavailable, none is recorded.
    async fn record(&self, batch: Vec<Ended>) {
        let pace = self.app.settings.live.now().resend_seconds / 30.0;
        let decided: Vec<Arc<Decided>> = batch
            .into_iter()
            .map(|ended| {
                let mut context = self.app.context(ended.due.item.offset);
                let (now, fraction) = (context.now(), context.fraction());
                Arc::new(Decided::new(ended, now, fraction, pace))
            })
            .collect();
        let Err(problem) = self.write(decided.clone(), pace).await else { return };
        if decided.len() == 1 || problem.status() == StatusCode::SERVICE_UNAVAILABLE {
            return decided.iter().for_each(|one| not_recorded(one, &problem));
        }
        for one in decided {
            if let Err(problem) = self.write(vec![Arc::clone(&one)], pace).await {
                not_recorded(&one, &problem);
            }
        }
    }

    async fn write(&self, decided: Vec<Arc<Decided>>, pace: f64) -> ApiResult<()> {
        let batch = decided.clone();
        let breakers = self.app.store.write(move |tx| write(tx, &batch, pace)).await?;
        for (webhook, breaker) in breakers {
            if matches!(breaker, Breaker::Open { .. }) {
                drop(self.notes.send(Note::Opened(webhook.clone())));
            }
            let failing = decided.iter().find(|it| *it.webhook().id() == webhook);
            if let Some(failing) = failing.filter(|it| breaker.must_disable(it.now.tenant())) {
                // The outcomes are recorded. An error here would record them again.
                if let Err(problem) = self.disable(failing.webhook()).await {
                    log_failure!(problem, %webhook, ?problem, "Disabling a failing webhook failed");
                }
            }
        }
        Ok(())
    }

    /// Disables a webhook whose every attempt failed for 5 days. This is a separate unit of work because a unit that
    /// changes a webhook must lock the webhook before its deliveries.
    async fn disable(&self, webhook: &Webhook) -> ApiResult<()> {
        let (app, owner, id) = (&self.app, webhook.owner.clone(), webhook.id().clone());
        let context = app.context(app.offset_of(&owner).await?);
        let is_disabled = app
            .store
            .write(move |tx| -> ApiResult<bool> {
                let Some(webhook) = tx.webhooks().get(&owner, &id)? else { return Ok(false) };
                let breaker = tx.breakers().get(&id)?.unwrap_or_default();
                let mut context = context.clone();
                let Some(change) = webhook.disable_if_failing(breaker, &mut context) else {
                    return Ok(false);
                };
                tx.apply(&change, context.now())?;
                Ok(true)
            })
            .await?;
        if is_disabled {
            let (webhook, tenant) = (webhook.id(), &webhook.owner.tenant);
            tracing::warn!(%webhook, %tenant, "Webhook disabled after failing for 5 days");
        }
        Ok(())
    }
}

fn not_recorded(one: &Decided, problem: &Problem) {
    // The lease is no longer renewed. Once it expires, the delivery is attempted again.
    let delivery = &one.after.id;
    log_failure!(problem, %delivery, ?problem, "Recording the outcome of an attempt failed");
}

/// Writes the outcomes, and returns the breakers of webhooks with failed attempts.
fn write(tx: &mut Tx<'_>, batch: &[Arc<Decided>], pace: f64) -> ApiResult<Vec<(WebhookId, Breaker)>> {
    // Every unit locks rows in the same order. A unit that creates an event locks its deliveries in this order too.
    let mut sorted: Vec<&Decided> = batch.iter().map(AsRef::as_ref).collect();
    sorted.sort_by(|one, other| {
        let key = |it: &Decided| (it.after.subject.as_str().to_owned(), it.after.webhook_id.clone());
        key(one).cmp(&key(other))
    });
    let attempts: Vec<EndedAttempt<'_>> =
        sorted.iter().map(|it| EndedAttempt { due: &it.ended.due, after: &it.after, log: &it.log }).collect();
    let changed = tx.delivery_attempts().record_unchanged(&attempts)?;
    let mut gone = BTreeSet::new();
    for it in changed.into_iter().filter_map(|at| sorted.get(at)) {
        let Some(delivery) = tx.deliveries().get(&it.after.owner, &it.after.id)? else {
            gone.insert(it.after.id.clone());
            continue;
        };
        let (after, log) = decide(&it.ended, delivery, (it.now, it.fraction, pace));
        tx.delivery_attempts().record(&it.ended.due, &after, &log)?;
    }
    // In the order in which the attempts ended.
    let mut webhooks: BTreeMap<&WebhookId, Vec<&Decided>> = BTreeMap::new();
    for it in batch.iter().filter(|it| !gone.contains(&it.after.id)) {
        webhooks.entry(&it.after.webhook_id).or_default().push(it);
    }
    let existing = tx.breakers().existing(&webhooks.keys().copied().collect())?;
    let mut failing = Vec::new();
    for (webhook, attempts) in webhooks {
        let end = |it: &&Decided| AttemptEnd {
            accepted: it.ended.outcome.is_accepted(),
            began: it.ended.began,
            ended: it.now,
        };
        let ends: Vec<AttemptEnd> = attempts.iter().map(end).collect();
        if !existing.contains(webhook) && ends.iter().all(|end| end.accepted) {
            continue;
        }
        let breaker = tx.breakers().record(webhook, &ends, pace)?;
        if ends.last().is_some_and(|last| !last.accepted) {
            failing.push((webhook.clone(), breaker));
        }
    }
    Ok(failing)
}
