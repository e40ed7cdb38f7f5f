//! Removes the bytes of erased rows from PostgreSQL's pages. Each erasure records the pending vacuum in its own
//! transaction, so that the next start vacuums if the process was killed.
//!
//! After erasures, a vacuum replaces the buckets of the erased keys (`rotation`) and rewrites the small tables that
//! held the bucket keys. Without the bucket's key, the bytes left in the pages of `scope_keys` decrypt nothing.
//! `VACUUM FULL` keeps rows that an open transaction may still see, and reports success. Therefore each vacuum stays
//! pending until all transactions that began before it have ended.
//!
//! Locks that block readers or writers are taken only on the tables of bucket keys, for a few milliseconds.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tokio_postgres::error::SqlState;

use super::postgres_server::PostgresServer;
use super::{PgClient, UNIT_TIMEOUT, rotation};
use crate::StoreError;
use crate::keys::{Bucket, Keys};
use crate::tables::kernel::master_keys::MASTER_KEYS;

/// The delay between an erasure and its vacuum, which includes the erasures that followed. The documented maximum is 1
/// minute.
const GATHERING: Duration = Duration::from_secs(20);
/// How long one attempt waits for older transactions, and the interval between its checks.
const SETTLING: Duration = Duration::from_secs(2);
const LOOKING: Duration = Duration::from_millis(50);
/// How often to check for pending vacuums of another node, which may have been killed and not restarted.
const OTHERS: Duration = Duration::from_secs(60);
/// How long one attempt may take. Vacuuming large tables takes minutes.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(60 * 60);
/// The delay before an unfinished vacuum is retried. It doubles after each attempt, up to the maximum.
const AGAIN: Duration = Duration::from_secs(5);
const MAX_AGAIN: Duration = Duration::from_secs(300);
/// The number of attempts when the store closes, and the delay between them.
const LAST_ATTEMPTS: u32 = 5;
const LAST_AGAIN: Duration = Duration::from_millis(500);
/// The number of times to request the lock on a table of bucket keys before its rewrite waits for the next attempt.
const REWRITE_ATTEMPTS: u32 = 40;

/// Waiting for an exclusive lock also blocks others, so the wait is short.
const WAIT_TO_REWRITE: &str = "SET lock_timeout = '25ms'";
const WAIT_TO_VACUUM: &str = "SET lock_timeout = '2s'";

/// Without the erased keys, the bodies that they opened are useless. Vacuuming frees their space. `TRUNCATE FALSE`
/// avoids the exclusive lock that truncating a table would need.
const ERASED: &[&str] = &[
    "VACUUM (TRUNCATE FALSE) scope_keys",
    "VACUUM (TRUNCATE FALSE) accounts",
    "VACUUM (TRUNCATE FALSE) archives",
    "VACUUM (TRUNCATE FALSE) data_points",
    "VACUUM (TRUNCATE FALSE) delivery_attempts",
    "VACUUM (TRUNCATE FALSE) events",
    "VACUUM (TRUNCATE FALSE) exports",
    "VACUUM (TRUNCATE FALSE) forms",
    "VACUUM (TRUNCATE FALSE) idempotency_keys",
    "VACUUM (TRUNCATE FALSE) invites",
    "VACUUM (TRUNCATE FALSE) link_attempts",
    "VACUUM (TRUNCATE FALSE) provider_files",
    "VACUUM (TRUNCATE FALSE) records",
    "VACUUM (TRUNCATE FALSE) signals",
    "VACUUM (TRUNCATE FALSE) surveys",
    "VACUUM (TRUNCATE FALSE) users",
    "VACUUM (TRUNCATE FALSE) stale_buckets",
    "VACUUM (TRUNCATE FALSE) pending_vacuums",
];

/// Whether a master key was replaced, whose wrapped root key must leave the files (`tables/kernel/master_keys.rs`).
const MASTER_KEY_IS_REPLACED: &str =
    "SELECT EXISTS (SELECT 1 FROM pending_vacuums WHERE scope_id = 'master_keys')";

/// The pending work recorded by erasures. A vacuum deletes the entries that are older than `$1`.
const IS_PENDING: &str =
    "SELECT EXISTS (SELECT 1 FROM pending_vacuums) OR EXISTS (SELECT 1 FROM stale_buckets)";
const STALE: &str = "SELECT DISTINCT bucket FROM stale_buckets";
const REPLACED: &str = "DELETE FROM stale_buckets WHERE bucket = ANY($1)";
const VACUUMED: &str = "DELETE FROM pending_vacuums WHERE age(xmin) > age(CAST(CAST($1 AS text) AS xid))";

