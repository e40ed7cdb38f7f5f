//! SQLite: one writer thread that commits in groups, readers on the caller's thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::folder::Folder;
use super::unit::{Unit, Verdict, attempt_guarded};
use crate::StoreError;
use crate::sql::Session;

/// Units a transaction takes at most. A bench measures what it is worth with one.
pub(crate) static LARGEST_GROUP: AtomicUsize = AtomicUsize::new(256);
/// A log that a reader kept from being emptied is tried again this much later.
const LOG_AGAIN: Duration = Duration::from_secs(1);
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
        let connection = Connection::open(&path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        // Somebody may look into the file with a tool of their own.
        connection.busy_timeout(BUSY)?;
        Self::start(connection, Some(path), Some(folder), prepare)
    }

    /// A database that leaves nothing on disk.
    pub(crate) fn in_memory(
        prepare: impl FnOnce(&Connection) -> Result<(), StoreError>,
    ) -> Result<SqliteEngine, StoreError> {
        Self::start(Connection::open_in_memory()?, None, None, prepare)
    }

    fn start(
        connection: Connection,
        path: Option<PathBuf>,
        folder: Option<Folder>,
        prepare: impl FnOnce(&Connection) -> Result<(), StoreError>,
    ) -> Result<SqliteEngine, StoreError> {
        connection.pragma_update(None, "secure_delete", "ON")?;
        keep_statements(&connection)?;
        prepare(&connection)?;
        let (queue, units) = channel();
        let writer = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || {
                write_groups(&connection, &units);
                drop(connection);
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

/// Takes what is queued, never waits for more, commits once.
fn write_groups(connection: &Connection, units: &Receiver<Box<dyn Unit>>) {
    let mut log = Log::Clean;
    loop {
        let next = match log {
            Log::Clean => units.recv().map_err(RecvTimeoutError::from),
            Log::HoldsErased => units.recv_timeout(LOG_AGAIN),
        };
        let first = match next {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => {
                log = empty_log(connection);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let mut group = vec![first];
        while group.len() < LARGEST_GROUP.load(Ordering::Relaxed)
            && let Ok(next) = units.try_recv()
        {
            group.push(next);
        }
        write_group(connection, group, &mut log);
    }
}

fn write_group(connection: &Connection, mut group: Vec<Box<dyn Unit>>, log: &mut Log) {
    match attempt_group(connection, &mut group) {
        Ok(verdicts) => {
            let erased =
                group.iter().zip(&verdicts).any(|(unit, verdict)| *verdict == Verdict::Keep && unit.erases());
            if erased {
                *log = empty_log(connection);
            }
            for (unit, verdict) in group.into_iter().zip(verdicts) {
                unit.settle(match verdict {
                    Verdict::Keep | Verdict::Discard | Verdict::Again => Ok(()),
                    Verdict::Panicked => Err(StoreError::Panicked),
                });
            }
        }
        Err(error) => {
            if !connection.is_autocommit()
                && let Err(error) = connection.execute_batch("ROLLBACK")
            {
                tracing::error!(%error, "a failed transaction cannot be rolled back");
            }
            match group.pop() {
                Some(unit) if group.is_empty() => unit.settle(Err(StoreError::Sqlite(error))),
                last => {
                    // One unit may have spoilt the whole transaction (a full disk, say): each tries alone.
                    group.into_iter().chain(last).for_each(|unit| write_group(connection, vec![unit], log));
                }
            }
        }
    }
}

/// One transaction, one savepoint a unit; the verdicts stand once the commit has.
fn attempt_group(
    connection: &Connection,
    group: &mut [Box<dyn Unit>],
) -> Result<Vec<Verdict>, rusqlite::Error> {
    let run = |text: &str| connection.prepare_cached(text)?.execute([]).map(drop);
    run("BEGIN IMMEDIATE")?;
    let mut verdicts = Vec::with_capacity(group.len());
    for unit in group {
        run("SAVEPOINT unit")?;
        let verdict = attempt_guarded(unit.as_mut(), Session::Sqlite(connection));
        match verdict {
            Verdict::Keep => {}
            Verdict::Discard | Verdict::Again | Verdict::Panicked => run("ROLLBACK TO unit")?,
        }
        run("RELEASE unit")?;
        verdicts.push(verdict);
    }
    run("COMMIT")?;
    Ok(verdicts)
}

/// Whether erased pages are left in the write-ahead log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Log {
    Clean,
    HoldsErased,
}

/// Moves all pages into the database, where `secure_delete` has zeroed what was deleted, and cuts the log. A reader
/// in the middle of its read keeps it from that; SQLite then says "busy" in a column and calls it a success.
fn empty_log(connection: &Connection) -> Log {
    let busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
    match busy {
        Ok(false) => Log::Clean,
        Ok(true) => {
            tracing::warn!("a reader keeps erased pages in the write-ahead log; it is emptied after it");
            Log::HoldsErased
        }
        Err(error) => {
            tracing::warn!(%error, "the write-ahead log still holds erased pages; it is tried again");
            Log::HoldsErased
        }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    #[test]
    fn a_log_that_a_reader_holds_is_known_to_hold_erased_pages_until_it_is_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("linchpin.db");
        let writer = Connection::open(&path).unwrap();
        writer.pragma_update(None, "journal_mode", "WAL").unwrap();
        writer.busy_timeout(Duration::ZERO).unwrap();
        writer.execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES (1)").unwrap();
        let reader = open_reader(&path).unwrap();
        reader.execute_batch("BEGIN; SELECT a FROM t").unwrap();
        writer.execute_batch("DELETE FROM t").unwrap();
        assert_eq!(empty_log(&writer), Log::HoldsErased);
        reader.execute_batch("COMMIT").unwrap();
        assert_eq!(empty_log(&writer), Log::Clean);
    }

    #[test]
    fn a_statement_is_planned_once_whatever_its_parameters_are() {
        let connection = Connection::open_in_memory().unwrap();
        keep_statements(&connection).unwrap();
        connection
            .execute_batch("CREATE TABLE t (a, gone); CREATE INDEX here ON t (a) WHERE gone = 0")
            .unwrap();
        let mut statement = connection.prepare_cached("SELECT a FROM t WHERE a = ?1 AND gone = ?2").unwrap();
        for gone in 0..5 {
            statement.query((1, gone)).unwrap().next().unwrap();
        }
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }
}
