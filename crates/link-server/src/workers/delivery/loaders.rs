//! Loads deliveries that have their slots, many in one read, and starts their attempts.

use std::sync::Arc;
use std::time::Duration;

use link_store::{ClaimedDelivery, LEASE, Leased, Loaded, StoreError};
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::attempts::{Attempts, Started};

/// The number of reads that load deliveries at the same time.
const LOADERS: usize = 4;
/// The maximum number of deliveries that one read loads.
const LOADED_AT_ONCE: usize = 64;
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
            if self.started.lock().await.recv_many(&mut started, LOADED_AT_ONCE).await == 0 {
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
                async move { app.store().read(move |reader| reader.deliveries().load(claimed)).await },
            );
        let loaded: Result<Loaded, String> = match tokio::time::timeout(LEASE, read).await {
            Ok(Ok(loaded)) => loaded.map_err(|error: StoreError| error.to_string()),
            Ok(Err(panic)) => Err(panic.to_string()),
            Err(late) => Err(late.to_string()),
        };
        loaded.inspect_err(|error| tracing::error!(%error, "Loading claimed deliveries failed")).ok()
    }
}
