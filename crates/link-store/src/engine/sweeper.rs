//! Sweeping on PostgreSQL, which keeps the bytes of deleted rows in its pages: after erasures, and after an upgrade that
//! sealed what had been in clear. Each erasure notes what it owes in its own transaction, so that whoever starts next sweeps
//! after a process that was killed.
//!
//! `VACUUM FULL` keeps what an open transaction may still see, and calls it a success. So each sweep waits until all
//! transactions that began before it are over, and stays owed until then.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use postgres::Client;

use super::postgres_server::PostgresServer;
use crate::StoreError;

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

/// The wrapped keys are rewritten into a new file, for they are what must not be found; the bodies they opened
/// are waste without them, and their space is given back.
const ERASED: &[&str] = &[
    "VACUUM FULL scope_keys",
    "VACUUM accounts",
    "VACUUM archives",
    "VACUUM data_points",
    "VACUUM delivery_attempts",
    "VACUUM events",
    "VACUUM exports",
    "VACUUM forms",
    "VACUUM idempotency_keys",
    "VACUUM invites",
    "VACUUM link_attempts",
    "VACUUM records",
    "VACUUM signals",
    "VACUUM surveys",
    "VACUUM users",
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
const OWED_BY_ERASURES: &str = "SELECT EXISTS (SELECT 1 FROM unswept)";
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
}

impl From<postgres::Error> for Unswept {
    fn from(error: postgres::Error) -> Self {
        Unswept::Failed(error.into())
    }
}

/// A sweep that is owed, as far as it has come.
struct Sweep {
    statements: &'static [&'static str],
    done: usize,
    /// The transaction before which everything must be over: the first attempt's.
    since: Option<String>,
}

impl Sweep {
    fn of(statements: &'static [&'static str]) -> Self {
        Sweep { statements, done: 0, since: None }
    }

    fn attempt(&mut self, server: &PostgresServer) -> Result<(), Unswept> {
        let mut client = server.connect()?.client;
        let since = match &self.since {
            Some(since) => since.clone(),
            None => client.query_one(SWEPT_FOR, &[])?.try_get::<_, String>(0)?,
        };
        wait_for_older(&mut client, self.since.insert(since))?;
        client.batch_execute("SET lock_timeout = '2s'")?;
        for statement in &self.statements[self.done..] {
            client.batch_execute(statement)?;
            self.done += 1;
        }
        if self.statements == ERASED {
            client.execute(SWEPT, &[&self.since])?;
        }
        Ok(())
    }
}

/// Two looks: a snapshot that is taken beside the first may reach back to a transaction that ends meanwhile. After the
/// first none can any more.
fn wait_for_older(client: &mut Client, since: &String) -> Result<(), Unswept> {
    let end = Instant::now() + SETTLING;
    let mut clear = 0;
    while clear < 2 {
        let held: i64 = client.query_one(OLDER, &[since])?.try_get(0)?;
        if held == 0 {
            clear += 1;
        } else if Instant::now() < end {
            clear = 0;
            sleep(LOOKING);
        } else {
            return Err(Unswept::Held(held));
        }
    }
    Ok(())
}

/// The sweep after an upgrade, if it is owed and could not be done at once.
fn left_of_upgrade(server: &PostgresServer) -> Result<Option<Sweep>, StoreError> {
    if !server.connect()?.client.query_one(OWED_BY_UPGRADE, &[])?.try_get::<_, bool>(0)? {
        return Ok(None);
    }
    tracing::info!("the tables that held what is sealed now are rewritten, once");
    let mut sweep = Sweep::of(UPGRADED);
    match sweep.attempt(server) {
        Ok(()) => Ok(None),
        Err(error) => {
            tracing::warn!(%error, "they are not rewritten yet; it is tried again");
            Ok(Some(sweep))
        }
    }
}

/// Sweeps what an upgrade left, then starts the thread. It ends, after a last sweep, when every sender is gone.
pub(super) fn start(server: &PostgresServer) -> Result<(Sender<()>, JoinHandle<()>), StoreError> {
    let (erased, erasures) = channel();
    let upgrade = left_of_upgrade(server)?;
    let unswept = is_owed(server)?;
    let server = server.clone();
    let thread = std::thread::Builder::new()
        .name("store-sweep".to_owned())
        .spawn(move || run(&server, upgrade, Erasures { receiver: erasures, unswept, open: true }))
        .map_err(StoreError::file("cannot start a thread for", Path::new("the database")))?;
    Ok((erased, thread))
}

fn is_owed(server: &PostgresServer) -> Result<bool, StoreError> {
    Ok(server.connect()?.client.query_one(OWED_BY_ERASURES, &[])?.try_get(0)?)
}

fn run(server: &PostgresServer, upgrade: Option<Sweep>, mut erasures: Erasures) {
    if let Some(sweep) = upgrade {
        erasures.gather(AGAIN);
        repeat(server, sweep, &mut erasures);
    }
    while erasures.wait(|| is_owed(server)) {
        erasures.gather(GATHERING);
        erasures.unswept = false;
        repeat(server, Sweep::of(ERASED), &mut erasures);
    }
}

/// Until it is done; a store that closes gives up after a few attempts.
fn repeat(server: &PostgresServer, mut sweep: Sweep, erasures: &mut Erasures) {
    let (mut pause, mut left) = (AGAIN, LAST_ATTEMPTS);
    while let Err(error) = sweep.attempt(server) {
        if erasures.open {
            tracing::warn!(%error, "a sweep of erased rows is not done yet; it is tried again");
            erasures.gather(pause);
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
