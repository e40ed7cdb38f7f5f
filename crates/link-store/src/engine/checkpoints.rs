//! Copies the write-ahead log into the database on a separate thread, so that no commit waits for two files.
//!
//! Between commits the same connection pins a snapshot of the log for all readers of the process.

use std::path::Path;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::hooks::Wal;

use crate::StoreError;

/// The log lengths, in pages, that trigger a checkpoint.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lengths {
    /// Start a checkpoint if this number of pages was committed since the last one began.
    pub(super) copied_at: i32,
    /// At this length the writer itself copies the rest. While commits follow each other there are always new pages
    /// after those already copied, and SQLite restarts a log only if there are none.
    pub(super) ended_at: i32,
}

impl Lengths {
    /// 4 MB and 32 MB. A longer log slows down the start after a crash, which reads all of it.
    pub(super) const USUAL: Lengths = Lengths { copied_at: 1_000, ended_at: 8_000 };
}

/// Copies a database's log, on its own thread and connection.
pub(super) struct Checkpoints {
    lengths: Lengths,
    /// The number of pages in the log after the last commit.
    pages: Arc<AtomicI32>,
    /// The number of pages when a checkpoint was last requested.
    asked_at: i32,
    /// Locked while the thread copies, while the log is truncated, and while a snapshot is pinned or released.
    pin: Arc<Mutex<SnapshotPin>>,
    ask: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpoints {
    /// Takes over checkpoints from `writer`, whose commits no longer run any.
    pub(super) fn start(
        path: &Path,
        writer: &mut Connection,
        lengths: Lengths,
    ) -> Result<Checkpoints, StoreError> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        // The writer uses this connection to pin snapshots and must not wait for a lock.
        connection.busy_timeout(Duration::ZERO)?;
        let pages = Arc::new(AtomicI32::new(0));
        let counted = Arc::clone(&pages);
        writer.wal_hook(Some(move |_: &mut Wal, pages| {
            counted.store(pages, Ordering::Relaxed);
            Ok(())
        }))?;
        // A request that arrives during a checkpoint starts the next one.
        let (ask, asked) = sync_channel(1);
        let pin = Arc::new(Mutex::new(SnapshotPin { connection, is_pinned: false }));
        let held = Arc::clone(&pin);
        let thread = std::thread::Builder::new()
            .name("store-checkpoints".to_owned())
            .spawn(move || copy_when_asked(&asked, &held))
            .map_err(StoreError::file("cannot start a thread for", path))?;
        let thread = Some(thread);
        Ok(Checkpoints { lengths, pages, asked_at: 0, pin, ask: Some(ask), thread })
    }

