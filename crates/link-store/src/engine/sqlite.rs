//! SQLite: one writer thread with group commit, and reads on the caller's thread.
//!
//! Our own: committing units in groups was 8 to 19 times as fast as one commit for each (ADR 1).

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::checkpoints::{Checkpoints, Copied, Lengths, checkpoint};
use super::folder::Folder;
use super::group::{Savepoints, attempt_group};
use super::held_log::HeldLog;
use super::readers::Readers;
use super::unit::{Unit, Verdict};
use crate::StoreError;
use crate::sql::Session;

/// The maximum number of units per transaction. A benchmark also measures with 1.
pub(crate) static MAX_GROUP: AtomicUsize = AtomicUsize::new(256);
/// How long to wait before trying again to truncate a log that a reader held.
const LOG_AGAIN: Duration = Duration::from_secs(1);
/// How long that attempt waits for readers. Writers wait for it too.
const READERS_AGAIN: Duration = Duration::from_millis(100);
/// The size of the cache of prepared statements. There are fewer distinct statements.
const CACHED_STATEMENTS: usize = 512;
/// How long to wait for a lock of another connection.
const BUSY: Duration = Duration::from_secs(5);
/// How long to wait for the write lock while another program has not released it for [`BUSY`]. All units in the queue wait.
const LOCKED_WAIT: Duration = Duration::from_millis(50);
/// How long an erasure waits for readers, so that the erased pages leave the log. All writers wait for it too.
const ERASURE_WAIT: Duration = Duration::from_secs(1);

/// A SQLite database that this process owns.
pub(crate) struct SqliteEngine {
    readers: Readers,
    /// `None` for a database in memory, which has only the writer's connection.
    path: Option<PathBuf>,
    queue: Mutex<Option<Sender<Box<dyn Unit>>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    /// The number of [`LongRead`]s.
    long_reads: Arc<AtomicUsize>,
    held: HeldLog,
}

/// Lets the writer know, until it is dropped, that a read lasts long: an erasure then does not wait for readers.
pub(crate) struct LongRead(Arc<AtomicUsize>);

impl Drop for LongRead {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl SqliteEngine {
    /// Opens the database of a folder and starts its writer. `prepare` runs first, on the writer's connection.
    pub(crate) fn open(
        folder: Folder,
        prepare: impl FnOnce(&Connection) -> Result<(), StoreError>,
    ) -> Result<SqliteEngine, StoreError> {
        let path = folder.database();
        folder.close_database()?;
        let connection = Connection::open(&path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        // An operator may open the file with another tool.
        connection.busy_timeout(BUSY)?;
        Self::start(connection, Some(path), Some(folder), prepare)
    }

    /// Opens a database in memory.
    pub(crate) fn in_memory(
        prepare: impl FnOnce(&Connection) -> Result<(), StoreError>,
    ) -> Result<SqliteEngine, StoreError> {
        Self::start(Connection::open_in_memory()?, None, None, prepare)
    }

    fn start(
        mut connection: Connection,
        path: Option<PathBuf>,
        folder: Option<Folder>,
        prepare: impl FnOnce(&Connection) -> Result<(), StoreError>,
    ) -> Result<SqliteEngine, StoreError> {
        connection.pragma_update(None, "secure_delete", "ON")?;
        // Savepoint journals stay in memory. Otherwise SQLite writes a file for each unit.
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        keep_statements(&connection)?;
        prepare(&connection)?;
        let (mut log, mut checkpoints) = (Log::Clean, None);
        if let Some(path) = &path {
            log = Log::empty_at_start(&connection)?;
            checkpoints = Some(Checkpoints::start(path, &mut connection, Lengths::USUAL)?);
        }
        let (queue, units) = channel();
        let long_reads = Arc::new(AtomicUsize::new(0));
        let (seen, held) = (Arc::clone(&long_reads), HeldLog::default());
        let noted = held.clone();
        let writer = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || {
                let mut writer = Writer::new(connection, log, checkpoints, (seen, noted));
                writer.write_groups(&units);
                writer.close();
                drop(folder);
            })
            .map_err(StoreError::file(
                "cannot start the writer thread of",
                path.as_deref().unwrap_or(Path::new("memory")),
            ))?;
        Ok(SqliteEngine {
            readers: Readers::new(),
            path,
            queue: Mutex::new(Some(queue)),
            writer: Mutex::new(Some(writer)),
            long_reads,
            held,
        })
    }

