//! Leases: which worker holds what, until when, and how a late worker finds out that it lost its lease.

use std::time::Duration;

use link_domain::kernel::clock::Wall;

use crate::StoreError;
use crate::sql::{Session, Sql, params};

/// The duration of a lease, unless it is renewed.
pub const LEASE: Duration = Duration::from_secs(10);
/// The interval at which a worker renews its leases.
pub const RENEWAL: Duration = Duration::from_secs(3);

/// How long to skip a row that cannot be decoded.
pub(crate) const ASIDE: Duration = Duration::from_secs(300);

/// Logs a row that a worker cannot decode and leaves it out: one row must not stop the queue of all tenants.
pub(super) fn skip_faulty<T>(row: Result<T, StoreError>) -> Option<T> {
    row.inspect_err(|error| tracing::error!(%error, "A row could not be decoded and is set aside")).ok()
}

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

impl<T> Leased<T> {
    /// Returns the lease of the row with this id, for its renewal.
    pub(super) fn lease_as(&self, id: &str) -> Held {
        Held { id: id.to_owned(), fence: self.fence }
    }
}

/// Renews a worker's leases for 10 seconds with a statement. Returns how many of them it still holds.
pub(super) fn renew(
    session: &mut Session<'_>,
    statement: &Sql,
    worker: &WorkerId,
    held: &[Held],
    now: Wall,
) -> Result<u64, StoreError> {
    let until = session.wall(now.micros())? + LEASE.as_micros() as i64;
    held.iter().try_fold(0, |renewed, Held { id, fence }| {
        Ok(renewed + session.execute(statement, params![id, worker.as_str(), *fence, until])?)
    })
}