    /// Waits for the running checkpoint, and blocks the next one while the guard lives.
    ///
    /// SQLite would reject a checkpoint of another connection immediately. No snapshot is pinned in the meantime.
    pub(super) fn paused(&self) -> MutexGuard<'_, SnapshotPin> {
        let mut pin = self.pin.lock().unwrap_or_else(PoisonError::into_inner);
        pin.release_snapshot();
        pin
    }

    /// Pins a snapshot for readers, because there is nothing to write for now. Does nothing during a checkpoint.
    pub(super) fn pin_snapshot(&self) {
        if let Some(mut pin) = self.pin_now() {
            // The thread may have pinned one during a write, which is older than the last commit.
            pin.release_snapshot();
            pin.pin_snapshot();
        }
    }

    /// Releases the snapshot before a write, because SQLite restarts a log only if no snapshot is pinned.
    pub(super) fn release_snapshot(&self) {
        if let Some(mut pin) = self.pin_now() {
            pin.release_snapshot();
        }
    }

    /// Returns `None` during a checkpoint. There is no snapshot then, and the writer does not wait.
    fn pin_now(&self) -> Option<MutexGuard<'_, SnapshotPin>> {
        match self.pin.try_lock() {
            Ok(pin) => Some(pin),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Resets the counters after the log was truncated.
    pub(super) fn emptied(&mut self) {
        self.pages.store(0, Ordering::Relaxed);
        self.asked_at = 0;
    }

    #[cfg(test)]
    pub(super) fn is_copying(&self) -> bool {
        self.pin.try_lock().is_err()
    }

    /// Requests or runs a checkpoint after a commit of `writer`, if the log is long enough.
    pub(super) fn after_commit(&mut self, writer: &Connection) {
        let pages = self.pages.load(Ordering::Relaxed);
        if pages < self.asked_at {
            self.asked_at = 0;
        }
        if pages >= self.lengths.ended_at {
            self.release_snapshot();
            copy(writer);
        } else if pages - self.asked_at >= self.lengths.copied_at
            && let Some(ask) = &self.ask
        {
            self.asked_at = pages;
            // If the channel is full, a checkpoint is already requested.
            let _ = ask.try_send(());
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        drop(self.ask.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("The thread that copies the write-ahead log panicked");
        }
    }
}

fn copy_when_asked(asked: &Receiver<()>, pin: &Mutex<SnapshotPin>) {
    while asked.recv().is_ok() {
        let mut pin = pin.lock().unwrap_or_else(PoisonError::into_inner);
        pin.release_snapshot();
        copy(&pin.connection);
        // The writer may have been idle during the checkpoint.
        pin.pin_snapshot();
    }
}

/// A second connection, in addition to the writer's.
///
/// SQLite takes and releases a lock for each statement that reads. These are two system calls, which the readers of one
/// file make one after the other. While another connection of the process has the same snapshot pinned, they make none.
pub(super) struct SnapshotPin {
    connection: Connection,
    is_pinned: bool,
}

impl SnapshotPin {
    fn pin_snapshot(&mut self) {
        if self.is_pinned {
            return;
        }
        // A transaction pins its snapshot when it reads its first page.
        let kept = self.run("BEGIN").and_then(|()| self.run("PRAGMA schema_version"));
        self.is_pinned = !self.connection.is_autocommit();
        if let Err(error) = kept {
            tracing::warn!(%error, "Cannot pin a snapshot of the write-ahead log; reads are slower");
            self.release_snapshot();
        }
    }

    fn release_snapshot(&mut self) {
        if !self.is_pinned {
            return;
        }
        let given_up = self.run("COMMIT");
        self.is_pinned = !self.connection.is_autocommit();
        if let Err(error) = given_up {
            tracing::error!(%error, "Cannot release a snapshot of the write-ahead log; the log grows");
        }
    }

    fn run(&self, sql: &str) -> rusqlite::Result<()> {
        self.connection.prepare_cached(sql)?.exists([]).map(drop)
    }
}

/// Copies the pages that no reader needs in the log. Does nothing if another checkpoint is running.
fn copy(connection: &Connection) {
    if let Err(error) = checkpoint(connection, "PASSIVE") {
        tracing::warn!(%error, "The write-ahead log could not be copied into the database; it will be retried");
    }
}

/// The result of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Copied {
    /// Every page of the log is in the database.
    All,
    /// Some pages are not, because of a reader or another checkpoint.
    Part,
}