    /// Queues a unit for the writer.
    pub(crate) fn submit(&self, unit: Box<dyn Unit>) {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let refused = match queue {
            Some(queue) => queue.send(unit).err().map(|refused| refused.0),
            None => Some(unit),
        };
        if let Some(unit) = refused {
            unit.settle(Err(StoreError::Closed));
        }
    }

    /// Returns the path of the database file, or `None` for a database in memory.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns for how long a reader of another program has kept erased pages in the log.
    pub(crate) fn log_is_held_for(&self) -> Option<Duration> {
        self.held.lasts().filter(|_| self.long_reads.load(Ordering::SeqCst) == 0)
    }

    /// Begins a read that lasts long, such as a backup.
    pub(crate) fn long_read(&self) -> LongRead {
        self.long_reads.fetch_add(1, Ordering::SeqCst);
        LongRead(Arc::clone(&self.long_reads))
    }

    /// Returns whether reads use the writer's connection, because there is no other.
    pub(crate) fn reads_on_writer(&self) -> bool {
        self.path.is_none()
    }

    /// Runs a read on this thread's connection.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(Session<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let Some(path) = &self.path else { return Err(StoreError::Closed) };
        self.readers.read(|| open_reader(path), |connection| read(Session::Sqlite(connection)))
    }

    /// Waits until the writer has finished the queued units. Later units and reads are rejected.
    ///
    /// The writer's connection is the last one to close, so SQLite removes the log.
    pub(crate) fn close(&self) {
        if !self.readers.close(BUSY) {
            tracing::warn!("A read is still in progress, so the write-ahead log is not removed");
        }
        drop(self.queue.lock().unwrap_or_else(PoisonError::into_inner).take());
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer
            && writer.join().is_err()
        {
            tracing::error!("The store's writer thread panicked");
        }
    }
}

impl Drop for SqliteEngine {
    fn drop(&mut self) {
        self.close();
    }
}

/// Opens a connection that only reads.
pub(crate) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    keep_statements(&connection)?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

/// Makes SQLite parse and plan a statement only once.
///
/// Without `ENABLE_QPSG`, SQLite plans a statement again for each new value of a parameter that a partial index may
/// depend on. That costs more than most reads.
fn keep_statements(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

/// The only connection that writes.
struct Writer {
    connection: Connection,
    savepoints: Savepoints,
    log: Log,
    /// `None` for a database in memory, which has no log.
    checkpoints: Option<Checkpoints>,
    long_reads: Arc<AtomicUsize>,
    held: HeldLog,
    /// Whether another program held the write lock when the last group was tried.
    is_locked: bool,
}

/// Whether the write-ahead log still holds erased pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Log {
    Clean,
    HoldsErased {
        /// When truncating it failed.
        since: Instant,
    },
}

impl Log {
    /// Truncates the log that the preparation of the database or a killed process left, perhaps between the commit of an
    /// erasure and truncating the log.
    fn empty_at_start(connection: &Connection) -> Result<Log, StoreError> {
        Ok(match checkpoint(connection, "TRUNCATE")? {
            Copied::All => Log::Clean,
            Copied::Part => Log::HoldsErased { since: Instant::now() },
        })
    }
}

impl Writer {
    fn new(
        connection: Connection,
        log: Log,
        checkpoints: Option<Checkpoints>,
        (long_reads, held): (Arc<AtomicUsize>, HeldLog),
    ) -> Writer {
        // A database in memory runs reads as units, and a read can run only once.
        let savepoints = if checkpoints.is_some() { Savepoints::Spared } else { Savepoints::Always };
        Writer { connection, savepoints, log, checkpoints, long_reads, held, is_locked: false }
    }

