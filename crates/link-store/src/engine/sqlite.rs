//! SQLite: one writer thread that commits in groups, readers on the caller's thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::checkpoints::{Checkpoints, Lengths};
use super::folder::Folder;
use super::group::{Savepoints, attempt_group};
use super::unit::{Unit, Verdict};
use crate::StoreError;
use crate::sql::Session;

/// Units a transaction takes at most. A bench measures what it is worth with one.
pub(crate) static LARGEST_GROUP: AtomicUsize = AtomicUsize::new(256);
/// A log that a reader kept from being emptied is tried again this much later.
const LOG_AGAIN: Duration = Duration::from_secs(1);
/// How long that attempt waits for readers: whoever writes meanwhile waits too.
const READERS_AGAIN: Duration = Duration::from_millis(100);
/// Distinct statements stay prepared; there are fewer than this.
const CACHED_STATEMENTS: usize = 512;
/// How long a lock of another connection is waited for.
const BUSY: Duration = Duration::from_secs(5);

thread_local! {
    static READERS: RefCell<HashMap<u64, Connection>> = RefCell::default();
}

static NEXT_ENGINE: AtomicU64 = AtomicU64::new(0);

/// A SQLite database that this process owns.
pub(crate) struct SqliteEngine {
    id: u64,
    /// `None` for a database in memory, whose only connection is the writer's.
    path: Option<PathBuf>,
    queue: Mutex<Option<Sender<Box<dyn Unit>>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl SqliteEngine {
    /// Opens the database of a folder and starts its writer. `prepare` runs first, on the writer's connection.
    pub(crate) fn open(
        folder: Folder,
        prepare: impl FnOnce(&Connection) -> Result<(), StoreError>,
    ) -> Result<SqliteEngine, StoreError> {
        let path = folder.database();
        let log = Log::left_beside(&path);
        folder.close_database()?;
        let connection = Connection::open(&path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        // Somebody may look into the file with a tool of their own.
        connection.busy_timeout(BUSY)?;
        Self::start(connection, log, Some(path), Some(folder), prepare)
    }

    /// A database that leaves nothing on disk.
    pub(crate) fn in_memory(
        prepare: impl FnOnce(&Connection) -> Result<(), StoreError>,
    ) -> Result<SqliteEngine, StoreError> {
        Self::start(Connection::open_in_memory()?, Log::Clean, None, None, prepare)
    }

    fn start(
        mut connection: Connection,
        log: Log,
        path: Option<PathBuf>,
        folder: Option<Folder>,
        prepare: impl FnOnce(&Connection) -> Result<(), StoreError>,
    ) -> Result<SqliteEngine, StoreError> {
        connection.pragma_update(None, "secure_delete", "ON")?;
        // What a savepoint may have to undo is kept in memory: a file of it would be written for each unit.
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        keep_statements(&connection)?;
        prepare(&connection)?;
        let checkpoints = path
            .as_ref()
            .map(|path| Checkpoints::start(path, &mut connection, Lengths::USUAL))
            .transpose()?;
        let (queue, units) = channel();
        let writer = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || {
                let mut writer = Writer::new(connection, log, checkpoints);
                writer.write_groups(&units);
                drop(writer);
                drop(folder);
            })
            .map_err(StoreError::file(
                "cannot start the writer thread of",
                path.as_deref().unwrap_or(Path::new("memory")),
            ))?;
        Ok(SqliteEngine {
            id: NEXT_ENGINE.fetch_add(1, Ordering::Relaxed),
            path,
            queue: Mutex::new(Some(queue)),
            writer: Mutex::new(Some(writer)),
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

    /// Whether reads go to the writer's connection, because there is no other.
    pub(crate) fn reads_on_writer(&self) -> bool {
        self.path.is_none()
    }

    /// Runs a read on this thread's own connection.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(Session<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let Some(path) = &self.path else { return Err(StoreError::Closed) };
        let kept = READERS.with_borrow_mut(|readers| readers.remove(&self.id));
        let connection = match kept {
            Some(connection) => connection,
            None => open_reader(path)?,
        };
        let result = read(Session::Sqlite(&connection));
        READERS.with_borrow_mut(|readers| readers.insert(self.id, connection));
        result
    }

    /// Lets the writer finish what is queued and waits for it; later units are refused.
    pub(crate) fn close(&self) {
        drop(self.queue.lock().unwrap_or_else(PoisonError::into_inner).take());
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer
            && writer.join().is_err()
        {
            tracing::error!("the store's writer thread panicked");
        }
        READERS.with_borrow_mut(|readers| readers.remove(&self.id));
    }
}

impl Drop for SqliteEngine {
    fn drop(&mut self) {
        self.close();
    }
}

fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    keep_statements(&connection)?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

/// A statement is parsed and planned once. Without the second line SQLite plans it again for each new value of a
/// parameter that a partial index might make a difference for, which costs more than most reads themselves.
fn keep_statements(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

/// The one connection that writes.
struct Writer {
    connection: Connection,
    savepoints: Savepoints,
    log: Log,
    /// `None` in memory, where there is no log.
    checkpoints: Option<Checkpoints>,
}

/// Whether erased pages are left in the write-ahead log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Log {
    Clean,
    HoldsErased {
        /// When it could not be emptied.
        since: Instant,
    },
}

impl Log {
    /// A process that was killed left it, perhaps between an erasure's commit and the emptying.
    fn left_beside(database: &Path) -> Log {
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        match std::fs::metadata(log) {
            Ok(left) if left.len() > 0 => Log::HoldsErased { since: Instant::now() },
            Ok(_) | Err(_) => Log::Clean,
        }
    }
}

impl Writer {
    fn new(connection: Connection, log: Log, checkpoints: Option<Checkpoints>) -> Writer {
        // Without a file of its own reads are units too, and a read runs once.
        let savepoints = if checkpoints.is_some() { Savepoints::Spared } else { Savepoints::Always };
        Writer { connection, savepoints, log, checkpoints }
    }

    /// Takes what is queued, never waits for more, commits once.
    fn write_groups(&mut self, units: &Receiver<Box<dyn Unit>>) {
        loop {
            match self.next(units) {
                Ok(first) => {
                    self.checkpoints.iter().for_each(Checkpoints::give_up_place);
                    let mut group = vec![first];
                    while group.len() < LARGEST_GROUP.load(Ordering::Relaxed)
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
            // Whoever is busy need not become idle first.
            if let Log::HoldsErased { since } = self.log
                && since.elapsed() >= LOG_AGAIN
            {
                self.empty_log(READERS_AGAIN);
            }
        }
        if self.log != Log::Clean {
            self.empty_log(BUSY);
        }
    }

    /// What is queued first, or comes next.
    fn next(&self, units: &Receiver<Box<dyn Unit>>) -> Result<Box<dyn Unit>, RecvTimeoutError> {
        if let Ok(queued) = units.try_recv() {
            return Ok(queued);
        }
        match self.log {
            Log::Clean => {
                self.checkpoints.iter().for_each(Checkpoints::keep_place);
                units.recv().map_err(RecvTimeoutError::from)
            }
            Log::HoldsErased { .. } => units.recv_timeout(LOG_AGAIN),
        }
    }

    fn write_group(&mut self, mut group: Vec<Box<dyn Unit>>) {
        match attempt_group(&self.connection, &mut group, &mut self.savepoints) {
            Ok(verdicts) => {
                let kept = group.iter().zip(&verdicts).filter(|(_, verdict)| **verdict == Verdict::Keep);
                kept.clone().for_each(|(unit, _)| unit.committed());
                if kept.clone().any(|(unit, _)| unit.erases()) {
                    self.empty_log(BUSY);
                }
                for (unit, verdict) in group.into_iter().zip(verdicts) {
                    unit.settle(match verdict {
                        Verdict::Keep | Verdict::Discard | Verdict::Again => Ok(()),
                        Verdict::Panicked => Err(StoreError::Panicked),
                    });
                }
            }
            Err(error) => {
                if !self.connection.is_autocommit()
                    && let Err(error) = self.connection.execute_batch("ROLLBACK")
                {
                    tracing::error!(%error, "a failed transaction cannot be rolled back");
                }
                match group.pop() {
                    Some(unit) if group.is_empty() => unit.settle(Err(StoreError::Sqlite(error))),
                    last => {
                        // One unit may have spoilt the whole transaction (a full disk, say): each tries alone.
                        group.into_iter().chain(last).for_each(|unit| self.write_group(vec![unit]));
                    }
                }
            }
        }
    }

    /// Moves all pages into the database, where `secure_delete` has zeroed what was deleted, and cuts the log. A reader
    /// in the middle of its read keeps it from that, if it lasts longer than this; SQLite then says "busy" in a column and
    /// calls it a success.
    fn empty_log(&mut self, readers: Duration) {
        let paused = self.checkpoints.as_ref().map(Checkpoints::paused);
        let truncate = "PRAGMA wal_checkpoint(TRUNCATE)";
        let busy = (self.connection.busy_timeout(readers))
            .and_then(|()| self.connection.query_row(truncate, [], |row| row.get(0)));
        let restored = self.connection.busy_timeout(BUSY);
        drop(paused);
        let busy = restored.and(busy);
        self.log = match busy {
            Ok(false) => {
                self.checkpoints.iter_mut().for_each(Checkpoints::emptied);
                Log::Clean
            }
            Ok(true) => {
                tracing::warn!("a reader keeps erased pages in the write-ahead log; it is emptied after it");
                Log::HoldsErased { since: Instant::now() }
            }
            Err(error) => {
                tracing::warn!(%error, "the write-ahead log still holds erased pages; it is tried again");
                Log::HoldsErased { since: Instant::now() }
            }
        };
    }
}

#[cfg(test)]
mod tests;
