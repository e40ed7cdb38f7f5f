//! The delivery worker: claims due deliveries, signs and sends them, and records the outcome.
//!
//! A commit wakes the worker, so the first attempt starts within milliseconds. Concurrent attempts are shared fairly
//! between tenants, then between webhooks. A webhook that keeps failing gets only probes.

use std::time::Duration;

use link_domain::context::Context;
use link_domain::ports::{AttemptOutcome, OutboundRequest, SendError};
use link_domain::webhook::{
    ATTEMPT_TIMEOUT, AttemptShares, Breaker, Delivery, DeliveryQueue, Webhook, signature_headers,
};
use link_store::{Claim, CommitNotice, DueDelivery, Leased, RENEWAL, StoreError, WorkerId};
use link_types::Mode;
use link_types::webhook::PingResult;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::active_leases::{ActiveLeases, LeaseGuard};
use super::slots::{AttemptSlot, AttemptSlots};
use super::wake::Wake;
use crate::app::App;
use crate::http::problem::ApiResult;

/// How often the worker looks for resends while it is busy with first attempts.
const RESENDS_LOOK: Duration = Duration::from_secs(1);
/// The margin on top of the sender's own timeouts.
const GRACE: Duration = Duration::from_secs(2);

/// Runs until the service stops, and then finishes the running attempts.
pub async fn run(app: App) {
    let worker = WorkerId::from_random(app.random_bytes());
    let (active_leases, slots) = (ActiveLeases::default(), app.attempts().clone());
    let renewal = tokio::spawn(renew(app.clone(), worker.clone(), active_leases.clone()));
    let mut wake = Wake::new(app.store().subscribe(), CommitNotice::Deliveries, app.stopping());
    let (mut firsts, mut resends) = (JoinSet::new(), JoinSet::new());
    let mut resends_looked = Instant::now();
    while !wake.is_stopping() {
        let looked = app.wall();
        let due = claim(&app, &worker, DeliveryQueue::First, slots.shares()).await;
        let mut is_idle = due.is_empty();
        for delivery in due {
            let held = hold(&active_leases, &slots, DeliveryQueue::First, &delivery);
            firsts.spawn(attempt(app.clone(), delivery, held));
        }
        if is_idle || resends_looked.elapsed() >= RESENDS_LOOK {
            resends_looked = Instant::now();
            for delivery in claim(&app, &worker, DeliveryQueue::Resend, slots.shares()).await {
                is_idle = false;
                let held = hold(&active_leases, &slots, DeliveryQueue::Resend, &delivery);
                resends.spawn(attempt(app.clone(), delivery, held));
            }
        }
        if is_idle || slots.shares().free(DeliveryQueue::First) == 0 {
            let next =
                app.store().read(move |reader| reader.deliveries().next_at(looked)).await.unwrap_or_default();
            tokio::select! {
                Some(_) = firsts.join_next() => {}
                Some(_) = resends.join_next() => {}
                () = wake.sleep(looked, next) => {}
            }
        }
        while firsts.try_join_next().is_some() || resends.try_join_next().is_some() {}
    }
    while firsts.join_next().await.is_some() || resends.join_next().await.is_some() {}
    renewal.abort();
}

fn hold(
    active_leases: &ActiveLeases,
    slots: &AttemptSlots,
    queue: DeliveryQueue,
    due: &Leased<DueDelivery>,
) -> (LeaseGuard, AttemptSlot) {
    let delivery = &due.item.delivery;
    (active_leases.take(due.held()), slots.take(queue, &delivery.owner, &delivery.webhook_id))
}

async fn claim(
    app: &App,
    worker: &WorkerId,
    queue: DeliveryQueue,
    shares: AttemptShares,
) -> Vec<Leased<DueDelivery>> {
    let limit = shares.free(queue);
    // A claim of resends also releases deliveries whose breaker has closed, so it runs even without free slots.
    if limit == 0 && queue == DeliveryQueue::First {
        return Vec::new();
    }
    let (worker, now) = (worker.clone(), app.wall());
    let claimed = app
        .store()
        .write(move |tx| tx.deliveries().claim(queue, Claim { worker: &worker, now, limit }, &shares))
        .await;
    claimed.unwrap_or_else(|error: StoreError| {
        tracing::error!(%error, "Claiming deliveries failed");
        Vec::new()
    })
}

async fn renew(app: App, worker: WorkerId, active_leases: ActiveLeases) {
    let mut ticks = tokio::time::interval(RENEWAL);
    loop {
        ticks.tick().await;
        let (worker, held, now) = (worker.clone(), active_leases.all(), app.wall());
        if held.is_empty() {
            continue;
        }
        if let Err(error) = app.store().write(move |tx| tx.deliveries().renew(&worker, &held, now)).await {
            tracing::error!(%error, "Renewing the leases of deliveries failed");
        }
    }
}

