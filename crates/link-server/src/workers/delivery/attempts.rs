//! Attempts: loads deliveries, many in one read, sends each, and passes on the outcome.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use link_domain::kernel::context::Context;
use link_domain::notifications::delivery::{ATTEMPT_TIMEOUT, Delivery};
use link_domain::notifications::webhook::{Webhook, signature_headers};
use link_domain::notifications::webhook_sender::{AttemptOutcome, OutboundRequest, SendError};
use link_store::{ClaimedDelivery, DueDelivery, GiveBack, Held, LEASE, Leased, Loaded, StoreError};
use link_types::Mode;
use link_types::id::WebhookId;
use link_types::webhook::PingResult;
use opentelemetry::KeyValue;
use opentelemetry::trace::SpanKind;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::outcomes::{Ended, Outcomes};
use crate::app::App;
use crate::app::attempt_slots::AttemptSlot;
use crate::logs::log_failure;
use crate::traces::{begin_trace, format_traceparent};
use crate::workers::running::LeaseGuard;

/// The margin on top of the sender's own timeouts.
const GRACE: std::time::Duration = std::time::Duration::from_secs(2);

/// A report of an attempt, or of the recording of its outcome, to the worker.
pub(super) enum Note {
    /// The slot of an attempt is free.
    Ended { webhook: WebhookId, accepted: bool },
    /// The breaker of a webhook is open.
    Opened(WebhookId),
}

/// A claimed delivery that has its slot.
pub(super) struct Started {
    pub(super) leased: Leased<ClaimedDelivery>,
    pub(super) lease: LeaseGuard,
    pub(super) slot: AttemptSlot,
}

/// The slot of an attempt. Also freed, and reported, if the task panics.
pub(super) struct RunningAttempt {
    slot: Option<AttemptSlot>,
    webhook: WebhookId,
    accepted: bool,
    notes: UnboundedSender<Note>,
}

impl Drop for RunningAttempt {
    fn drop(&mut self) {
        drop(self.slot.take());
        // An error only means that the worker has stopped.
        drop(self.notes.send(Note::Ended { webhook: self.webhook.clone(), accepted: self.accepted }));
    }
}

/// A lease and the slot of its attempt.
pub(super) type HeldAttempt = (LeaseGuard, RunningAttempt);

/// Makes attempts.
#[derive(Clone)]
pub(super) struct Attempts {
    pub(super) app: App,
    outcomes: Outcomes,
    notes: UnboundedSender<Note>,
}

impl Attempts {
    /// Creates the attempts of a worker. They report to `notes`.
    pub(super) fn new(app: App, outcomes: Outcomes, notes: UnboundedSender<Note>) -> Self {
        Self { app, outcomes, notes }
    }

    /// Separates deliveries from their leases and slots.
    pub(super) fn hold(
        &self,
        started: Vec<Started>,
    ) -> (Vec<Leased<ClaimedDelivery>>, BTreeMap<Held, HeldAttempt>) {
        let mut held = BTreeMap::new();
        let mut claimed = Vec::with_capacity(started.len());
        for Started { leased, lease, slot } in started {
            let (webhook, notes) = (leased.item.webhook_id.clone(), self.notes.clone());
            let running = RunningAttempt { slot: Some(slot), webhook, accepted: false, notes };
            held.insert(leased.lease(), (lease, running));
            claimed.push(leased);
        }
        (claimed, held)
    }

    /// Makes an attempt of each loaded delivery, in its own task, and gives the others back.
    pub(super) fn begin(&self, loaded: Loaded, held: &mut BTreeMap<Held, HeldAttempt>) {
        for due in loaded.due {
            if let Some(held) = held.remove(&due.lease()) {
                tokio::spawn(self.clone().attempt(due, held));
            }
        }
        if loaded.returned.is_empty() {
            return;
        }
        let kept = loaded.returned.iter().filter_map(|(leased, _)| held.remove(&leased.lease())).collect();
        tokio::spawn(self.clone().give_back(loaded.returned, kept));
    }

    async fn give_back(self, returned: Vec<(Leased<ClaimedDelivery>, GiveBack)>, kept: Vec<HeldAttempt>) {
        let opened = returned.iter().filter(|(_, why)| *why == GiveBack::Release);
        for webhook in opened.map(|(leased, _)| &leased.item.webhook_id).collect::<BTreeSet<_>>() {
            drop(self.notes.send(Note::Opened(webhook.clone())));
        }
        give_back(&self.app, returned).await;
        drop(kept);
    }

    async fn attempt(self, mut due: Leased<DueDelivery>, (lease, mut running): HeldAttempt) {
        let item = &mut due.item;
        let began = self.app.now(item.offset);
        let headers =
            signature_headers(&item.webhook, item.delivery.event_id.as_str(), began.wall(), &item.body);
        let request = OutboundRequest {
            url: item.webhook.registration.url.clone(),
            https_only: item.delivery.owner.mode == Mode::Production,
            headers,
            body: std::mem::take(&mut item.body),
        };
        let attempt = i64::from(item.delivery.attempts_made) + 1;
        let attributes = [KeyValue::new("linchpin.attempt", attempt)];
        let outcome = send_traced(&self.app, request, &item.webhook, "delivery", attributes).await;
        self.app.reports.metrics.count_attempt(&outcome);
        tracing::debug!(
            delivery = %item.delivery.id,
            event = %item.delivery.event_id,
            webhook = %item.delivery.webhook_id,
            attempt = item.delivery.attempts_made + 1,
            status = outcome.result.as_ref().map_or(0, |it| it.status),
            error = outcome.result.as_ref().err().map(tracing::field::display),
            "Delivery attempted"
        );
        running.accepted = outcome.is_accepted();
        // A failed attempt keeps its slot until it is recorded: the next one may start only if the breaker, which counts
        // this failure, is still closed.
        let (failed, accepted) = if running.accepted { (None, Some(running)) } else { (Some(running), None) };
        self.outcomes.record(Ended { due, outcome, began }, (lease, failed)).await;
        drop(accepted);
    }
}