const CURRENT_TRANSACTION: &str = "SELECT CAST(CAST(pg_current_xact_id() AS xid) AS text)";
/// The number of transactions older than `$1`: those running anywhere on the server, because any new snapshot would
/// include them, and snapshots of this database. Plain vacuums are ignored, because they do not block others.
const OLDER: &str = "SELECT COUNT(*) FROM ( \
    SELECT backend_xid AS held FROM pg_stat_activity \
    UNION ALL SELECT transaction FROM pg_prepared_xacts \
    UNION ALL SELECT xmin FROM pg_replication_slots \
    UNION ALL SELECT a.backend_xmin FROM pg_stat_activity a WHERE a.pid <> pg_backend_pid() \
        AND (a.datid IS NULL OR a.datid = (SELECT oid FROM pg_database WHERE datname = current_database())) \
        AND NOT EXISTS (SELECT 1 FROM pg_stat_progress_vacuum v WHERE v.pid = a.pid) \
    ) older WHERE age(held) > age(CAST(CAST($1 AS text) AS xid))";

/// Reason why a vacuum is still pending.
#[derive(Debug, thiserror::Error)]
enum VacuumPendingError {
    #[error(transparent)]
    Failed(#[from] StoreError),
    #[error("{0} older transactions or snapshots are open")]
    Held(i64),
    #[error("the table {0} is constantly in use")]
    InUse(String),
    #[error("{count} key buckets could not be replaced; the first error: {error}")]
    NotReplaced { count: usize, error: rotation::NotReplacedError },
}

impl From<tokio_postgres::Error> for VacuumPendingError {
    fn from(error: tokio_postgres::Error) -> Self {
        VacuumPendingError::Failed(error.into())
    }
}

/// The progress of a pending vacuum.
#[derive(Default)]
struct Vacuum {
    /// The replaced buckets, whose old rows must be removed from the files.
    replaced: Vec<i64>,
    /// Why other buckets could not be replaced.
    faults: Vec<rotation::NotReplacedError>,
    /// The transaction before which all others must have ended: the first one after the buckets were replaced.
    since: Option<String>,
    rewritten: BTreeSet<String>,
    vacuumed: usize,
}

impl Vacuum {
    fn attempt(&mut self, server: &PostgresServer, keys: &Keys) -> Result<(), VacuumPendingError> {
        let client = &mut server.connect()?.client;
        client.set_deadline(Some(Instant::now() + ATTEMPT_TIMEOUT));
        client.batch_execute(WAIT_TO_VACUUM)?;
        if self.since.is_none() {
            self.replace_buckets(client, keys)?;
        }
        let since = wait_for_older(client, &mut self.since)?;
        client.batch_execute(WAIT_TO_REWRITE)?;
        let tables: BTreeSet<String> = self.replaced.iter().map(|id| Bucket::table(*id)).collect();
        for table in tables {
            if !self.rewritten.contains(&table) {
                rewrite(client, &table)?;
                self.rewritten.insert(table);
            }
        }
        client.execute(REPLACED, &[&self.replaced])?;
        if client.query_one(MASTER_KEY_IS_REPLACED, &[])?.try_get(0)? {
            rewrite(client, MASTER_KEYS)?;
        }
        client.batch_execute(WAIT_TO_VACUUM)?;
        run(client, ERASED, &mut self.vacuumed)?;
        if !self.faults.is_empty() {
            // Everything possible is done. The next attempt starts with the rest.
            let faults = std::mem::take(self).faults;
            let count = faults.len();
            return faults
                .into_iter()
                .next()
                .map_or(Ok(()), |error| Err(VacuumPendingError::NotReplaced { count, error }));
        }
        client.execute(VACUUMED, &[&since])?;
        Ok(())
    }

    /// Replaces all stale buckets. One that cannot be replaced does not block the others.
    fn replace_buckets(&mut self, client: &mut PgClient, keys: &Keys) -> Result<(), VacuumPendingError> {
        self.faults.clear();
        for row in client.query(STALE, &[])? {
            let id = row.try_get(0)?;
            match rotation::replace(client, keys, id) {
                Ok(()) => self.replaced.push(id),
                Err(fault) => self.faults.push(fault),
            }
        }
        Ok(())
    }
}

fn run(client: &mut PgClient, statements: &[&str], done: &mut usize) -> Result<(), VacuumPendingError> {
    for statement in statements.iter().skip(*done) {
        client.batch_execute(statement)?;
        *done += 1;
    }
    Ok(())
}

/// Rewrites a table of bucket keys into a new file.
fn rewrite(client: &mut PgClient, table: &str) -> Result<(), VacuumPendingError> {
    let statement = format!("VACUUM FULL {table}");
    for _ in 0..REWRITE_ATTEMPTS {
        match client.batch_execute(&statement) {
            Err(StoreError::Postgres(error)) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                sleep(LOOKING);
            }
            done => return Ok(done?),
        }
    }
    Err(VacuumPendingError::InUse(table.to_owned()))
}

