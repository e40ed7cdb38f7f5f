//! Sweeping on PostgreSQL, which keeps the bytes of deleted rows in its pages: after erasures, and after an upgrade that
//! sealed what had been in clear. Each erasure notes what it owes in its own transaction, so that the next start sweeps
//! after a process that was killed.
//!
//! After erasures the buckets of the erased keys are replaced (`rotation`), and the small tables that held their keys are
//! rewritten: without the bucket's key the bytes that stay in the pages of `scope_keys` open nothing. `VACUUM FULL` keeps
//! what an open transaction may still see, and calls it a success. So each sweep waits until all transactions that began
//! before it are over, and stays owed until then.
//!
//! No lock that keeps readers or writers out is taken on any table but those of bucket keys, and there for a few
//! milliseconds.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use postgres::Client;
use postgres::error::SqlState;

use super::postgres_server::PostgresServer;
use super::rotation;
use crate::StoreError;
use crate::keys::{Bucket, Keys};

/// An erasure is swept this long after it, together with those that followed; a minute is promised.
const GATHERING: Duration = Duration::from_secs(20);
/// How long one attempt waits for older transactions, and how often it looks.
const SETTLING: Duration = Duration::from_secs(2);
const LOOKING: Duration = Duration::from_millis(50);
/// How often it is looked for what another node owes: one that was killed, and does not start again.
const OTHERS: Duration = Duration::from_secs(60);
/// A sweep that is not done is tried again this much later, then after twice the time, up to the longest.
const AGAIN: Duration = Duration::from_secs(5);
const AGAIN_AT_MOST: Duration = Duration::from_secs(300);
/// Attempts of a store that closes, and the time between them.
const LAST_ATTEMPTS: u32 = 5;
const LAST_AGAIN: Duration = Duration::from_millis(500);
/// How often a table of bucket keys is asked for before its rewriting waits for the next attempt.
const REWRITE_ATTEMPTS: u32 = 40;

/// Who waits for a lock that shuts others out shuts them out too: not for long.
const WAIT_TO_REWRITE: &str = "SET lock_timeout = '25ms'";
const WAIT_TO_VACUUM: &str = "SET lock_timeout = '2s'";

/// The bodies that the erased keys opened are waste without them, and their space is given back. The end of a table is
/// not cut off: that takes a lock that shuts everybody out.
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
    "VACUUM (TRUNCATE FALSE) records",
    "VACUUM (TRUNCATE FALSE) signals",
    "VACUUM (TRUNCATE FALSE) surveys",
    "VACUUM (TRUNCATE FALSE) users",
    "VACUUM (TRUNCATE FALSE) stale_buckets",
    "VACUUM (TRUNCATE FALSE) unswept",
];

/// What an upgrade left in the old pages of these tables, `migrations::sealing_users` says. It is owed until the last
/// statement ran.
const UPGRADED: &[&str] = &[
    "VACUUM FULL users",
    "VACUUM FULL surveys",
    "VACUUM FULL delivery_attempts",
    "DROP TABLE IF EXISTS users_unsealed",
];
const OWED_BY_UPGRADE: &str = "SELECT to_regclass('users_unsealed') IS NOT NULL";

/// What erasures owe, as their transactions noted it; what a sweep did that is past `$1`.
const OWED_BY_ERASURES: &str =
    "SELECT EXISTS (SELECT 1 FROM unswept) OR EXISTS (SELECT 1 FROM stale_buckets)";
const STALE: &str = "SELECT DISTINCT bucket FROM stale_buckets";
const REPLACED: &str = "DELETE FROM stale_buckets WHERE bucket = ANY($1)";
const SWEPT: &str = "DELETE FROM unswept WHERE age(xmin) > age(CAST(CAST($1 AS text) AS xid))";

const SWEPT_FOR: &str = "SELECT CAST(CAST(pg_current_xact_id() AS xid) AS text)";
/// Transactions older than `$1` that run anywhere on the server (any new snapshot would reach back to them), and
/// snapshots of this database that do. A plain vacuum holds up no other.
const OLDER: &str = "SELECT COUNT(*) FROM ( \
    SELECT backend_xid AS held FROM pg_stat_activity \
    UNION ALL SELECT transaction FROM pg_prepared_xacts \
    UNION ALL SELECT xmin FROM pg_replication_slots \
    UNION ALL SELECT a.backend_xmin FROM pg_stat_activity a WHERE a.pid <> pg_backend_pid() \
        AND (a.datid IS NULL OR a.datid = (SELECT oid FROM pg_database WHERE datname = current_database())) \
        AND NOT EXISTS (SELECT 1 FROM pg_stat_progress_vacuum v WHERE v.pid = a.pid) \
    ) older WHERE age(held) > age(CAST(CAST($1 AS text) AS xid))";