/// Ends the leases of deliveries that are not sent.
pub(super) async fn give_back(app: &App, mut returned: Vec<(Leased<ClaimedDelivery>, GiveBack)>) {
    if returned.is_empty() {
        return;
    }
    // Units that renew leases lock rows in this order too.
    returned.sort_by(|(one, _), (other, _)| one.item.id.cmp(&other.item.id));
    let now = app.wall();
    let ended: Result<(), StoreError> =
        app.store.write(move |tx| tx.deliveries().give_back(&returned, now)).await;
    if let Err(error) = ended {
        // The leases are no longer renewed. Once they expire, the deliveries are claimed again.
        log_failure!(error, %error, "Releasing claimed deliveries failed");
    }
}

/// Makes one attempt in a trace that begins with it. The webhook gets the ids if it asks for them.
async fn send_traced<const N: usize>(
    app: &App,
    mut request: OutboundRequest,
    webhook: &Webhook,
    name: &'static str,
    attributes: [KeyValue; N],
) -> AttemptOutcome {
    let has_context = webhook.registration.trace_context;
    let sent = async move {
        request.headers.extend(has_context.then(format_traceparent).flatten());
        send(app, &request).await
    };
    begin_trace((SpanKind::Producer, || name.into()), attributes, AttemptOutcome::is_accepted, sent).await
}

/// Makes one attempt. Returns within the attempt timeout even if the sender hangs.
async fn send(app: &App, request: &OutboundRequest) -> AttemptOutcome {
    let sent = tokio::time::timeout(ATTEMPT_TIMEOUT + GRACE, app.ports.sender.send(request)).await;
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
    let outcome = send_traced(app, request, webhook, "ping", []).await;
    PingResult {
        event_id: ping.event_id,
        accepted: outcome.is_accepted(),
        attempt: Delivery::attempt(&outcome, began.tenant()),
    }
}

/// The number of reads that load deliveries at the same time.
const LOADERS: usize = 4;
/// The maximum number of deliveries that one read loads.
const MAX_LOADED_AT_ONCE: usize = 64;
/// How long a loader waits, and keeps the slots of its deliveries, if a read fails.
const AWAY: Duration = Duration::from_millis(500);

/// The deliveries that wait to be loaded.
pub(super) struct Loaders {
    starting: UnboundedSender<Started>,
}

impl Loaders {
    /// Starts the loaders of a worker. They end when the result is dropped.
    pub(super) fn start(attempts: &Attempts) -> Self {
        let (starting, started) = unbounded_channel();
        let started = Arc::new(Mutex::new(started));
        for _ in 0..LOADERS {
            let loader = Loader { started: Arc::clone(&started), attempts: attempts.clone() };
            tokio::spawn(loader.run());
        }
        Self { starting }
    }

    /// Loads deliveries and makes their attempts.
    pub(super) fn begin(&self, started: impl IntoIterator<Item = Started>) {
        for started in started {
            // The loaders run as long as `self` exists.
            drop(self.starting.send(started));
        }
    }
}

struct Loader {
    started: Arc<Mutex<UnboundedReceiver<Started>>>,
    attempts: Attempts,
}

impl Loader {
    /// Loads what has started meanwhile in one read.
    async fn run(self) {
        loop {
            let mut started = Vec::new();
            // The lock is held while this loader waits. The others wait behind it.
            if self.started.lock().await.recv_many(&mut started, MAX_LOADED_AT_ONCE).await == 0 {
                return;
            }
            let (claimed, mut held) = self.attempts.hold(started);
            match self.load(claimed).await {
                Some(loaded) => self.attempts.begin(loaded, &mut held),
                // Otherwise the free slots would lead to further claims at once.
                None => tokio::time::sleep(AWAY).await,
            }
            // The leases of those that were not loaded are no longer renewed. Once they expire, they are claimed again.
            drop(held);
        }
    }

    async fn load(&self, claimed: Vec<Leased<ClaimedDelivery>>) -> Option<Loaded> {
        let app = self.attempts.app.clone();
        // In a separate task, so that a panic does not end this one.
        let read =
            tokio::spawn(
                async move { app.store.read(move |reader| reader.deliveries().load(claimed)).await },
            );
        match tokio::time::timeout(LEASE, read).await {
            Ok(Ok(loaded)) => loaded
                .inspect_err(|error: &StoreError| {
                    log_failure!(error, %error, "Loading claimed deliveries failed");
                })
                .ok(),
            Ok(Err(panic)) => {
                tracing::error!(%panic, "Loading claimed deliveries failed");
                None
            }
            Err(late) => {
                tracing::error!(%late, "Loading claimed deliveries failed");
                None
            }
        }
    }
}
