//! Loads deliveries that have their slots, many in one read, and starts their attempts.

use std::sync::Arc;

use link_store::{ClaimedDelivery, GiveBack, LEASE, Leased, Loaded, StoreError};
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::attempts::{Attempts, Started};

/// The number of reads that load deliveries at the same time.
const LOADERS: usize = 4;
/// The maximum number of deliveries that one read loads.
const LOADED_AT_ONCE: usize = 64;

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
            match self.load(claimed.clone()).await {
                Load::Done(loaded) => self.attempts.begin(loaded, &mut held),
                // One row that cannot be read must not stop the deliveries of others.
                Load::Unreadable => {
                    for leased in claimed {
                        match self.load(vec![leased.clone()]).await {
                            Load::Done(loaded) => self.attempts.begin(loaded, &mut held),
                            Load::Unreadable => {
                                let returned = vec![(leased, GiveBack::SetAside)];
                                self.attempts.begin(Loaded { due: Vec::new(), returned }, &mut held);
                            }
                            Load::Away => break,
                        }
                    }
                }
                // The leases are no longer renewed. Once they expire, the deliveries are claimed again.
                Load::Away => {}
            }
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
            Ok(Ok(Err(error @ StoreError::Closed))) => away(&error),
            Ok(Ok(Err(error))) if error.is_away() => away(&error),
            Ok(Ok(Err(error))) => unreadable(&error),
            Ok(Err(panic)) => unreadable(&panic),
            Err(late) => away(&late),
        }
    }
}

/// The result of a read.
enum Load {
    Done(Loaded),
    /// A row of the deliveries cannot be read.
    Unreadable,
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