/// Why a sweep is still owed.
#[derive(Debug, thiserror::Error)]
enum Unswept {
    #[error(transparent)]
    Failed(#[from] StoreError),
    #[error("{0} transactions or snapshots from before it are open")]
    Held(i64),
    #[error("the table {0} is in use all the time")]
    InUse(String),
    #[error("{count} buckets of keys are not replaced, the first because {error}")]
    NotReplaced { count: usize, error: rotation::NotReplaced },
}

impl From<postgres::Error> for Unswept {
    fn from(error: postgres::Error) -> Self {
        Unswept::Failed(error.into())
    }
}

/// A sweep that is owed, as far as it has come.
enum Sweep {
    /// After an upgrade: how many of its statements are done, and the transaction before which everything must be over.
    Upgrade { done: usize, since: Option<String> },
    /// After erasures.
    Erasures(Erased),
}

/// What erasures owe, as far as it is done.
#[derive(Default)]
struct Erased {
    /// The buckets that are replaced, and whose old rows must go from the files.
    replaced: Vec<i64>,
    /// Why others are not.
    faults: Vec<rotation::NotReplaced>,
    /// The transaction before which everything must be over: the first after they were replaced.
    since: Option<String>,
    rewritten: BTreeSet<String>,
    vacuumed: usize,
}

impl Sweep {
    fn attempt(&mut self, server: &PostgresServer, keys: &Keys) -> Result<(), Unswept> {
        let mut client = server.connect()?.client;
        match self {
            Sweep::Upgrade { done, since } => {
                wait_for_older(&mut client, since)?;
                client.batch_execute(WAIT_TO_VACUUM)?;
                run(&mut client, UPGRADED, done)
            }
            Sweep::Erasures(erased) => erased.attempt(&mut client, keys),
        }
    }
}

impl Erased {
    fn attempt(&mut self, client: &mut Client, keys: &Keys) -> Result<(), Unswept> {
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
        client.batch_execute(WAIT_TO_VACUUM)?;
        run(client, ERASED, &mut self.vacuumed)?;
        if !self.faults.is_empty() {
            // What could be done is done; the next attempt begins with what is left.
            let faults = std::mem::take(self).faults;
            let count = faults.len();
            return faults
                .into_iter()
                .next()
                .map_or(Ok(()), |error| Err(Unswept::NotReplaced { count, error }));
        }
        client.execute(SWEPT, &[&since])?;
        Ok(())
    }

