//! Readiness: checks on request whether the database can be read and written, and caches the result briefly.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use link_store::{PoolHealth, Store, StoreError};
use tokio::sync::Mutex;

/// How long a result is cached, so that frequent health checks cost little.
const REMEMBERED: Duration = Duration::from_secs(1);
/// How long the database may take to respond.
const TIMEOUT: Duration = Duration::from_secs(3);
/// The number of bytes that a check writes after a failed write. It is more than any request writes, so if there is
/// room for it, there is room for all requests.
const AMPLE: usize = 1 << 20;

/// A fault of the database that a problem reveals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageError {
    /// A write failed because the disk is full or the device rejected it.
    Unwritable,
    /// The database file is damaged.
    Damaged,
}

/// The health of a service's database.
#[derive(Debug, Default)]
pub struct Readiness {
    /// The last result. Locked during a check, so concurrent callers wait for it.
    last: Mutex<Option<(Instant, bool)>>,
    /// A request's write has failed since the last successful check.
    unwritable: AtomicBool,
    /// A request found a damaged page. Only restoring a backup fixes that, so this is never reset.
    damaged: AtomicBool,
}

impl Readiness {
    /// Returns true if requests can be served. Checks the database at most once a second.
    pub async fn is_ready(&self, store: &Store) -> bool {
        let mut last = self.last.lock().await;
        if let Some((at, ready)) = *last
            && at.elapsed() < REMEMBERED
        {
            return ready && !self.is_failing();
        }
        let before = last.is_none_or(|(_, ready)| ready);
        // One good connection answers every check, while requests meet the others.
        if let Some(pool) = store.pool_health().filter(|it| !it.is_good()) {
            if before {
                let PoolHealth { connections, failing, fault } = pool;
                tracing::error!(
                    connections,
                    failing,
                    fault,
                    "Not ready: most connections to PostgreSQL fail"
                );
            }
            *last = Some((Instant::now(), false));
            return false;
        }
        let was_failing = self.unwritable.load(Ordering::Relaxed);
        let looked = tokio::time::timeout(TIMEOUT, look(store, if was_failing { AMPLE } else { 0 })).await;
        let ready = match looked {
            Ok(Ok(())) => {
                if was_failing {
                    self.unwritable.store(false, Ordering::Relaxed);
                }
                true
            }
            Ok(Err(error)) => {
                self.note(error.is_damage().then_some(StorageError::Damaged));
                self.note(error.is_unwritable().then_some(StorageError::Unwritable));
                if before && !error.is_away() {
                    tracing::error!(%error, "Not ready: the database cannot be read and written");
                }
                false
            }
            Err(_) => {
                if before {
                    tracing::error!("Not ready: the database did not respond within 3 seconds");
                }
                false
            }
        };
        if ready && !before {
            tracing::warn!("Ready again: the database can be read and written");
        }
        *last = Some((Instant::now(), ready));
        ready && !self.is_failing()
    }

    /// Records a storage fault of a request.
    pub fn note(&self, fault: Option<StorageError>) {
        match fault {
            Some(StorageError::Unwritable) => self.unwritable.store(true, Ordering::Relaxed),
            Some(StorageError::Damaged) if !self.damaged.swap(true, Ordering::Relaxed) => {
                tracing::error!("The database is damaged; restore a backup (docs/how-to/operating.md)");
            }
            Some(StorageError::Damaged) | None => {}
        }
    }

    fn is_failing(&self) -> bool {
        self.unwritable.load(Ordering::Relaxed) || self.damaged.load(Ordering::Relaxed)
    }
}

/// Reads a little of every table, and writes `ample` bytes.
async fn look(store: &Store, ample: usize) -> Result<(), StoreError> {
    store.probe().await?;
    store.write(move |tx| tx.probe(ample)).await?;
    if ample > 0 {
        // Free the space again.
        store.write(|tx| tx.probe(0)).await?;
    }
    Ok(())
}
