//! Leases: which worker holds what, until when, and how a late worker finds out that it lost its lease.

use std::time::Duration;

use link_domain::clock::Wall;
use link_domain::job::Job;

use super::claims::{self, DueDelivery};
use super::{deliveries, jobs};
use crate::sql::{Session, Sql, params};
use crate::{StoreError, Tx};

/// The duration of a lease, unless it is renewed.
pub const LEASE: Duration = Duration::from_secs(10);
/// The interval at which a worker renews its leases.
pub const RENEWAL: Duration = Duration::from_secs(3);

/// How long to skip a row that could not be read.
pub(crate) const ASIDE: Duration = Duration::from_secs(300);

/// The random name of one worker of one process. After a restart it is a different worker.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WorkerId(String);

impl WorkerId {
    /// Creates a name from random bytes.
    #[must_use]
    pub fn from_random(bytes: [u8; 16]) -> WorkerId {
        WorkerId(base16ct::lower::encode_string(&bytes))
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The parameters of a claim.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The worker that claims.
    pub worker: &'a WorkerId,
    /// The wall clock. PostgreSQL uses its own clock instead, because nodes may disagree.
    pub now: Wall,
    /// The maximum number of items to claim.
    pub limit: usize,
}

/// An item leased to a worker. Every claim of a row raises its fence, and results with an older fence are rejected.
#[derive(Debug, Clone, PartialEq)]
pub struct Leased<T> {
    /// The leased item.
    pub item: T,
    /// The worker that holds it.
    pub worker: WorkerId,
    /// The fence of this claim.
    pub fence: i64,
}

/// Identifies a lease for its renewal: the row and the fence of its claim.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Held {
    id: String,
    fence: i64,
}

impl Leased<Job> {
    /// Returns the lease, for its renewal.
    #[must_use]
    pub fn held(&self) -> Held {
        Held { id: self.item.id.as_str().to_owned(), fence: self.fence }
    }
}

impl Leased<DueDelivery> {
    /// Returns the lease, for its renewal.
    #[must_use]
    pub fn held(&self) -> Held {
        Held { id: self.item.delivery.id.as_str().to_owned(), fence: self.fence }
    }
}

impl Tx<'_> {
    /// Renews a worker's leases on these jobs for 10 seconds. Returns how many of them it still holds.
    ///
    /// Leases that are not passed, because their task has ended, expire.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn renew_jobs(&mut self, worker: &WorkerId, held: &[Held], now: Wall) -> Result<u64, StoreError> {
        self.renew(&jobs::RENEW, worker, held, now)
    }

    /// Renews a worker's leases on these deliveries for 10 seconds. Returns how many of them it still holds.
    ///
    /// Leases that are not passed, because their task has ended, expire.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn renew_deliveries(
        &mut self,
        worker: &WorkerId,
        held: &[Held],
        now: Wall,
    ) -> Result<u64, StoreError> {
        self.renew(&claims::RENEW, worker, held, now)
    }

    fn renew(
        &mut self,
        statement: &Sql,
        worker: &WorkerId,
        held: &[Held],
        now: Wall,
    ) -> Result<u64, StoreError> {
        let until = self.session.wall(now.micros())? + LEASE.as_micros() as i64;
        held.iter().try_fold(0, |renewed, Held { id, fence }| {
            Ok(renewed + self.session.execute(statement, params![id, worker.as_str(), *fence, until])?)
        })
    }
}

/// Releases all leases, because no worker of an earlier process is alive.
pub(crate) fn void_all(session: &mut Session<'_>) -> Result<(), StoreError> {
    session.execute(&jobs::VOID_LEASES, params![])?;
    session.execute(&deliveries::VOID_LEASES, params![]).map(drop)
}