    /// One that cannot be replaced keeps no other from it.
    fn replace_buckets(&mut self, client: &mut Client, keys: &Keys) -> Result<(), Unswept> {
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

fn run(client: &mut Client, statements: &[&str], done: &mut usize) -> Result<(), Unswept> {
    for statement in statements.iter().skip(*done) {
        client.batch_execute(statement)?;
        *done += 1;
    }
    Ok(())
}

/// Rewrites a table of bucket keys into a new file.
fn rewrite(client: &mut Client, table: &str) -> Result<(), Unswept> {
    let statement = format!("VACUUM FULL {table}");
    for _ in 0..REWRITE_ATTEMPTS {
        match client.batch_execute(&statement) {
            Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => sleep(LOOKING),
            done => return Ok(done?),
        }
    }
    Err(Unswept::InUse(table.to_owned()))
}

/// Two looks: a snapshot that is taken beside the first may reach back to a transaction that ends meanwhile. After the
/// first none can any more.
fn wait_for_older(client: &mut Client, since: &mut Option<String>) -> Result<String, Unswept> {
    let since = match since {
        Some(since) => since.clone(),
        None => since.insert(client.query_one(SWEPT_FOR, &[])?.try_get(0)?).clone(),
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
            return Err(Unswept::Held(held));
        }
    }
    Ok(since)
}

/// The sweep after an upgrade, if it is owed and could not be done at once.
fn left_of_upgrade(server: &PostgresServer, keys: &Keys) -> Result<Option<Sweep>, StoreError> {
    if !server.connect()?.client.query_one(OWED_BY_UPGRADE, &[])?.try_get::<_, bool>(0)? {
        return Ok(None);
    }
    tracing::info!("the tables that held what is sealed now are rewritten, once");
    let mut sweep = Sweep::Upgrade { done: 0, since: None };
    match sweep.attempt(server, keys) {
        Ok(()) => Ok(None),
        Err(error) => {
            tracing::warn!(%error, "they are not rewritten yet; it is tried again");
            Ok(Some(sweep))
        }
    }
}

/// Sweeps what an upgrade left, then starts the thread. It ends, after a last sweep, when every sender is gone.
pub(super) fn start(
    server: &PostgresServer,
    keys: Arc<Keys>,
) -> Result<(Sender<()>, JoinHandle<()>), StoreError> {
    let (erased, erasures) = channel();
    let upgrade = left_of_upgrade(server, &keys)?;
    let unswept = is_owed(server)?;
    let server = server.clone();
    let thread = std::thread::Builder::new()
        .name("store-sweep".to_owned())
        .spawn(move || {
            sweep(&server, &keys, upgrade, Erasures { receiver: erasures, unswept, open: true });
        })
        .map_err(StoreError::file("cannot start a thread for", Path::new("the database")))?;
    Ok((erased, thread))
}

fn is_owed(server: &PostgresServer) -> Result<bool, StoreError> {
    Ok(server.connect()?.client.query_one(OWED_BY_ERASURES, &[])?.try_get(0)?)
}

fn sweep(server: &PostgresServer, keys: &Keys, upgrade: Option<Sweep>, mut erasures: Erasures) {
    if let Some(sweep) = upgrade {
        erasures.gather(AGAIN);
        repeat(server, keys, sweep, &mut erasures);
    }
    while erasures.wait(|| is_owed(server)) {
        erasures.gather(GATHERING);
        erasures.unswept = false;
        repeat(server, keys, Sweep::Erasures(Erased::default()), &mut erasures);
    }
}

/// Until it is done; a store that closes gives up after a few attempts.
fn repeat(server: &PostgresServer, keys: &Keys, mut sweep: Sweep, erasures: &mut Erasures) {
    let (mut pause, mut left) = (AGAIN, LAST_ATTEMPTS);
    while let Err(error) = sweep.attempt(server, keys) {
        if erasures.open {
            tracing::warn!(%error, "a sweep of erased rows is not done yet; it is tried again");
            // Of others that are erased meanwhile nothing is held up.
            let most = if matches!(error, Unswept::NotReplaced { .. }) { GATHERING } else { AGAIN_AT_MOST };
            erasures.gather(pause.min(most));
            pause = (pause * 2).min(AGAIN_AT_MOST);
            continue;
        }
        left -= 1;
        if left == 0 {
            tracing::error!(%error, "the store closes with a sweep of erased rows undone; the next one does it too");
            return;
        }
        sleep(LAST_AGAIN);
    }
}

/// News of erasures.
struct Erasures {
    receiver: Receiver<()>,
    /// Some came that no sweep has begun for.
    unswept: bool,
    /// More may come.
    open: bool,
}

impl Erasures {
    /// Waits for one, of this process or another. `false` when there will be none.
    fn wait(&mut self, is_owed: impl Fn() -> Result<bool, StoreError>) -> bool {
        while !self.unswept && self.open {
            match self.receiver.recv_timeout(OTHERS) {
                Ok(()) => self.unswept = true,
                Err(RecvTimeoutError::Disconnected) => self.open = false,
                Err(RecvTimeoutError::Timeout) => match is_owed() {
                    Ok(owed) => self.unswept = owed,
                    Err(error) => {
                        tracing::warn!(%error, "it is not known whether a sweep of erased rows is owed")
                    }
                },
            }
        }
        self.unswept
    }

    /// Waits while further ones come.
    fn gather(&mut self, patience: Duration) {
        let end = Instant::now() + patience;
        while self.open {
            match self.receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(()) => self.unswept = true,
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => self.open = false,
            }
        }
    }
}