/// Waits until no older transaction is open.
///
/// It checks twice: a snapshot that is taken during the first check may reach back to a transaction that ends in the
/// meantime. After the first check no new snapshot can.
fn wait_for_older(client: &mut PgClient, since: &mut Option<String>) -> Result<String, VacuumPendingError> {
    let since = match since {
        Some(since) => since.clone(),
        None => since.insert(client.query_one(CURRENT_TRANSACTION, &[])?.try_get(0)?).clone(),
    };
    let end = Instant::now() + SETTLING;
    let mut clear = 0;
    while clear < 2 {
        let held: i64 = client.query_one(OLDER, &[&since])?.try_get(0)?;
        if held == 0 {
            clear += 1;
        } else if Instant::now() < end {
            clear = 0;
            sleep(LOOKING);
        } else {
            return Err(VacuumPendingError::Held(held));
        }
    }
    Ok(since)
}

/// Starts the thread. The thread ends after a last vacuum when every sender is dropped, and drops `running`.
pub(super) fn start(
    server: &PostgresServer,
    keys: Arc<Keys>,
    running: Sender<()>,
) -> Result<Sender<()>, StoreError> {
    let (erased, erasures) = channel();
    let pending_vacuums = is_pending(server)?;
    let server = server.clone();
    std::thread::Builder::new()
        .name("store-vacuum".to_owned())
        .spawn(move || {
            vacuum_erased(&server, &keys, Erasures { receiver: erasures, pending_vacuums, open: true });
            drop(running);
        })
        .map_err(StoreError::file("cannot start a thread for", Path::new("the database")))?;
    Ok(erased)
}

fn is_pending(server: &PostgresServer) -> Result<bool, StoreError> {
    let client = &mut server.connect()?.client;
    client.set_deadline(Some(Instant::now() + UNIT_TIMEOUT));
    Ok(client.query_one(IS_PENDING, &[])?.try_get(0)?)
}

fn vacuum_erased(server: &PostgresServer, keys: &Keys, mut erasures: Erasures) {
    while erasures.wait(|| is_pending(server)) {
        erasures.gather(GATHERING);
        erasures.pending_vacuums = false;
        repeat(server, keys, Vacuum::default(), &mut erasures);
    }
}

/// Repeats a vacuum until it is done. If the store closes, gives up after a few attempts.
fn repeat(server: &PostgresServer, keys: &Keys, mut vacuum: Vacuum, erasures: &mut Erasures) {
    let (mut pause, mut left) = (AGAIN, LAST_ATTEMPTS);
    while let Err(error) = vacuum.attempt(server, keys) {
        if erasures.open {
            tracing::warn!(%error, "The vacuum of erased rows is not done yet; will retry");
            // Other erasures in the meantime must not be delayed.
            let most =
                if matches!(error, VacuumPendingError::NotReplaced { .. }) { GATHERING } else { MAX_AGAIN };
            erasures.gather(pause.min(most));
            pause = (pause * 2).min(MAX_AGAIN);
            continue;
        }
        left -= 1;
        if left == 0 {
            tracing::error!(%error, "The store closes with a vacuum of erased rows pending; the next start repeats it");
            return;
        }
        sleep(LAST_AGAIN);
    }
}

/// Notifications about erasures.
struct Erasures {
    receiver: Receiver<()>,
    /// There were erasures for which no vacuum has begun.
    pending_vacuums: bool,
    /// More erasures may follow.
    open: bool,
}

impl Erasures {
    /// Waits for an erasure of this process or another. Returns `false` when there will be none.
    fn wait(&mut self, is_pending: impl Fn() -> Result<bool, StoreError>) -> bool {
        while !self.pending_vacuums && self.open {
            match self.receiver.recv_timeout(OTHERS) {
                Ok(()) => self.pending_vacuums = true,
                Err(RecvTimeoutError::Disconnected) => self.open = false,
                Err(RecvTimeoutError::Timeout) => match is_pending() {
                    Ok(pending) => self.pending_vacuums = pending,
                    Err(error) => {
                        tracing::warn!(%error, "Cannot check whether a vacuum of erased rows is pending")
                    }
                },
            }
        }
        self.pending_vacuums
    }

    /// Collects further erasures for a while.
    fn gather(&mut self, timeout: Duration) {
        let end = Instant::now() + timeout;
        while self.open {
            match self.receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(()) => self.pending_vacuums = true,
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => self.open = false,
            }
        }
    }
}