async fn attempt(app: App, due: Leased<DueDelivery>, held: (LeaseGuard, AttemptSlot)) {
    let id = due.item.delivery.id.clone();
    if let Err(problem) = try_attempt(&app, due).await {
        // The lease is no longer renewed. Once it expires, the delivery is attempted again.
        tracing::error!(delivery = %id, ?problem, "Recording the outcome of an attempt failed");
    }
    drop(held);
}

/// Makes one attempt. Returns within the attempt timeout even if the sender hangs.
async fn send(app: &App, request: &OutboundRequest) -> AttemptOutcome {
    let sent = tokio::time::timeout(ATTEMPT_TIMEOUT + GRACE, app.sender().send(request)).await;
    sent.unwrap_or(AttemptOutcome { took: ATTEMPT_TIMEOUT, result: Err(SendError::TimedOut) })
}

/// Sends one ping to a webhook (ADR 0093).
pub(crate) async fn ping(app: &App, webhook: &Webhook, context: &mut Context) -> PingResult {
    let ping = webhook.ping(context);
    let began = context.now();
    let request = OutboundRequest {
        url: webhook.registration.url.clone(),
        https_only: webhook.owner.mode == Mode::Production,
        headers: signature_headers(webhook, ping.event_id.as_str(), began.wall(), &ping.body),
        body: ping.body,
    };
    let outcome = send(app, &request).await;
    PingResult {
        event_id: ping.event_id,
        accepted: outcome.accepted(),
        attempt: Delivery::attempt(&outcome, began.tenant()),
    }
}

async fn try_attempt(app: &App, due: Leased<DueDelivery>) -> ApiResult<()> {
    let DueDelivery { delivery, webhook, body } = &due.item;
    let offset = app.offset_of(&delivery.owner).await?;
    let began = app.now(offset);
    let request = OutboundRequest {
        url: webhook.registration.url.clone(),
        https_only: delivery.owner.mode == Mode::Production,
        headers: signature_headers(webhook, delivery.event_id.as_str(), began.wall(), body),
        body: body.clone(),
    };
    let outcome = send(app, &request).await;
    tracing::info!(
        delivery = %delivery.id,
        event = %delivery.event_id,
        webhook = %delivery.webhook_id,
        attempt = delivery.attempts_made + 1,
        status = outcome.result.as_ref().map_or(0, |it| it.status),
        error = outcome.result.as_ref().err().map(tracing::field::display),
        "Delivery attempted"
    );
    let (context, pace) = (app.context(offset), app.settings().resend_seconds / 30.0);
    let webhook = webhook.clone();
    let breaker = app
        .store()
        .write(move |tx| -> ApiResult<Breaker> {
            let (mut context, known) = (context.clone(), &due.item.delivery);
            let now = context.now();
            let Some(delivery) = tx.deliveries().get(&known.owner, &known.id)? else {
                return Ok(Breaker::default());
            };
            let profile = due.item.webhook.registration.retry_profile;
            let (after, log) = delivery.attempted(&outcome, profile, began.tenant(), now, context.fraction());
            tx.delivery_attempts().record(&due, &after.paced(now, pace), &log)?;
            if outcome.accepted() {
                tx.breakers().close(&known.webhook_id, now.wall())?;
                Ok(Breaker::default())
            } else {
                Ok(tx.breakers().record_failure(&known.webhook_id, (began.wall(), now.wall()), pace)?)
            }
        })
        .await?;
    if breaker.must_disable(app.wall()) { disable(app, &webhook).await } else { Ok(()) }
}

/// Disables a webhook whose breaker has been open for 5 days. This is a separate unit of work because a unit that
/// changes a webhook must lock the webhook before its deliveries.
async fn disable(app: &App, webhook: &Webhook) -> ApiResult<()> {
    let (owner, id, context) =
        (webhook.owner.clone(), webhook.id().clone(), app.context(app.offset_of(&webhook.owner).await?));
    app.store()
        .write(move |tx| -> ApiResult<()> {
            let Some(webhook) = tx.webhooks().get(&owner, &id)? else { return Ok(()) };
            let breaker = tx.breakers().get(&id)?.unwrap_or_default();
            if let Some(change) = webhook.disable_if_failing(breaker, &context) {
                let tenant = &owner.tenant;
                tracing::warn!(webhook = %id, %tenant, "Webhook disabled after failing for 5 days");
                tx.apply(&change, context.now())?;
            }
            Ok(())
        })
        .await
}
