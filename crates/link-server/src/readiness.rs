//! Whether the database reads and writes, looked at when somebody asks and remembered for a moment.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use link_store::{Store, StoreError};
use tokio::sync::Mutex;

use crate::http::problem::StorageFault;

/// An answer holds this long: that many seconds apart are the looks, however often strangers ask.
const REMEMBERED: Duration = Duration::from_secs(1);
/// A database that answers later than this is not ready.
const PATIENCE: Duration = Duration::from_secs(3);
/// What a look writes after a write failed: more than any request, so that room for it is room for all of them.
const AMPLE: usize = 1 << 20;

/// The health of a service's database.
#[derive(Debug, Default)]
pub struct Readiness {
    /// Held during a look: whoever asks meanwhile waits for it.
    last: Mutex<Option<(Instant, bool)>>,
    /// A write of a request failed since the last look that had ample room.
    unwritable: AtomicBool,
    /// A request met a damaged page. It stays damaged until somebody restores a back-up.
    damaged: AtomicBool,
}

impl Readiness {
    /// Whether requests can be served. Looks at most once a second.
    pub async fn is_ready(&self, store: &Store) -> bool {
        let mut last = self.last.lock().await;
        if let Some((at, ready)) = *last
            && at.elapsed() < REMEMBERED
        {
            return ready && !self.is_failing();
        }
        let was_failing = self.unwritable.load(Ordering::Relaxed);
        let looked = tokio::time::timeout(PATIENCE, look(store, if was_failing { AMPLE } else { 0 })).await;
        let before = last.is_none_or(|(_, ready)| ready);
        let ready = match looked {
            Ok(Ok(())) => {
                if was_failing {
                    self.unwritable.store(false, Ordering::Relaxed);
                }
                true
            }
            Ok(Err(error)) => {
                self.note(error.is_damage().then_some(StorageFault::Damaged));
                self.note(error.is_unwritable().then_some(StorageFault::Unwritable));
                if before {
                    tracing::error!(%error, "not ready: the database does not read and write");
                }
                false
            }
            Err(_) => {
                if before {
                    tracing::error!("not ready: the database does not answer within 3 seconds");
                }
                false
            }
        };
        if ready && !before {
            tracing::warn!("ready again: the database reads and writes");
        }
        *last = Some((Instant::now(), ready));
        ready && !self.is_failing()
    }

    /// Takes note of what a request met.
    pub fn note(&self, fault: Option<StorageFault>) {
        match fault {
            Some(StorageFault::Unwritable) => self.unwritable.store(true, Ordering::Relaxed),
            Some(StorageFault::Damaged) if !self.damaged.swap(true, Ordering::Relaxed) => {
                tracing::error!(
                    "the database is damaged: the service is not ready until a back-up is restored (docs/how-to/operating.md)"
                );
            }
            Some(StorageFault::Damaged) | None => {}
        }
    }

    fn is_failing(&self) -> bool {
        self.unwritable.load(Ordering::Relaxed) || self.damaged.load(Ordering::Relaxed)
    }
}

/// Reads a little of every table, and writes.
async fn look(store: &Store, ample: usize) -> Result<(), StoreError> {
    store.read(|reader| reader.probe()).await?;
    store.write(move |tx| tx.probe(ample)).await?;
    if ample > 0 {
        // Gives the room back.
        store.write(|tx| tx.probe(0)).await?;
    }
    Ok(())
}
