//! PostgreSQL: threads that own one connection each, and one transaction per unit.
//!
//! Our own: 64 clients get 0.5 to 0.7 of the throughput with deadpool-postgres, 0.5 to 0.95 with r2d2 (ADR 148).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::postgres_server::PostgresServer;
use super::unit::{Unit, Verdict, attempt_guarded};
use super::vacuum;
use crate::StoreError;
use crate::keys::Keys;
use crate::sql::Session;
use crate::sql::session::PgConnection;

/// The maximum number of runs of a unit that meets serialization failures or deadlocks.
const ATTEMPTS: u32 = 10;

/// The number of units of work after which the next check for grown tables runs.
const UNITS_A_CHECK: usize = 500;
/// The tables that the server has never analyzed although they have a thousand rows, and those that have doubled since.
/// `reltuples` is the number of rows at that time.
const GROWN: &str = "SELECT CAST(CAST(c.oid AS regclass) AS text) FROM pg_stat_user_tables s \
    JOIN pg_class c ON c.oid = s.relid WHERE s.n_live_tup >= 1000 \
    AND s.schemaname = current_schema() AND c.relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user) \
    AND (s.n_live_tup >= 2 * c.reltuples OR GREATEST(s.last_analyze, s.last_autoanalyze) IS NULL)";

/// A read whose caller is waiting. It gets an `Err` if there is no connection.
pub(crate) type Read = Box<dyn FnOnce(Result<Session<'_>, StoreError>) + Send>;

enum Work {
    Unit(Box<dyn Unit>),
    Read(Read),
}

/// A pool of connections to a server.
pub(crate) struct PostgresEngine {
    queues: Mutex<Option<Queues>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Clone)]
struct Queues {
    writes: Sender<Work>,
    reads: Sender<Work>,
}

impl PostgresEngine {
    /// Connects, runs `prepare` once, which opens the keys, and starts the threads.
    pub(crate) fn open(
        server: &PostgresServer,
        threads: usize,
        prepare: impl FnOnce(&mut PgConnection) -> Result<Arc<Keys>, StoreError>,
    ) -> Result<PostgresEngine, StoreError> {
        let keys = prepare(&mut server.connect()?)?;
        let (writes, write_work) = channel();
        let (reads, read_work) = channel();
        let units = Arc::new(AtomicUsize::new(0));
        let (erased, vacuum_thread) = vacuum::start(server, keys)?;
        let mut handles = vec![vacuum_thread];
        for (name, work) in [("store-write", write_work), ("store-read", read_work)] {
            let work = Arc::new(Mutex::new(work));
            for _ in 0..threads.max(1) {
                let (server, work) = (server.clone(), Arc::clone(&work));
                let (erased, units) = (erased.clone(), Arc::clone(&units));
                let handle = std::thread::Builder::new()
                    .name(name.to_owned())
                    .spawn(move || serve(&server, &work, &erased, &units))
                    .map_err(StoreError::file("cannot start a thread for", Path::new("the database")))?;
                handles.push(handle);
            }
        }
        Ok(PostgresEngine {
            queues: Mutex::new(Some(Queues { writes, reads })),
            threads: Mutex::new(handles),
        })
    }

    /// Queues a unit.
    pub(crate) fn submit(&self, unit: Box<dyn Unit>) {
        if let Some(Work::Unit(unit)) = self.send(Work::Unit(unit)) {
            unit.settle(Err(StoreError::Closed));
        }
    }

    /// Queues a read.
    pub(crate) fn read(&self, read: Read) {
        if let Some(Work::Read(read)) = self.send(Work::Read(read)) {
            read(Err(StoreError::Closed));
        }
    }

    /// Queues work. Returns it if the pool is closed.
    fn send(&self, work: Work) -> Option<Work> {
        let queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(queues) = queues else { return Some(work) };
        let queue = match &work {
            Work::Unit(_) => queues.writes,
            Work::Read(_) => queues.reads,
        };
        queue.send(work).err().map(|refused| refused.0)
    }

    /// Waits until the threads have finished the queued work. Later work is rejected.
    pub(crate) fn close(&self) {
        drop(self.queues.lock().unwrap_or_else(PoisonError::into_inner).take());
        for thread in self.threads.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            if thread.join().is_err() {
                tracing::error!("A database thread panicked");
            }
        }
    }
}

impl Drop for PostgresEngine {
    fn drop(&mut self) {
        self.close();
    }
}

