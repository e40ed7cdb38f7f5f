//! The delivery worker: claims due deliveries, signs and sends them, and records the outcomes.
//!
//! A commit wakes the worker, so the first attempt starts within milliseconds. Concurrent attempts are shared fairly
//! between tenants, then between webhooks. A webhook that keeps failing gets only probes.
//!
//! No attempt waits for a commit (ADR 152): a webhook whose attempts end is claimed ahead of its slots, a slot is free as
//! soon as the receiver has answered, and outcomes are recorded many at a time.

mod attempts;
mod lanes;
mod outcomes;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use link_domain::kernel::clock::Wall;
use link_domain::notifications::delivery::{DeliveryQueue, Lookahead};
use link_store::{
    Claim, Claimed, ClaimedDelivery, CommitNotice, GiveBack, Leased, RENEWAL, StoreError, WorkerId,
};
use tokio::sync::mpsc;
use tokio::time::Instant;

use self::attempts::{Attempts, Loaders, Note, Started, give_back};
use self::lanes::Lanes;
use self::outcomes::{OutcomeCounts, Outcomes};
use super::running::{ActiveLeases, LeaseGuard};
use super::wake::{Wake, deadline};
use crate::app::App;
use crate::app::attempt_slots::AttemptSlots;
use crate::logs::log_failure;

pub(crate) use self::attempts::ping;

/// How often the worker looks for resends while it is busy with first attempts.
const RESENDS_LOOK: Duration = Duration::from_secs(1);
/// The maximum number of deliveries that one unit claims, so that no write takes long.
const MAX_CLAIMED_AT_ONCE: usize = 1_024;

/// Runs until the service stops, and then finishes the running attempts.
pub async fn run(app: App) {
    let worker = WorkerId::from_random(app.random_bytes());
    let leases = ActiveLeases::default();
    let (notes, mut noted) = mpsc::unbounded_channel();
    let (outcomes, recorders) = Outcomes::start(&app, &notes);
    let counts = outcomes.counts();
    let renewal = tokio::spawn(renew(app.clone(), worker.clone(), leases.clone(), Arc::clone(&counts)));
    let loaders = Loaders::start(&Attempts::new(app.clone(), outcomes, notes));
    let mut dispatcher = Dispatcher {
        lanes: Lanes::new(app.limits.attempts.clone()),
        slots: app.limits.attempts.clone(),
        lookahead: Lookahead::default(),
        resends_looked: Instant::now(),
        has_more: false,
        must_claim: true,
        app,
        worker,
        leases,
        loaders,
    };
    dispatcher.run(&mut noted).await;
    let Dispatcher { app, mut lanes, loaders, .. } = dispatcher;
    release(&app, lanes.take_all()).await;
    drop(loaders);
    while noted.recv().await.is_some() {}
    for recorder in recorders {
        drop(recorder.await);
    }
    renewal.abort();
    counts.report();
}

/// The results of claiming first attempts and resends.
type BothClaimed = (Claimed, Option<Claimed>);

struct Dispatcher {
    app: App,
    worker: WorkerId,
    leases: ActiveLeases,
    slots: AttemptSlots,
    lanes: Lanes,
    lookahead: Lookahead,
    loaders: Loaders,
    resends_looked: Instant,
    /// Whether the last claim left due deliveries.
    has_more: bool,
    must_claim: bool,
}

impl Dispatcher {
    async fn run(&mut self, noted: &mut mpsc::UnboundedReceiver<Note>) {
        let mut wake =
            Wake::new(self.app.store.subscribe(), CommitNotice::Deliveries, self.app.stopping.clone());
        let mut claiming: Option<Pin<Box<dyn Future<Output = BothClaimed> + Send>>> = None;
        let (mut looked, mut look_again) = (self.app.wall(), Instant::now());
        while !wake.is_stopping() {
            for batch in self.lanes.start() {
                self.loaders.begin(batch);
            }
            if claiming.is_none() && self.must_claim {
                self.must_claim = false;
                wake.forget();
                looked = self.app.wall();
                claiming = Some(Box::pin(self.claim()));
            }
            tokio::select! {
                claimed = next(&mut claiming) => {
                    claiming = None;
                    look_again = deadline(looked, self.accept(claimed));
                }
                Some(note) = noted.recv() => {
                    self.heed(note);
                    while let Ok(note) = noted.try_recv() {
                        self.heed(note);
                    }
                }
                () = wake.sleep_until(look_again), if claiming.is_none() => self.must_claim = true,
            }
        }
        if claiming.is_some() {
            self.accept(next(&mut claiming).await);
        }
    }