    /// Takes the queued units without waiting for more, and commits them together.
    fn write_groups(&mut self, units: &Receiver<Box<dyn Unit>>) {
        loop {
            match self.next(units) {
                Ok(first) => {
                    let mut group = vec![first];
                    while group.len() < MAX_GROUP.load(Ordering::Relaxed)
                        && let Ok(next) = units.try_recv()
                    {
                        group.push(next);
                    }
                    self.write_group(group);
                    if let Some(checkpoints) = &mut self.checkpoints {
                        checkpoints.after_commit(&self.connection);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            // A writer that is never idle must retry too.
            if let Log::HoldsErased { since } = self.log
                && since.elapsed() >= LOG_AGAIN
            {
                self.empty_log(READERS_AGAIN);
            }
        }
    }

    /// Closes the database. SQLite copies the log and removes it, unless another program reads it.
    fn close(self) {
        drop(self.checkpoints);
        if let Err((_, error)) = self.connection.close() {
            tracing::warn!(%error, "The database was not closed cleanly");
        }
    }

    /// Returns the next unit, and waits for one if the queue is empty.
    fn next(&self, units: &Receiver<Box<dyn Unit>>) -> Result<Box<dyn Unit>, RecvTimeoutError> {
        if let Ok(queued) = units.try_recv() {
            return Ok(queued);
        }
        match self.log {
            Log::Clean => units.recv().map_err(RecvTimeoutError::from),
            Log::HoldsErased { .. } => units.recv_timeout(LOG_AGAIN),
        }
    }

    fn write_group(&mut self, mut group: Vec<Box<dyn Unit>>) {
        match attempt_group(&self.connection, &mut group, &mut self.savepoints) {
            Ok(verdicts) => {
                self.set_locked(false);
                let kept = group.iter().zip(&verdicts).filter(|(_, verdict)| **verdict == Verdict::Keep);
                kept.clone().for_each(|(unit, _)| unit.on_commit());
                if kept.clone().any(|(unit, _)| unit.erases()) {
                    // A backup reads for minutes. All writes would wait, so the log is truncated after it.
                    let is_held = self.log != Log::Clean || self.long_reads.load(Ordering::SeqCst) > 0;
                    self.empty_log(if is_held { Duration::ZERO } else { ERASURE_WAIT });
                }
                for (unit, verdict) in group.into_iter().zip(verdicts) {
                    unit.settle(match verdict {
                        Verdict::Keep | Verdict::Discard | Verdict::Again => Ok(()),
                        Verdict::Panicked => Err(StoreError::Panicked),
                    });
                }
            }
            Err(error) if is_busy(&error) && self.connection.is_autocommit() => {
                self.set_locked(true);
                // Each alone would wait for the lock again, and the queue would grow meanwhile.
                group.into_iter().for_each(|unit| unit.settle(Err(StoreError::Sqlite(busy()))));
            }
            Err(error) => {
                if !self.connection.is_autocommit()
                    && let Err(error) = self.connection.execute_batch("ROLLBACK")
                {
                    tracing::error!(%error, "A failed transaction could not be rolled back");
                }
                match group.pop() {
                    Some(unit) if group.is_empty() => unit.settle(Err(StoreError::Sqlite(error))),
                    last => {
                        // One unit may have failed the whole transaction, e.g. with a full disk, so each runs alone.
                        group.into_iter().chain(last).for_each(|unit| self.write_group(vec![unit]));
                    }
                }
            }
        }
    }

    /// Records whether another program holds the write lock, and logs a change.
    fn set_locked(&mut self, is_locked: bool) {
        if self.is_locked == is_locked {
            return;
        }
        self.is_locked = is_locked;
        let wait = if is_locked { LOCKED_WAIT } else { BUSY };
        if let Err(error) = self.connection.busy_timeout(wait) {
            tracing::error!(%error, "The time to wait for the write lock could not be set");
        }
        if is_locked {
            tracing::error!(
                "Another program holds the write lock of the database: writes get 503 until it ends its transaction"
            );
        } else {
            tracing::warn!("The write lock of the database is free again");
        }
    }

    /// Copies all pages into the database, where `secure_delete` has zeroed what was deleted, and truncates the log.
    ///
    /// A reader that takes longer than `readers` prevents that. SQLite then reports "busy" in a result column, not as
    /// an error.
    fn empty_log(&mut self, readers: Duration) {
        let paused = self.checkpoints.as_ref().map(Checkpoints::pause);
        let copied = (self.connection.busy_timeout(readers).map_err(StoreError::from))
            .and_then(|()| Ok(checkpoint(&self.connection, "TRUNCATE")?));
        let restored = self.connection.busy_timeout(BUSY).map_err(StoreError::from);
        drop(paused);
        self.log = match restored.and(copied) {
            Ok(Copied::All) => {
                self.checkpoints.iter_mut().for_each(Checkpoints::reset);
                self.held.end();
                Log::Clean
            }
            Ok(Copied::Part) => {
                self.held.begin();
                Log::HoldsErased { since: Instant::now() }
            }
            Err(error) => {
                tracing::warn!(%error, "The write-ahead log still holds erased pages; truncating it will be retried");
                Log::HoldsErased { since: Instant::now() }
            }
        };
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
}

/// Returns the error of a unit that did not get the write lock.
fn busy() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY), None)
}

#[cfg(test)]
mod tests;