fn serve(server: &PostgresServer, work: &Mutex<Receiver<Work>>, erased: &Sender<()>, units: &AtomicUsize) {
    // The first request must not wait for a connection. If there is none, the first work reports why.
    let mut kept: Option<PgConnection> = server.connect().ok();
    loop {
        let next = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(next) = next else { return };
        let connection = match kept.take().filter(|connection| !connection.client.is_closed()) {
            Some(connection) => Ok(connection),
            None => server.connect(),
        };
        match (connection, next) {
            (Ok(mut connection), Work::Unit(unit)) => {
                run_unit(&mut connection, unit, erased);
                if (units.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(UNITS_A_CHECK)
                    && let Err(error) = analyze_grown(&mut connection)
                {
                    tracing::warn!(%error, "Tables that grew could not be analyzed; will retry");
                }
                kept = Some(connection);
            }
            (Ok(mut connection), Work::Read(read)) => {
                let session = Session::Postgres { connection: &mut connection, fault: None };
                // A panic drops the result's sender, which notifies the caller. The thread continues.
                if catch_unwind(AssertUnwindSafe(|| read(Ok(session)))).is_ok() {
                    kept = Some(connection);
                }
            }
            (Err(error), Work::Unit(unit)) => unit.settle(Err(error)),
            (Err(error), Work::Read(read)) => read(Err(error)),
        }
    }
}

/// Has the server analyze the tables that grew, and so plan their statements again. Autovacuum looks for such tables only
/// once a minute, and a plan that was made while a table was empty reads all of it.
fn analyze_grown(connection: &mut PgConnection) -> Result<(), StoreError> {
    for row in connection.client.query(GROWN, &[])? {
        let table: String = row.try_get(0)?;
        connection.client.batch_execute(&format!("ANALYZE (SKIP_LOCKED) {table}"))?;
    }
    Ok(())
}

/// Runs a unit in a transaction, and runs it again while the database requires it.
fn run_unit(connection: &mut PgConnection, mut unit: Box<dyn Unit>, erased: &Sender<()>) {
    for attempt in 1..=ATTEMPTS {
        match run_once(connection, unit.as_mut()) {
            Ok(Verdict::Keep | Verdict::Discard) => {
                if unit.erases() {
                    // The vacuum_thread outlives every thread that may notify it.
                    let _ = erased.send(());
                }
                return unit.settle(Ok(()));
            }
            Ok(Verdict::Panicked) => return unit.settle(Err(StoreError::Panicked)),
            Ok(Verdict::Again) if attempt == ATTEMPTS => return unit.settle(Ok(())),
            Err(error) if attempt == ATTEMPTS || !error.is_transient() => {
                return unit.settle(Err(error));
            }
            Ok(Verdict::Again) | Err(_) => {
                std::thread::sleep(Duration::from_millis(u64::from(attempt)));
            }
        }
    }
}

fn run_once(connection: &mut PgConnection, unit: &mut dyn Unit) -> Result<Verdict, StoreError> {
    connection.client.batch_execute("BEGIN")?;
    let verdict = attempt_guarded(unit, Session::Postgres { connection, fault: None });
    match verdict {
        Verdict::Keep => connection.client.batch_execute("COMMIT")?,
        Verdict::Discard | Verdict::Again | Verdict::Panicked => {
            connection.client.batch_execute("ROLLBACK")?;
        }
    }
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use link_test_support::wait;

    use super::UNITS_A_CHECK;
    use crate::StoreError;
    use crate::sql::{Sql, params};
    use crate::test_support::{Backend, TestDatabase};

    #[tokio::test]
    async fn table_that_grew_is_analyzed_before_autovacuum() {
        const ANALYZED: &str = "SELECT COUNT(*) FROM pg_stat_user_tables WHERE relname = 'grown' \
                                AND last_analyze IS NOT NULL";
        let database = TestDatabase::new(Backend::Postgres);
        let store = database.open().await;
        let grow = "CREATE TABLE grown (a BIGINT) WITH (autovacuum_enabled = false); \
                    INSERT INTO grown SELECT generate_series(1, 2000)";
        let grown: Result<_, StoreError> = store.write(|tx| tx.session.script(grow)).await;
        grown.unwrap();
        wait::until("the table is analyzed", async || {
            for _ in 0..UNITS_A_CHECK {
                let unit: Result<(), StoreError> = store.write(|_| Ok(())).await;
                unit.unwrap();
            }
            let found: Result<_, StoreError> = store
                .read(|reader| {
                    let sql = Sql::from_static("analyzed", ANALYZED);
                    reader.session.find(&sql, params![], |row| row.int(0))
                })
                .await;
            found.unwrap() == Some(1)
        })
        .await;
    }
}