    /// Claims first attempts, and resends if there are no first attempts or it is time for them.
    fn claim(&mut self) -> impl Future<Output = BothClaimed> + Send + use<> {
        self.lookahead.next_claim();
        let must_resend = self.resends_looked.elapsed() >= RESENDS_LOOK;
        let (app, worker, now) = (self.app.clone(), self.worker.clone(), self.app.wall());
        let (slots, lookahead) = (self.slots.clone(), self.lookahead.clone());
        async move {
            let claimed = app.store.write(move |tx| -> Result<_, StoreError> {
                let mut shares = slots.shares();
                let claim = |limit| Claim { worker: &worker, now, limit };
                let firsts = tx.deliveries().claim(
                    DeliveryQueue::First,
                    claim(MAX_CLAIMED_AT_ONCE),
                    &shares,
                    &lookahead,
                )?;
                if !must_resend && !firsts.deliveries.is_empty() {
                    return Ok((firsts, None));
                }
                for first in &firsts.deliveries {
                    shares.claim(DeliveryQueue::First, &first.item.owner, &first.item.webhook_id, 1, 1);
                }
                let limit = shares.free(DeliveryQueue::Resend);
                let resends =
                    tx.deliveries().claim(DeliveryQueue::Resend, claim(limit), &shares, &lookahead)?;
                Ok((firsts, Some(resends)))
            });
            claimed.await.unwrap_or_else(|error: StoreError| {
                log_failure!(error, %error, "Claiming deliveries failed");
                BothClaimed::default()
            })
        }
    }

    /// Starts claimed resends and lets first attempts wait for their slots. Returns when the next delivery is due.
    fn accept(&mut self, (firsts, resends): BothClaimed) -> Option<Wall> {
        self.has_more = firsts.has_more;
        self.must_claim |= firsts.deliveries.len() >= MAX_CLAIMED_AT_ONCE;
        self.lanes.add(firsts.deliveries, &self.leases);
        let Some(resends) = resends else { return firsts.next };
        self.resends_looked = Instant::now();
        self.has_more |= resends.has_more;
        self.must_claim |= !resends.deliveries.is_empty();
        for leased in resends.deliveries {
            let (lease, item) = (self.leases.take(leased.lease()), &leased.item);
            let slot = self.slots.take(DeliveryQueue::Resend, &item.owner, &item.webhook_id);
            self.loaders.begin([Started { leased, lease, slot }]);
        }
        [firsts.next, resends.next].into_iter().flatten().min()
    }

    fn heed(&mut self, note: Note) {
        match note {
            Note::Ended { webhook, accepted } => {
                if accepted {
                    self.lookahead.record_end(&webhook);
                }
                let waiting = self.lanes.waiting(&webhook);
                self.must_claim |= self.has_more && self.lookahead.is_low(&webhook, waiting);
            }
            Note::Opened(webhook) => {
                self.lookahead.forget(&webhook);
                let waiting = self.lanes.take(&webhook);
                if !waiting.is_empty() {
                    let app = self.app.clone();
                    tokio::spawn(async move { release(&app, waiting).await });
                }
            }
        }
    }
}

/// Waits for the running claim. Never ends if none is running.
async fn next(claiming: &mut Option<Pin<Box<dyn Future<Output = BothClaimed> + Send>>>) -> BothClaimed {
    match claiming {
        Some(claiming) => claiming.await,
        None => std::future::pending().await,
    }
}

/// Ends the leases of deliveries that do not start, so that another claim can take them at once.
async fn release(app: &App, waiting: Vec<(Leased<ClaimedDelivery>, LeaseGuard)>) {
    let (returned, leases): (Vec<_>, Vec<_>) =
        waiting.into_iter().map(|(leased, lease)| ((leased, GiveBack::Release), lease)).unzip();
    give_back(app, returned).await;
    drop(leases);
}

async fn renew(app: App, worker: WorkerId, leases: ActiveLeases, counts: Arc<OutcomeCounts>) {
    let mut ticks = tokio::time::interval(RENEWAL);
    loop {
        ticks.tick().await;
        counts.report();
        let (worker, held, now) = (worker.clone(), leases.older_than(RENEWAL / 2), app.wall());
        if held.is_empty() {
            continue;
        }
        if let Err(error) = app.store.write(move |tx| tx.deliveries().renew(&worker, &held, now)).await {
            log_failure!(error, %error, "Renewing the leases of deliveries failed");
        }
    }
}
