//! Leases: who works on what, for how long, and how a late worker is told that it lost.

use std::time::Duration;

use link_domain::clock::Wall;

use super::{deliveries, jobs};
use crate::StoreError;
use crate::sql::{Session, params};

/// How long a claim holds unless it is renewed.
pub const LEASE: Duration = Duration::from_secs(10);
/// How often a worker renews.
pub const RENEWAL: Duration = Duration::from_secs(3);

/// Names one worker of one process, at random: a process that restarts is another worker.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WorkerId(String);

impl WorkerId {
    /// A name made of random bytes.
    #[must_use]
    pub fn from_random(bytes: [u8; 16]) -> WorkerId {
        WorkerId(crate::keys::master::encode_hex(&bytes))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a worker asks for.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// Who asks.
    pub worker: &'a WorkerId,
    /// The wall clock; PostgreSQL's own is taken instead, where nodes may disagree.
    pub now: Wall,
    /// At most so many.
    pub limit: usize,
}

/// Something this worker holds. Every claim of a row raises its fence: an outcome with an older one is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Leased<T> {
    /// What is held.
    pub item: T,
    /// Who holds it.
    pub worker: WorkerId,
    /// The fence of this claim.
    pub fence: i64,
}

/// Frees everything: no worker of an earlier process lives.
pub(crate) fn void_all(session: &mut Session<'_>) -> Result<(), StoreError> {
    session.execute(&jobs::VOID_LEASES, params![])?;
    session.execute(&deliveries::VOID_LEASES, params![]).map(drop)
}
