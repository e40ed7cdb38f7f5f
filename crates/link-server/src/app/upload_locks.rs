//! Locks that allow one request at a time to use an upload.
//!
//! A newer request asks the older one to stop: on a phone, the older connection may be dead long before the service
//! notices.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use link_types::id::FileId;
use tokio::sync::{OwnedMutexGuard, watch};
use tokio::time::timeout;

/// How long a newer request waits for the older one to stop. The older one only has to store the bytes it received.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The locks of all uploads of this process.
#[derive(Debug, Clone, Default)]
pub struct UploadLocks(Arc<Mutex<HashMap<FileId, Arc<Slot>>>>);

#[derive(Debug)]
struct Slot {
    newest: watch::Sender<u64>,
    lock: Arc<tokio::sync::Mutex<()>>,
}

/// The lock on one upload. Dropping it releases the lock.
#[derive(Debug)]
pub struct UploadLock {
    locks: UploadLocks,
    id: FileId,
    mine: u64,
    newest: watch::Receiver<u64>,
    slot: Option<Arc<Slot>>,
    guard: Option<OwnedMutexGuard<()>>,
}

impl UploadLocks {
    /// Waits for the lock and asks its holder to stop. Returns `None` if the holder does not stop in time, or if an
    /// even newer request arrives.
    pub async fn take(&self, id: &FileId) -> Option<UploadLock> {
        let mut lock = self.queue(id);
        let mutex = Arc::clone(&lock.slot.as_ref()?.lock);
        let mut newest = lock.newest.clone();
        let mine = lock.mine;
        let guard = tokio::select! {
            guard = timeout(TIMEOUT, mutex.lock_owned()) => guard.ok()?,
            _ = newest.wait_for(|newest| *newest > mine) => return None,
        };
        lock.guard = Some(guard);
        Some(lock)
    }

    /// Returns true if a request holds the lock or waits for it.
    pub fn is_wanted(&self, id: &FileId) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(id)
    }

    fn queue(&self, id: &FileId) -> UploadLock {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Slot { newest: watch::Sender::new(0), lock: Arc::default() });
        let slot = Arc::clone(slots.entry(id.clone()).or_insert_with(new));
        let mut mine = 0;
        slot.newest.send_modify(|newest| {
            *newest += 1;
            mine = *newest;
        });
        let newest = slot.newest.subscribe();
        UploadLock { locks: self.clone(), id: id.clone(), mine, newest, slot: Some(slot), guard: None }
    }
}

impl UploadLock {
    /// Completes when a newer request asks for the lock.
    pub async fn is_wanted(&mut self) {
        let mine = self.mine;
        // An error is impossible: the sender lives in the slot that this lock holds.
        if self.newest.wait_for(|newest| *newest > mine).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for UploadLock {
    fn drop(&mut self) {
        self.guard = None;
        let mut slots = self.locks.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.slot = None;
        if slots.get(&self.id).is_some_and(|slot| Arc::strong_count(slot) == 1) {
            slots.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> FileId {
        FileId::from_bytes([7; 16])
    }

    #[tokio::test]
    async fn newer_request_takes_over_after_older_stops() {
        let locks = UploadLocks::default();
        let mut older = locks.take(&id()).await.unwrap();
        assert!(locks.is_wanted(&id()));
        let newer = tokio::spawn({
            let locks = locks.clone();
            async move { locks.take(&id()).await }
        });
        older.is_wanted().await;
        assert!(!newer.is_finished(), "the older still holds the lock");
        drop(older);
        assert!(newer.await.unwrap().is_some());
        assert!(!locks.is_wanted(&id()));
        assert!(locks.0.lock().unwrap().is_empty(), "unused uploads leave no entries");
    }

    #[tokio::test]
    async fn newest_of_two_waiting_requests_wins() {
        let locks = UploadLocks::default();
        let mut first = locks.take(&id()).await.unwrap();
        let spawn = |locks: UploadLocks| tokio::spawn(async move { locks.take(&id()).await });
        let second = spawn(locks.clone());
        first.is_wanted().await;
        let third = spawn(locks.clone());
        assert!(second.await.unwrap().is_none());
        drop(first);
        assert!(third.await.unwrap().is_some());
    }

    #[tokio::test]
    async fn locks_of_different_uploads_are_independent() {
        let locks = UploadLocks::default();
        let _held = locks.take(&id()).await.unwrap();
        assert!(locks.take(&FileId::from_bytes([8; 16])).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_for_stuck_request_times_out() {
        let locks = UploadLocks::default();
        let _held = locks.take(&id()).await.unwrap();
        assert!(locks.take(&id()).await.is_none());
    }
}
