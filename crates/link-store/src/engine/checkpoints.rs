//! The write-ahead log is copied into the database beside the writer: nobody's commit waits for two files. Between commits
//! the same connection keeps a place in the log for all readers of the process.

use std::path::Path;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::hooks::Wal;

use super::log_mark::{LogMark, checkpoint};
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
    /// Held while the thread copies, while the log is emptied, and while a place is kept or given up.
    beside: Arc<Mutex<Beside>>,
    ask: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    mark: Arc<LogMark>,
}

impl Checkpoints {
    /// Looks after the log of `writer`, whose commits do so no more.
    pub(super) fn start(
        path: &Path,
        writer: &mut Connection,
        lengths: Lengths,
        mark: Arc<LogMark>,
    ) -> Result<Checkpoints, StoreError> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        // The writer keeps places with it, and waits for none.
        connection.busy_timeout(Duration::ZERO)?;
        let pages = Arc::new(AtomicI32::new(0));
        let counted = Arc::clone(&pages);
        writer.wal_hook(Some(move |_: &mut Wal, pages| {
            counted.store(pages, Ordering::Relaxed);
            Ok(())
        }))?;
        // One that is asked for while another runs is the next one.
        let (ask, asked) = sync_channel(1);
        let beside = Arc::new(Mutex::new(Beside { connection, keeps_place: false }));
        let (held, marked) = (Arc::clone(&beside), Arc::clone(&mark));
        let thread = std::thread::Builder::new()
            .name("store-checkpoints".to_owned())
            .spawn(move || copy_when_asked(&asked, &held, &marked))
            .map_err(StoreError::file("cannot start a thread for", path))?;
        let thread = Some(thread);
        Ok(Checkpoints { lengths, pages, asked_at: 0, beside, ask: Some(ask), thread, mark })
    }

    /// What records the checkpoints.
    pub(super) fn mark(&self) -> &LogMark {
        &self.mark
    }

    /// Ends the thread and closes its connection. The mark must outlive the writer's connection.
    pub(super) fn close(self) -> Arc<LogMark> {
        Arc::clone(&self.mark)
    }

    /// Waits for the copy that runs, and keeps the next one back while the guard lives: SQLite would refuse another
    /// connection's at once. No place is kept meanwhile.
    pub(super) fn paused(&self) -> MutexGuard<'_, Beside> {
        let mut beside = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        beside.give_up_place();
        beside
    }

    /// Nothing is to be written for now: readers find a place in the log, unless it is being copied.
    pub(super) fn keep_place(&self) {
        if let Some(mut beside) = self.beside_now() {
            // The thread may have kept one while something was being written: it is of the commit before.
            beside.give_up_place();
            beside.keep_place();
        }
    }

    /// Something is to be written: a log begins anew only when nobody has a place in it.
    pub(super) fn give_up_place(&self) {
        if let Some(mut beside) = self.beside_now() {
            beside.give_up_place();
        }
    }

    /// `None` while the log is being copied: there is no place then, and the writer does not wait.
    fn beside_now(&self) -> Option<MutexGuard<'_, Beside>> {
        match self.beside.try_lock() {
            Ok(beside) => Some(beside),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The log was copied and cut by somebody else.
    pub(super) fn emptied(&mut self) {
        self.pages.store(0, Ordering::Relaxed);
        self.asked_at = 0;
    }

    #[cfg(test)]
    pub(super) fn is_copying(&self) -> bool {
        self.beside.try_lock().is_err()
    }

    /// Sees to the log after a commit of `writer`.
    pub(super) fn after_commit(&mut self, writer: &Connection) {
        let pages = self.pages.load(Ordering::Relaxed);
        if pages < self.asked_at {
            self.asked_at = 0;
        }
        if pages >= self.lengths.ended_at {
            self.give_up_place();
            copy(writer, &self.mark);
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

fn copy_when_asked(asked: &Receiver<()>, beside: &Mutex<Beside>, mark: &LogMark) {
    while asked.recv().is_ok() {
        let mut beside = beside.lock().unwrap_or_else(PoisonError::into_inner);
        beside.give_up_place();
        copy(&beside.connection, mark);
        // The writer may have been idle for as long as this took.
        beside.keep_place();
    }
}

/// The connection beside the writer.
///
/// SQLite takes a lock for each statement that reads and gives it back after it: two system calls, which the readers of one
/// file make one after the other. While another connection of the process has the same place in the log they make none.
pub(super) struct Beside {
    connection: Connection,
    keeps_place: bool,
}

impl Beside {
    fn keep_place(&mut self) {
        if self.keeps_place {
            return;
        }
        // A transaction has its place from the first page that it reads on.
        let kept = self.run("BEGIN").and_then(|()| self.run("PRAGMA schema_version"));
        self.keeps_place = !self.connection.is_autocommit();
        if let Err(error) = kept {
            tracing::warn!(%error, "readers find no place in the write-ahead log: they are slower");
            self.give_up_place();
        }
    }

    fn give_up_place(&mut self) {
        if !self.keeps_place {
            return;
        }
        let given_up = self.run("COMMIT");
        self.keeps_place = !self.connection.is_autocommit();
        if let Err(error) = given_up {
            tracing::error!(%error, "a place in the write-ahead log is not given up: the log grows until it is");
        }
    }

    fn run(&self, sql: &str) -> rusqlite::Result<()> {
        self.connection.prepare_cached(sql)?.exists([]).map(drop)
    }
}

/// Copies what no reader needs to stay where it is; another copy that runs makes this one none.
fn copy(connection: &Connection, mark: &LogMark) {
    if let Err(error) = checkpoint(connection, "PASSIVE", Some(mark)) {
        tracing::warn!(%error, "the write-ahead log is not copied into the database; it is tried again");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: i32 = i32::MAX;

    fn start(path: &Path, writer: &mut Connection, lengths: Lengths) -> Checkpoints {
        let mark = Arc::new(LogMark::open(path).unwrap());
        Checkpoints::start(path, writer, lengths, mark).unwrap()
    }

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
        let mut checkpoints = start(&folder.path().join("linchpin.db"), &mut writer, lengths);
        commit(&writer, &mut checkpoints, 5);
        assert_eq!(log(&writer).1, 0);
        // Not one more: behind a log that is copied whole the next commit begins another.
        while checkpoints.asked_at == 0 {
            commit(&writer, &mut checkpoints, 1);
        }
        // The thread does what it was asked for before it ends.
        drop(checkpoints);
        assert!(log(&writer).1 >= 20, "{:?}", log(&writer));
    }

    #[test]
    fn a_log_is_emptied_and_begins_anew_although_places_are_kept_in_it() {
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
            checkpoints.give_up_place();
            commit(&writer, &mut checkpoints, 5);
            checkpoints.keep_place();
            assert!(log(&writer).0 < 70, "{:?}", log(&writer));
        }
        commit(&writer, &mut checkpoints, 1);
        checkpoints.give_up_place();
        checkpoints.keep_place();
        assert!(empty(&other), "somebody has a place in it");
        let paused = checkpoints.paused();
        assert!(!empty(&other), "nobody has");
        drop(paused);
    }

    #[test]
    fn a_place_that_was_kept_during_a_write_is_changed_for_one_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = database(folder.path());
        let path = folder.path().join("linchpin.db");
        let mut checkpoints = start(&path, &mut writer, Lengths::USUAL);
        let rows_seen = |checkpoints: &Checkpoints| -> i32 {
            let beside = checkpoints.beside_now().unwrap();
            beside.connection.query_row("SELECT COUNT(*) FROM t", [], |row| row.get(0)).unwrap()
        };
        checkpoints.keep_place();
        commit(&writer, &mut checkpoints, 1);
        assert_eq!(rows_seen(&checkpoints), 0, "the place is of the commit before");
        checkpoints.keep_place();
        assert_eq!(rows_seen(&checkpoints), 1);
    }

    #[test]
    fn who_reads_from_a_kept_place_sees_what_was_committed_last() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = database(folder.path());
        let path = folder.path().join("linchpin.db");
        let mut checkpoints = start(&path, &mut writer, Lengths::USUAL);
        let reader = Connection::open(&path).unwrap();
        for rows in 1..20 {
            // Whether it is given up in time is the writer's affair: a reader sees the last commit all the same.
            if rows % 3 == 0 {
                checkpoints.give_up_place();
            }
            commit(&writer, &mut checkpoints, 1);
            checkpoints.keep_place();
            let seen: i32 = reader.query_row("SELECT COUNT(*) FROM t", [], |row| row.get(0)).unwrap();
            assert_eq!(seen, rows);
        }
    }

    #[test]
    fn a_log_that_grows_faster_than_it_is_copied_is_ended_by_the_writer() {
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
