//! PostgreSQL: threads that own one connection each, and one transaction per unit.
//!
//! Our own: 64 clients get 0.5 to 0.7 of the throughput with deadpool-postgres, 0.5 to 0.95 with r2d2 (ADR 148).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::postgres_client::ConnectionState;
use super::postgres_pool::{Pool, PoolHealth};
use super::postgres_queue::{Next, Queued, WorkQueue};
use super::postgres_server::PostgresServer;
use super::unit::{Unit, Verdict, attempt_guarded};
use super::vacuum;
use crate::StoreError;
use crate::keys::Keys;
use crate::sql::PgConnection;
use crate::sql::Session;

/// The maximum number of runs of a unit that meets serialization failures or deadlocks.
const MAX_ATTEMPTS: u32 = 10;

/// How long a unit of work, with all its runs, or a read may take. After that its statement is cancelled.
pub(crate) const UNIT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long work may wait for a connection. After that it is refused.
pub(crate) const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long analyzing a table that grew may take.
const ANALYZE_TIMEOUT: Duration = Duration::from_secs(60);

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

impl Work {
    fn refuse(self, error: StoreError) {
        match self {
            Work::Unit(unit) => unit.settle(Err(error)),
            Work::Read(read) => read(Err(error)),
        }
    }
}

/// A pool of connections to a server.
pub(crate) struct PostgresEngine {
    server: PostgresServer,
    pool: Arc<Pool>,
    writes: Arc<WorkQueue<Work>>,
    reads: Arc<WorkQueue<Work>>,
    /// Ends the vacuum's thread when it is dropped.
    erased: Mutex<Option<Sender<()>>>,
    /// Disconnected when all threads have ended.
    ended: Mutex<Option<Receiver<()>>>,
}

impl PostgresEngine {
    /// Connects, runs `prepare` once, which opens the keys, and starts the threads.
    pub(crate) fn open(
        server: &PostgresServer,
        threads: usize,
        prepare: impl FnOnce(&mut PgConnection) -> Result<Arc<Keys>, StoreError>,
    ) -> Result<PostgresEngine, StoreError> {
        server.check_pooling()?;
        let keys = prepare(&mut server.connect()?)?;
        let (running, ended) = channel();
        let units = Arc::new(AtomicUsize::new(0));
        let threads = threads.max(1);
        let pool = Arc::new(Pool::new(server, 2 * threads));
        let erased = vacuum::start(server, keys, running.clone())?;
        let [writes, reads] = [(); 2].map(|()| Arc::new(WorkQueue::new()));
        for number in 0..2 * threads {
            let (name, queue) =
                if number < threads { ("store-write", &writes) } else { ("store-read", &reads) };
            let worker = Worker {
                number,
                pool: Arc::clone(&pool),
                queue: Arc::clone(queue),
                erased: erased.clone(),
                units: Arc::clone(&units),
            };
            let running = running.clone();
            std::thread::Builder::new()
                .name(name.to_owned())
                .spawn(move || {
                    worker.serve();
                    drop(running);
                })
                .map_err(StoreError::file("cannot start a thread for", Path::new("the database")))?;
        }
        Ok(PostgresEngine {
            server: server.clone(),
            pool,
            writes,
            reads,
            erased: Mutex::new(Some(erased)),
            ended: Mutex::new(Some(ended)),
        })
    }

    /// Queues a unit.
    pub(crate) fn submit(&self, unit: Box<dyn Unit>) {
        if let Err(work) = self.writes.push(Work::Unit(unit)) {
            work.refuse(StoreError::Closed);
        }
    }

    /// Queues a read.
    pub(crate) fn read(&self, read: Read) {
        if let Err(work) = self.reads.push(Work::Read(read)) {
            work.refuse(StoreError::Closed);
        }
    }

    /// Returns the server, for a connection outside of the pool.
    pub(crate) fn server(&self) -> &PostgresServer {
        &self.server
    }

    /// Returns how many connections fail.
    pub(crate) fn health(&self) -> PoolHealth {
        self.pool.health()
    }

    /// Waits until the threads have finished the queued work, at most this long. Later work is rejected. Threads that wait
    /// for a silent server end with the process.
    pub(crate) fn close(&self, timeout: Duration) {
        self.writes.close();
        self.reads.close();
        drop(self.erased.lock().unwrap_or_else(PoisonError::into_inner).take());
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        if ended.is_some_and(|it| it.recv_timeout(timeout) == Err(RecvTimeoutError::Timeout)) {
            tracing::warn!("PostgreSQL does not respond; the store closes without it");
        }
    }
}

impl Drop for PostgresEngine {
    fn drop(&mut self) {
        self.close(UNIT_TIMEOUT);
    }
}

/// A thread and its connection.
struct Worker {
    number: usize,
    pool: Arc<Pool>,
    queue: Arc<WorkQueue<Work>>,
    erased: Sender<()>,
    units: Arc<AtomicUsize>,
}

impl Worker {
    /// Connects, and serves work until the queue is closed.
    fn serve(&self) {
        loop {
            match self.pool.connect() {
                Ok((connection, generation)) => {
                    let connected = self.queue.connect();
                    let is_closed = self.serve_connected(connection, generation);
                    drop(connected);
                    if is_closed {
                        return;
                    }
                }
                Err(error) => {
                    self.pool.note_unconnected(self.number);
                    if self.refuse_for_a_while(error) {
                        return;
                    }
                }
            }
        }
    }

