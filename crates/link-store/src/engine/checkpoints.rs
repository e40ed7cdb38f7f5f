//! The write-ahead log is copied into the database beside the writer: nobody's commit waits for two files.

use std::path::Path;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use rusqlite::hooks::Wal;

use crate::StoreError;

/// How many pages a log has when something is done about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lengths {
    /// So many were committed since the last copy began: the next one begins.
    pub(super) copied_at: i32,
    /// The writer copies the rest itself. While commits follow each other there is always something new behind what was
    /// copied, and a log begins anew only when there is not.
    pub(super) ended_at: i32,
}

impl Lengths {
    /// 4 MB and 32 MB. A longer log makes the start after a crash slower, which reads all of it.
    pub(super) const USUAL: Lengths = Lengths { copied_at: 1_000, ended_at: 8_000 };
}

/// Copies a database's log, on a thread and a connection of its own.
pub(super) struct Checkpoints {
    lengths: Lengths,
    /// Pages in the log after the last commit.
    pages: Arc<AtomicI32>,
    /// How many there were when a copy was last asked for.
    asked_at: i32,
    /// Held while the thread copies.
    copying: Arc<Mutex<()>>,
    ask: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpoints {
    /// Looks after the log of `writer`, whose commits do so no more.
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
        // One that is asked for while another runs is the next one.
        let (ask, asked) = sync_channel(1);
        let copying = Arc::new(Mutex::new(()));
        let held = Arc::clone(&copying);
        let thread = std::thread::Builder::new()
            .name("store-checkpoints".to_owned())
            .spawn(move || copy_when_asked(&connection, &asked, &held))
            .map_err(StoreError::file("cannot start a thread for", path))?;
        Ok(Checkpoints { lengths, pages, asked_at: 0, copying, ask: Some(ask), thread: Some(thread) })
    }

    /// Waits for the copy that runs, and keeps the next one back while the guard lives: SQLite would refuse another
    /// connection's at once.
    pub(super) fn paused(&self) -> MutexGuard<'_, ()> {
        self.copying.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The log was copied and cut by somebody else.
    pub(super) fn emptied(&mut self) {
        self.pages.store(0, Ordering::Relaxed);
        self.asked_at = 0;
    }

    #[cfg(test)]
    pub(super) fn is_copying(&self) -> bool {
        self.copying.try_lock().is_err()
    }

    /// Sees to the log after a commit of `writer`.
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
            // Full: one is asked for already.
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
            tracing::error!("the thread that copies the write-ahead log panicked");
        }
    }
}

fn copy_when_asked(connection: &Connection, asked: &Receiver<()>, copying: &Mutex<()>) {
    while asked.recv().is_ok() {
        let _held = copying.lock().unwrap_or_else(PoisonError::into_inner);
        copy(connection);
    }
}

/// Copies what no reader needs to stay where it is; another copy that runs makes this one none.
fn copy(connection: &Connection) {
    if let Err(error) = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())) {
        tracing::warn!(%error, "the write-ahead log is not copied into the database; it is tried again");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: i32 = i32::MAX;

    /// A database in a folder, and what commits one row after the other.
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

    /// Pages in the log, and those of them that are in the database too.
    fn log(writer: &Connection) -> (i32, i32) {
        let columns = |row: &rusqlite::Row<'_>| Ok((row.get(1)?, row.get(2)?));
        writer.query_row("PRAGMA wal_checkpoint(NOOP)", [], columns).unwrap()
    }

    #[test]
    fn a_log_is_copied_beside_the_writer_once_it_is_long_enough() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = database(folder.path());
        let lengths = Lengths { copied_at: 20, ended_at: NEVER };
        let mut checkpoints =
            Checkpoints::start(&folder.path().join("linchpin.db"), &mut writer, lengths).unwrap();
        commit(&writer, &mut checkpoints, 5);
        assert_eq!(log(&writer).1, 0);
        commit(&writer, &mut checkpoints, 20);
        // The thread does what it was asked for before it ends.
        drop(checkpoints);
        assert!(log(&writer).1 >= 20, "{:?}", log(&writer));
    }

    #[test]
    fn a_log_that_grows_faster_than_it_is_copied_is_ended_by_the_writer() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = database(folder.path());
        let lengths = Lengths { copied_at: NEVER, ended_at: 50 };
        let mut checkpoints =
            Checkpoints::start(&folder.path().join("linchpin.db"), &mut writer, lengths).unwrap();
        for _ in 0..100 {
            commit(&writer, &mut checkpoints, 5);
            let (pages, _) = log(&writer);
            assert!(pages < 70, "{pages}");
        }
    }
}
