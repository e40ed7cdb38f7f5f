//! Loads deliveries that have their slots, many in one read, and starts their attempts.

use std::sync::Arc;
use std::time::Duration;

use link_store::{ClaimedDelivery, GiveBack, LEASE, Leased, Loaded, StoreError};
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::attempts::{Attempts, Started};

/// The number of reads that load deliveries at the same time.
const LOADERS: usize = 4;
/// The maximum number of deliveries that one read loads.
const LOADED_AT_ONCE: usize = 64;
/// How long a loader waits, and keeps the slots of its deliveries, if the database does not answer.
const AWAY: Duration = Duration::from_millis(500);

/// The deliveries that wait to be loaded.
pub(super) struct Loaders {
    starting: UnboundedSender<Started>,
    attempts: Attempts,
}

impl Loaders {
    /// Starts the loaders of a worker. They end when the result is dropped.
    pub(super) fn start(attempts: Attempts) -> Self {
        let (starting, started) = unbounded_channel();
        let started = Arc::new(Mutex::new(started));
        for _ in 0..LOADERS {
            let loader = Loader { started: Arc::clone(&started), attempts: attempts.clone() };
            tokio::spawn(loader.run());
        }
        Self { starting, attempts }
    }

    /// Returns whether no delivery should start now, because too many outcomes wait to be recorded.
    pub(super) fn is_full(&self) -> bool {
        self.attempts.is_full()
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
            if self.started.lock().await.recv_many(&mut started, LOADED_AT_ONCE).await == 0 {
                return;
            }
            let (claimed, mut held) = self.attempts.hold(started);
            let (loaded, is_complete) = load_readable(claimed, |claimed| self.load(claimed)).await;
            self.attempts.begin(loaded, &mut held);
            if !is_complete {
                // Otherwise the free slots would lead to further claims at once.
                tokio::time::sleep(AWAY).await;
            }
            // The leases of those that were not loaded are no longer renewed. Once they expire, they are claimed again.
            drop(held);
        }
    }

    async fn load(&self, claimed: Vec<Leased<ClaimedDelivery>>) -> Load {
        let app = self.attempts.app.clone();
        // In a separate task, so that a panic does not end this one.
        let read =
            tokio::spawn(
                async move { app.store().read(move |reader| reader.deliveries().load(claimed)).await },
            );
        match tokio::time::timeout(LEASE, read).await {
            Ok(Ok(Ok(loaded))) => Load::Done(loaded),
            Ok(Ok(Err(error))) if error.is_row_fault() => unreadable(&error),
            Ok(Err(panic)) => unreadable(&panic),
            Ok(Ok(Err(error))) if !error.is_away() && !matches!(error, StoreError::Closed) => {
                tracing::error!(%error, "Loading claimed deliveries failed");
                Load::Failed
            }
            Ok(Ok(Err(error))) => away(&error),
            Err(late) => away(&late),
        }
    }
}

/// Loads deliveries in one read. If that fails although the database answers, loads each delivery alone, because one that
/// fails must not stop those of others, and sets those aside whose rows cannot be read. Returns also whether the result has
/// every delivery.
async fn load_readable<L: Future<Output = Load>>(
    claimed: Vec<Leased<ClaimedDelivery>>,
    load: impl Fn(Vec<Leased<ClaimedDelivery>>) -> L,
) -> (Loaded, bool) {
    let mut all = Loaded::default();
    match load(claimed.clone()).await {
        Load::Done(loaded) => return (loaded, true),
        Load::Away => return (all, false),
        Load::Unreadable | Load::Failed => {}
    }
    let mut is_complete = true;
    for leased in claimed {
        match load(vec![leased.clone()]).await {
            Load::Done(loaded) => {
                all.due.extend(loaded.due);
                all.returned.extend(loaded.returned);
            }
            Load::Unreadable => all.returned.push((leased, GiveBack::SetAside)),
            Load::Failed => is_complete = false,
            Load::Away => return (all, false),
        }
    }
    (all, is_complete)
}

/// The result of a read.
enum Load {
    Done(Loaded),
    /// A row of the deliveries cannot be read.
    Unreadable,
    /// Something else failed, which may pass.
    Failed,
    /// The database does not answer.
    Away,
}

fn away(error: &dyn std::fmt::Display) -> Load {
    tracing::error!(%error, "Loading claimed deliveries failed");
    Load::Away
}

fn unreadable(error: &dyn std::fmt::Display) -> Load {
    tracing::error!(%error, "Claimed deliveries could not be read");
    Load::Unreadable
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_domain::owner::Owner;
    use link_store::WorkerId;
    use link_types::Mode;
    use link_types::id::{DeliveryId, WebhookId};

    fn claimed(number: u8) -> Leased<ClaimedDelivery> {
        let item = ClaimedDelivery {
            id: DeliveryId::from_bytes([number; 16]),
            owner: Owner { tenant: format!("tenant{number}").parse().unwrap(), mode: Mode::Sandbox },
            webhook_id: WebhookId::from_bytes([number; 16]),
            is_probe: false,
        };
        Leased { item, worker: WorkerId::from_random([1; 16]), fence: 1 }
    }

    /// Loads five deliveries with `read`. Returns what is not sent, and whether that is all.
    async fn load(
        read: impl Fn(&[Leased<ClaimedDelivery>]) -> Load,
    ) -> (Vec<(Leased<ClaimedDelivery>, GiveBack)>, bool) {
        let all = (1..=5).map(claimed).collect();
        let (loaded, is_complete) = load_readable(all, |claimed| std::future::ready(read(&claimed))).await;
        (loaded.returned, is_complete)
    }

    fn released(claimed: &[Leased<ClaimedDelivery>]) -> Load {
        let returned = claimed.iter().map(|leased| (leased.clone(), GiveBack::Release)).collect();
        Load::Done(Loaded { due: Vec::new(), returned })
    }

    #[tokio::test]
    async fn unreadable_delivery_is_set_aside_and_the_others_loaded() {
        let read = |deliveries: &[_]| match deliveries.contains(&claimed(3)) {
            true => Load::Unreadable,
            false => released(deliveries),
        };
        let expected: Vec<_> = (1..=5)
            .map(|number| (claimed(number), if number == 3 { GiveBack::SetAside } else { GiveBack::Release }))
            .collect();
        assert_eq!(load(read).await, (expected, true));
    }

    #[tokio::test]
    async fn nothing_is_set_aside_while_the_database_is_away() {
        assert_eq!(load(|_| Load::Away).await, (Vec::new(), false));
        let read = |deliveries: &[_]| if deliveries.len() > 1 { Load::Unreadable } else { Load::Away };
        assert_eq!(load(read).await, (Vec::new(), false));
    }

    #[tokio::test]
    async fn delivery_that_fails_for_another_reason_is_left_out() {
        let read = |deliveries: &[_]| match deliveries.contains(&claimed(3)) {
            true => Load::Failed,
            false => released(deliveries),
        };
        let expected: Vec<_> = [1, 2, 4, 5].map(|number| (claimed(number), GiveBack::Release)).into();
        assert_eq!(load(read).await, (expected, false));
    }
}
