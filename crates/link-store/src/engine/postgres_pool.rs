//! Knowledge that the threads of the store share about their connections: whether the server is away, since when, and which
//! connections are too old to trust.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::postgres_server::PostgresServer;
use crate::StoreError;
use crate::sql::PgConnection;

/// The pause between two attempts to connect. It doubles up to the maximum.
const PAUSE: Duration = Duration::from_millis(100);
const MAX_PAUSE: Duration = Duration::from_secs(1);
/// How long a thread may be busy with one unit or read before its connection counts as failing.
const SLOW: Duration = Duration::from_secs(4);

/// The states of a thread other than the millisecond since which it is busy.
const IDLE: u64 = 0;
const UNCONNECTED: u64 = u64::MAX;

/// The connections of a store to its server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolHealth {
    /// The number of connections that the store keeps.
    pub connections: usize,
    /// The number that are closed or have not responded for 4 seconds.
    pub failing: usize,
    /// Why connecting failed last, if the server is away.
    pub fault: Option<String>,
}

impl PoolHealth {
    /// Returns whether most requests can be served.
    #[must_use]
    pub fn is_good(&self) -> bool {
        2 * self.failing <= self.connections
    }
}

/// A period in which no connection could be opened.
struct Outage {
    since: Instant,
    error: OutageError,
    pause: Duration,
    try_at: Instant,
}

#[derive(Clone)]
enum OutageError {
    Unreachable(String),
    Refused(String),
    Crowded(String),
}

impl From<OutageError> for StoreError {
    fn from(error: OutageError) -> Self {
        match error {
            OutageError::Unreachable(words) => StoreError::Unreachable(words),
            OutageError::Refused(words) => StoreError::Refused(words),
            OutageError::Crowded(words) => StoreError::Crowded(words),
        }
    }
}

/// See the module.
pub(super) struct Pool {
    server: PostgresServer,
    started: Instant,
    outage: Mutex<Option<Outage>>,
    /// The number of times that the server was lost. Connections of an earlier generation are closed.
    generation: AtomicU64,
    threads: Vec<AtomicU64>,
}

impl Pool {
    pub(super) fn new(server: &PostgresServer, threads: usize) -> Self {
        Self {
            server: server.clone(),
            started: Instant::now(),
            outage: Mutex::new(None),
            generation: AtomicU64::new(0),
            threads: (0..threads).map(|_| AtomicU64::new(UNCONNECTED)).collect(),
        }
    }

    /// Opens a connection. While the server is away, one thread tries in each pause, and the others fail at once. A thread
    /// whose attempt meets silence does not hold up the next one: the primary may be another host by then.
    pub(super) fn connect(&self) -> Result<(PgConnection, u64), StoreError> {
        {
            let mut outage = self.lock_state();
            if let Some(outage) = &mut *outage {
                let now = Instant::now();
                if now < outage.try_at {
                    return Err(outage.error.clone().into());
                }
                outage.try_at = now + MAX_PAUSE;
            }
        }
        let generation = self.generation.load(Ordering::Acquire);
        match self.server.connect() {
            Ok(connection) => {
                if let Some(outage) = self.lock_state().take() {
                    let seconds = outage.since.elapsed().as_secs_f32();
                    tracing::warn!(seconds, "PostgreSQL accepts connections again");
                }
                Ok((connection, generation))
            }
            Err(error) => {
                self.note_failure(&error);
                Err(error)
            }
        }
    }

    /// Returns why the server is away.
    pub(super) fn fault(&self) -> StoreError {
        match &*self.lock_state() {
            Some(outage) => outage.error.clone().into(),
            None => StoreError::Unreachable("the server was away".to_owned()),
        }
    }

    fn note_failure(&self, error: &StoreError) {
        let failed = if let StoreError::Refused(words) = error {
            OutageError::Refused(words.clone())
        } else if let StoreError::Crowded(words) = error {
            OutageError::Crowded(words.clone())
        } else {
            OutageError::Unreachable(error.to_string().trim_start_matches("PostgreSQL: ").to_owned())
        };
        let (mut outage, now) = (self.lock_state(), Instant::now());
        let (since, pause) = match &*outage {
            None => {
                self.log_start(&failed, error);
                (now, PAUSE)
            }
            Some(known) => (known.since, (known.pause * 2).min(MAX_PAUSE)),
        };
        *outage = Some(Outage { since, error: failed, pause, try_at: now + pause });
    }

    fn log_start(&self, failed: &OutageError, error: &StoreError) {
        match failed {
            OutageError::Unreachable(_) | OutageError::Refused(_) => {
                tracing::error!(%error, "PostgreSQL is away: requests get 503 while no connection can be opened");
            }
            OutageError::Crowded(_) => {
                let PoolHealth { connections, failing, .. } = self.count();
                let open = connections - failing;
                tracing::error!(
                    %error, open, connections,
                    "PostgreSQL accepts no further connection: the open ones serve all requests"
                );
            }
        }
    }

    /// Returns how long a thread without a connection waits before it tries again.
    pub(super) fn pause(&self) -> Duration {
        let until = self.lock_state().as_ref().map(|it| it.try_at.saturating_duration_since(Instant::now()));
        until.unwrap_or(PAUSE).clamp(Duration::from_millis(5), MAX_PAUSE)
    }

    /// Makes all threads replace the connections that are open now.
    pub(super) fn lose_server(&self, of: u64) {
        // Others may have noticed the same loss.
        let _ = self.generation.compare_exchange(of, of + 1, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Returns whether connections of this generation may be used.
    pub(super) fn is_current(&self, generation: u64) -> bool {
        self.generation.load(Ordering::Acquire) == generation
    }

    pub(super) fn note_busy(&self, thread: usize) {
        let millis = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX - 1);
        self.set(thread, millis.max(1));
    }

    pub(super) fn note_idle(&self, thread: usize) {
        self.set(thread, IDLE);
    }

    pub(super) fn note_unconnected(&self, thread: usize) {
        self.set(thread, UNCONNECTED);
    }

    fn set(&self, thread: usize, state: u64) {
        if let Some(of) = self.threads.get(thread) {
            of.store(state, Ordering::Relaxed);
        }
    }

    pub(super) fn health(&self) -> PoolHealth {
        let fault =
            self.lock_state().as_ref().map(|outage| StoreError::from(outage.error.clone()).to_string());
        PoolHealth { fault, ..self.count() }
    }

    fn count(&self) -> PoolHealth {
        let now = self.started.elapsed();
        let is_failing = |state: &AtomicU64| match state.load(Ordering::Relaxed) {
            IDLE => false,
            UNCONNECTED => true,
            since => now.saturating_sub(Duration::from_millis(since)) > SLOW,
        };
        PoolHealth {
            connections: self.threads.len(),
            failing: self.threads.iter().filter(|it| is_failing(it)).count(),
            fault: None,
        }
    }

    fn lock_state(&self) -> MutexGuard<'_, Option<Outage>> {
        self.outage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
