//! Leases: who works on what, for how long, and how a late worker is told that it lost.

use std::time::Duration;

use link_domain::clock::Wall;
use link_domain::job::Job;

use super::claims::{self, DueDelivery};
use super::{deliveries, jobs};
use crate::sql::{Session, Sql, params};
use crate::{StoreError, Tx};

/// How long a claim holds unless it is renewed.
pub const LEASE: Duration = Duration::from_secs(10);
/// How often a worker renews.
pub const RENEWAL: Duration = Duration::from_secs(3);

/// How long a row that cannot be read is left alone before it is tried again.
pub(crate) const ASIDE: Duration = Duration::from_secs(300);

/// Names one worker of one process, at random: a process that restarts is another worker.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WorkerId(String);

impl WorkerId {
    /// A name made of random bytes.
    #[must_use]
    pub fn from_random(bytes: [u8; 16]) -> WorkerId {
        WorkerId(base16ct::lower::encode_string(&bytes))
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

/// What a worker has in hand right now: the row and the fence of its claim.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Held {
    id: String,
    fence: i64,
}

impl Leased<Job> {
    /// The claim by name, for its renewal.
    #[must_use]
    pub fn held(&self) -> Held {
        Held { id: self.item.id.as_str().to_owned(), fence: self.fence }
    }
}

impl Leased<DueDelivery> {
    /// The claim by name, for its renewal.
    #[must_use]
    pub fn held(&self) -> Held {
        Held { id: self.item.delivery.id.as_str().to_owned(), fence: self.fence }
    }
}

impl Tx<'_> {
    /// Keeps these jobs of a worker for ten seconds more. Gives how many of them it still holds. What is not among
    /// them, because its task has ended, is left to run out.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be written.
    pub fn renew_jobs(&mut self, worker: &WorkerId, held: &[Held], now: Wall) -> Result<u64, StoreError> {
        self.renew(&jobs::RENEW, worker, held, now)
    }

    /// Keeps these deliveries of a worker for ten seconds more. Gives how many of them it still holds. What is not
    /// among them, because its task has ended, is left to run out.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be written.
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

/// Frees everything: no worker of an earlier process lives.
pub(crate) fn void_all(session: &mut Session<'_>) -> Result<(), StoreError> {
    session.execute(&jobs::VOID_LEASES, params![])?;
    session.execute(&deliveries::VOID_LEASES, params![]).map(drop)
}
