//! Read connections, one per thread. The engine can close them while their threads live on.
//!
//! Our own: on the caller's thread, a read has 0.59 to 0.73 of bare axum's rate; through `spawn_blocking`, as in
//! deadpool-sqlite, 0.31 (ADR 1).

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::StoreError;

thread_local! {
    static READERS: RefCell<HashMap<u64, Arc<Slot>>> = RefCell::default();
}

static NEXT: AtomicU64 = AtomicU64::new(0);

/// The connection slot of one thread.
#[derive(Default)]
struct Slot(Mutex<State>);

#[derive(Default)]
struct State {
    connection: Option<Connection>,
    /// The number of reads in progress on this thread.
    reading: usize,
}

impl Slot {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The read connections of one engine.
pub(super) struct Readers {
    id: u64,
    slots: Mutex<Vec<Weak<Slot>>>,
    closed: AtomicBool,
}

impl Readers {
    pub(super) fn new() -> Readers {
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Readers { id, slots: Mutex::default(), closed: AtomicBool::new(false) }
    }

    /// Reads on this thread's connection. `open` opens it if there is none.
    ///
    /// # Errors
    ///
    /// [`StoreError::Closed`] after [`Readers::close`], and the errors of `open` and `read`.
    pub(super) fn read<T>(
        &self,
        open: impl FnOnce() -> Result<Connection, StoreError>,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let slot = READERS.with_borrow_mut(|readers| match readers.get(&self.id) {
            Some(slot) => Arc::clone(slot),
            None => Arc::clone(readers.entry(self.id).or_insert(self.new_slot())),
        });
        let kept = {
            let mut state = slot.state();
            // Checked under the slot's lock, so that `close` sees either this read or its end.
            if self.closed.load(Ordering::SeqCst) {
                return Err(StoreError::Closed);
            }
            state.reading += 1;
            state.connection.take()
        };
        let mut reading = Reading { readers: self, slot: &slot, connection: None };
        let connection = match kept {
            Some(connection) => connection,
            None => open()?,
        };
        let result = read(&connection);
        reading.connection = Some(connection);
        result
    }

    fn new_slot(&self) -> Arc<Slot> {
        let slot = Arc::new(Slot::default());
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|slot| slot.strong_count() > 0);
        slots.push(Arc::downgrade(&slot));
        slot
    }

    /// Rejects later reads, waits for those in progress, and closes all connections. Returns whether it closed them
    /// all.
    pub(super) fn close(&self, timeout: Duration) -> bool {
        self.closed.store(true, Ordering::SeqCst);
        let slots = std::mem::take(&mut *self.slots.lock().unwrap_or_else(PoisonError::into_inner));
        let began = Instant::now();
        for slot in slots.iter().filter_map(Weak::upgrade) {
            loop {
                let mut state = slot.state();
                if state.reading == 0 {
                    state.connection = None;
                    break;
                }
                drop(state);
                if began.elapsed() >= timeout {
                    return false;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        true
    }
}

/// A read in progress. Dropping it keeps the connection for the next read. A read that panics loses its connection.
struct Reading<'a> {
    readers: &'a Readers,
    slot: &'a Slot,
    connection: Option<Connection>,
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        let mut state = self.slot.state();
        state.reading -= 1;
        if !self.readers.closed.load(Ordering::SeqCst) {
            state.connection = self.connection.take();
        }
        // Closed while the lock is held, so that a waiting `close` finds no open connection.
        drop(self.connection.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_closes_connections_of_live_threads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.db");
        let open = || Ok(Connection::open(&path)?);
        let readers = Readers::new();
        std::thread::scope(|scope| {
            let (stop, stopped) = std::sync::mpsc::channel::<()>();
            let (done, ready) = std::sync::mpsc::channel();
            let readers = &readers;
            scope.spawn(move || {
                readers.read(open, |it| Ok(it.execute_batch("CREATE TABLE t (a)")?)).unwrap();
                done.send(()).unwrap();
                let _ = stopped.recv();
            });
            ready.recv().unwrap();
            assert!(readers.close(Duration::ZERO));
            assert!(matches!(readers.read(open, |_| Ok(())), Err(StoreError::Closed)));
            drop(stop);
        });
    }

    #[test]
    fn close_waits_for_a_read_in_progress() {
        let readers = Readers::new();
        let open = || Ok(Connection::open_in_memory()?);
        readers
            .read(open, |_| {
                assert!(!readers.close(Duration::ZERO));
                Ok(())
            })
            .unwrap();
        assert!(readers.close(Duration::ZERO));
    }
}