    /// Serves work until the connection is lost. Returns `true` if the queue is closed.
    fn serve_connected(&self, mut connection: PgConnection, generation: u64) -> bool {
        loop {
            self.pool.note_idle(self.number);
            let Some(queued) = self.queue.pop() else { return true };
            if !self.pool.is_current(generation) || connection.client.state() != ConnectionState::Usable {
                self.queue.put_back(queued);
                return false;
            }
            self.pool.note_busy(self.number);
            let is_kept = self.run(&mut connection, queued);
            if connection.client.state() == ConnectionState::ServerLost {
                self.pool.lose_server(generation);
            }
            if !is_kept || connection.client.state() != ConnectionState::Usable {
                self.pool.note_unconnected(self.number);
                return false;
            }
        }
    }

    /// Refuses work that no other thread can do until it is time to try again. Returns `true` if the queue is closed.
    fn refuse_for_a_while(&self, error: StoreError) -> bool {
        let (mut error, end) = (Some(error), Instant::now() + self.pool.pause());
        loop {
            match self.queue.pop_if_unconnected(end.saturating_duration_since(Instant::now())) {
                Next::Refuse(work) => work.refuse(error.take().unwrap_or_else(|| self.pool.fault())),
                Next::Connect => return false,
                Next::Closed => return true,
            }
        }
    }

    /// Runs work. Returns `false` if the connection must be closed.
    fn run(&self, connection: &mut PgConnection, queued: Queued<Work>) -> bool {
        if queued.since.elapsed() > QUEUE_TIMEOUT {
            queued.work.refuse(StoreError::Overdue);
            return true;
        }
        connection.client.set_deadline(Some(Instant::now() + UNIT_TIMEOUT));
        match queued.work {
            Work::Unit(unit) => {
                run_unit(connection, unit, &self.erased);
                if (self.units.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(UNITS_A_CHECK)
                    && connection.client.state() == ConnectionState::Usable
                    && let Err(error) = analyze_grown(connection)
                {
                    tracing::warn!(%error, "Tables that grew could not be analyzed; will retry");
                }
                true
            }
            Work::Read(read) => {
                let session = Session::Postgres { connection, fault: None };
                // A panic drops the result's sender, which notifies the caller. The thread continues.
                catch_unwind(AssertUnwindSafe(|| read(Ok(session)))).is_ok()
            }
        }
    }
}

/// Has the server analyze the tables that grew, and so plan their statements again. Autovacuum looks for such tables only
/// once a minute, and a plan that was made while a table was empty reads all of it.
fn analyze_grown(connection: &mut PgConnection) -> Result<(), StoreError> {
    connection.client.set_deadline(Some(Instant::now() + ANALYZE_TIMEOUT));
    for row in connection.client.query(GROWN, &[])? {
        let table: String = row.try_get(0)?;
        connection.client.batch_execute(&format!("ANALYZE (SKIP_LOCKED) {table}"))?;
    }
    Ok(())
}

/// Runs a unit in a transaction, and runs it again while the database requires it.
fn run_unit(connection: &mut PgConnection, mut unit: Box<dyn Unit>, erased: &Sender<()>) {
    for attempt in 1..=MAX_ATTEMPTS {
        match run_once(connection, unit.as_mut(), attempt > 1) {
            Ok(Verdict::Keep | Verdict::Discard) => {
                if unit.erases() {
                    // The vacuum_thread outlives every thread that may notify it.
                    let _ = erased.send(());
                }
                return unit.settle(Ok(()));
            }
            Ok(Verdict::Panicked) => return unit.settle(Err(StoreError::Panicked)),
            Ok(Verdict::Again) if attempt == MAX_ATTEMPTS => return unit.settle(Ok(())),
            // A statement that was sent with the commit was refused, so nothing was committed.
            Err(error)
                if attempt < MAX_ATTEMPTS
                    && error.is_transient()
                    && connection.client.state() == ConnectionState::Usable =>
            {
                std::thread::sleep(Duration::from_millis(u64::from(attempt)));
            }
            // The connection is not used again after a part of the frame failed.
            Err(error) => return unit.settle(Err(error)),
            Ok(Verdict::Again) => {
                std::thread::sleep(Duration::from_millis(u64::from(attempt)));
            }
        }
    }
}

fn run_once(
    connection: &mut PgConnection,
    unit: &mut dyn Unit,
    is_rerun: bool,
) -> Result<Verdict, StoreError> {
    connection.begin(is_rerun);
    let verdict = attempt_guarded(unit, Session::Postgres { connection, fault: None });
    // Nothing more is sent on a lost connection. The server ends its transaction.
    connection.client.check()?;
    match verdict {
        Verdict::Keep => connection.commit()?,
        Verdict::Discard | Verdict::Again | Verdict::Panicked => {
            connection.rollback()?;
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
    async fn overdue_unit_is_cancelled_and_releases_its_locks() {
        let database = TestDatabase::new(Backend::Postgres);
        let store = database.open().await;
        let slow: Result<(), StoreError> = store
            .write(|tx| {
                tx.probe(0)?;
                tx.session.script("SELECT pg_sleep(60)")
            })
            .await;
        assert!(matches!(slow, Err(StoreError::Overdue)), "{slow:?}");
        let next: Result<(), StoreError> = store.write(|tx| tx.probe(0)).await;
        next.unwrap();
    }

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