/// Runs `PRAGMA wal_checkpoint` in a mode.
pub(super) fn checkpoint(connection: &Connection, mode: &str) -> rusqlite::Result<Copied> {
    let pragma = format!("PRAGMA wal_checkpoint({mode})");
    connection.query_row(&pragma, [], |row| {
        let (busy, log, copied) = (row.get::<_, bool>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?);
        Ok(if !busy && log == copied { Copied::All } else { Copied::Part })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: i32 = i32::MAX;

    fn start(path: &Path, writer: &mut Connection, lengths: Lengths) -> Checkpoints {
        Checkpoints::start(path, writer, lengths).unwrap()
    }

    /// Creates a database in a folder, and returns a connection that writes to it.
    fn database(folder: &Path) -> Connection {
        let writer = Connection::open(folder.join("linchpin.db")).unwrap();
        writer.pragma_update(None, "journal_mode", "WAL").unwrap();
        writer.execute_batch("CREATE TABLE t (a)").unwrap();
        writer
    }

    fn commit(writer: &Connection, checkpoints: &mut Checkpoints, rows: usize) {
        for _ in 0..rows {
            writer.execute("INSERT INTO t VALUES (zeroblob(3000))", []).unwrap();
            checkpoints.after_commit(writer);
        }
    }

    /// Returns the number of pages in the log, and how many of them are also in the database.
    fn log(writer: &Connection) -> (i32, i32) {
        let columns = |row: &rusqlite::Row<'_>| Ok((row.get(1)?, row.get(2)?));
        writer.query_row("PRAGMA wal_checkpoint(NOOP)", [], columns).unwrap()
    }

    #[test]
    fn log_is_checkpointed_once_it_is_long_enough() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = database(folder.path());
        let lengths = Lengths { copied_at: 20, ended_at: NEVER };
        let mut checkpoints = start(&folder.path().join("linchpin.db"), &mut writer, lengths);
        commit(&writer, &mut checkpoints, 5);
        assert_eq!(log(&writer).1, 0);
        // Not one more: if the log is copied completely, the next commit starts a new one.
        while checkpoints.asked_at == 0 {
            commit(&writer, &mut checkpoints, 1);
        }
        // The thread finishes its request before it ends.
        drop(checkpoints);
        assert!(log(&writer).1 >= 20, "{:?}", log(&writer));
    }

    #[test]
    fn log_restarts_although_snapshots_are_pinned() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = database(folder.path());
        let lengths = Lengths { copied_at: NEVER, ended_at: 50 };
        let path = folder.path().join("linchpin.db");
        let mut checkpoints = start(&path, &mut writer, lengths);
        let other = Connection::open(&path).unwrap();
        other.busy_timeout(Duration::ZERO).unwrap();
        let empty = |by: &Connection| -> bool {
            by.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0)).unwrap()
        };
        for _ in 0..100 {
            checkpoints.release_snapshot();
            commit(&writer, &mut checkpoints, 5);
            checkpoints.pin_snapshot();
            assert!(log(&writer).0 < 70, "{:?}", log(&writer));
        }
        commit(&writer, &mut checkpoints, 1);
        checkpoints.release_snapshot();
        checkpoints.pin_snapshot();
        assert!(empty(&other), "a snapshot is pinned");
        let paused = checkpoints.paused();
        assert!(!empty(&other), "no snapshot is pinned");
        drop(paused);
    }

    #[test]
    fn snapshot_pinned_during_a_write_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = database(folder.path());
        let path = folder.path().join("linchpin.db");
        let mut checkpoints = start(&path, &mut writer, Lengths::USUAL);
        let rows_seen = |checkpoints: &Checkpoints| -> i32 {
            let pin = checkpoints.pin_now().unwrap();
            pin.connection.query_row("SELECT COUNT(*) FROM t", [], |row| row.get(0)).unwrap()
        };
        checkpoints.pin_snapshot();
        commit(&writer, &mut checkpoints, 1);
        assert_eq!(rows_seen(&checkpoints), 0, "the snapshot is older than the commit");
        checkpoints.pin_snapshot();
        assert_eq!(rows_seen(&checkpoints), 1);
    }

    #[test]
    fn reader_with_a_pinned_snapshot_sees_the_last_commit() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = database(folder.path());
        let path = folder.path().join("linchpin.db");
        let mut checkpoints = start(&path, &mut writer, Lengths::USUAL);
        let reader = Connection::open(&path).unwrap();
        for rows in 1..20 {
            // Readers see the last commit whether or not the writer releases the snapshot in time.
            if rows % 3 == 0 {
                checkpoints.release_snapshot();
            }
            commit(&writer, &mut checkpoints, 1);
            checkpoints.pin_snapshot();
            let seen: i32 = reader.query_row("SELECT COUNT(*) FROM t", [], |row| row.get(0)).unwrap();
            assert_eq!(seen, rows);
        }
    }

    #[test]
    fn writer_checkpoints_a_log_that_grows_too_fast() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = database(folder.path());
        let lengths = Lengths { copied_at: NEVER, ended_at: 50 };
        let mut checkpoints = start(&folder.path().join("linchpin.db"), &mut writer, lengths);
        for _ in 0..100 {
            commit(&writer, &mut checkpoints, 5);
            let (pages, _) = log(&writer);
            assert!(pages < 70, "{pages}");
        }
    }
}
