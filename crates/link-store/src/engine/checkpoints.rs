//! Copies the write-ahead log into the database on a separate thread, so that no commit waits for two files.

use std::path::Path;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

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
    /// The connection that copies. Locked while the thread copies, and while the log is truncated.
    copying: Arc<Mutex<Connection>>,
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
        let pages = Arc::new(AtomicI32::new(0));
        let counted = Arc::clone(&pages);
        writer.wal_hook(Some(move |_: &mut Wal, pages| {
            counted.store(pages, Ordering::Relaxed);
            Ok(())
        }))?;
        // A request that arrives during a checkpoint starts the next one.
        let (ask, asked) = sync_channel(1);
        let copying = Arc::new(Mutex::new(connection));
        let copies = Arc::clone(&copying);
        let thread = std::thread::Builder::new()
            .name("store-checkpoints".to_owned())
            .spawn(move || copy_when_asked(&asked, &copies))
            .map_err(StoreError::file("cannot start a thread for", path))?;
        let thread = Some(thread);
        Ok(Checkpoints { lengths, pages, asked_at: 0, copying, ask: Some(ask), thread })
    }

    /// Waits for the running checkpoint, and blocks the next one while the guard lives.
    ///
    /// SQLite would reject a checkpoint of another connection immediately.
    pub(super) fn pause(&self) -> MutexGuard<'_, Connection> {
        self.copying.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Resets the counters after the log was truncated.
    pub(super) fn reset(&mut self) {
        self.pages.store(0, Ordering::Relaxed);
        self.asked_at = 0;
    }

    #[cfg(test)]
    pub(super) fn is_copying(&self) -> bool {
        self.copying.try_lock().is_err()
    }

    /// Requests or runs a checkpoint after a commit of `writer`, if the log is long enough.
    pub(super) fn after_commit(&mut self, writer: &Connection) {
        let pages = self.pages.load(Ordering::Relaxed);
        if pages < self.asked_at {
            self.asked_at = 0;
        }
        if pages >= self.lengths.ended_at {
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

fn copy_when_asked(asked: &Receiver<()>, copying: &Mutex<Connection>) {
    while asked.recv().is_ok() {
        copy(&copying.lock().unwrap_or_else(PoisonError::into_inner));
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
        let path = folder.path().join("linchpin.db");
        let mut checkpoints = Checkpoints::start(&path, &mut writer, lengths).unwrap();
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
    fn writer_checkpoints_a_log_that_grows_too_fast() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = database(folder.path());
        let lengths = Lengths { copied_at: NEVER, ended_at: 50 };
        let path = folder.path().join("linchpin.db");
        let mut checkpoints = Checkpoints::start(&path, &mut writer, lengths).unwrap();
        for _ in 0..100 {
            commit(&writer, &mut checkpoints, 5);
            let (pages, _) = log(&writer);
            assert!(pages < 70, "{pages}");
        }
    }
}
