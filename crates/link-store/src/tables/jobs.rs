//! Jobs: background work with a due time, claimed with a lease.
//!
//! Our own: a job commits with the change that schedules it, in one text per statement for both databases (ADR 3).

use std::collections::BTreeMap;

use link_domain::change::job::{Job, JobQueue};
use link_domain::kernel::clock::{TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_types::Mode;
use link_types::id::{ProviderId, TenantId};

use super::lane::{Lane, offset};
use super::lease::{self, ASIDE, Claim, Held, LEASE, Leased, WorkerId, skip_faulty};
use super::resource::resource;
use super::{owner, small};
use crate::body::{decode, encode};
use crate::commit_notice::CommitNotice;
use crate::reader::{ReadSession, parse};
use crate::sql::{Row, Session, columns, params, statements};
use crate::{StoreError, Tx};

const TABLE: &str = "jobs";

columns! {
    /// The columns of a job.
    job_columns => struct Columns { id, key, tenant_id, mode, kind, due_at, run_at, attempts, fence }
}
const COLUMNS: Columns = Columns::after(0);
columns! {
    /// A lane, and when its first job without a lease is due.
    lane_columns => struct LaneColumns {
        lane,
        due_at = "(SELECT c.due_at FROM jobs c WHERE c.queue = ?1 \
                  AND c.lane = lanes.lane AND c.run_at <= ?2 \
                  AND (c.lease_until IS NULL OR c.lease_until <= ?2) ORDER BY c.due_at LIMIT 1)",
    }
}
const LANE: LaneColumns = LaneColumns::after(0);
columns! {
    /// A lane, and the number of its jobs that are leased.
    leased_columns => struct LeasedColumns { lane, jobs = "COUNT(*)" }
}
const LEASED: LeasedColumns = LeasedColumns::after(0);

statements! {
    PUT = "INSERT INTO jobs (id, key, tenant_id, mode, kind, due_at, run_at, attempts, fence, queue, lane) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, ?9, ?10) \
           ON CONFLICT (key) DO UPDATE SET id = excluded.id, kind = excluded.kind, due_at = excluded.due_at, \
           run_at = excluded.run_at, attempts = excluded.attempts, lease_owner = NULL, lease_until = NULL, \
           fence = jobs.fence + 1, queue = excluded.queue, lane = excluded.lane";
    /// Steps along the queue's index from lane to lane, and selects when each lane's first unleased job is due on the
    /// lane's clock. A lease that has expired counts as no lease.
    LANES = concat!("WITH RECURSIVE lanes (lane) AS (SELECT (SELECT m.lane FROM jobs m WHERE m.queue = ?1 \
             ORDER BY m.lane LIMIT 1) UNION ALL SELECT (SELECT n.lane FROM jobs n WHERE n.queue = ?1 \
             AND n.lane > lanes.lane ORDER BY n.lane LIMIT 1) FROM lanes WHERE lanes.lane IS NOT NULL) \
             SELECT ", lane_columns!("lanes."), " FROM lanes WHERE lanes.lane IS NOT NULL");
    CLAIM = concat!("WITH due AS MATERIALIZED (SELECT id FROM jobs WHERE queue = ?5 AND lane = ?6 \
            AND due_at <= ?7 AND run_at <= ?1 AND (lease_until IS NULL OR lease_until <= ?1) \
            ORDER BY due_at, id LIMIT ?4 /*skip locked*/) \
            UPDATE jobs SET lease_owner = ?2, lease_until = ?3, fence = fence + 1, attempts = attempts + 1 \
            WHERE id IN (SELECT id FROM due) RETURNING ", job_columns!(""));
    /// Counts the jobs of each lane that workers other than `?3` have leased.
    LEASED_BY_OTHERS = concat!("SELECT ", leased_columns!(""), " FROM jobs WHERE lease_owner IS NOT NULL \
                       AND queue = ?1 AND lease_until > ?2 AND lease_owner <> ?3 GROUP BY lane");
    RENEW = "UPDATE jobs SET lease_until = ?4 WHERE id = ?1 AND lease_owner = ?2 AND fence = ?3";
    /// Only if no other worker has a lease on it.
    HOLD = "UPDATE jobs SET lease_owner = ?4, lease_until = ?5 WHERE tenant_id = ?1 AND mode = ?2 AND key = ?3 \
            AND (lease_owner IS NULL OR lease_owner = ?4)";
    SET_ASIDE = "UPDATE jobs SET run_at = ?2, lease_owner = NULL, lease_until = NULL WHERE id = ?1";
    FINISH = "DELETE FROM jobs WHERE id = ?1 AND lease_owner = ?2 AND fence = ?3";
    POSTPONE = "UPDATE jobs SET due_at = ?4, run_at = ?5, lease_owner = NULL, lease_until = NULL \
                WHERE id = ?1 AND lease_owner = ?2 AND fence = ?3";
    FIND_BY_KEY = concat!("SELECT ", job_columns!(""), " FROM jobs WHERE tenant_id = ?1 AND mode = ?2 \
                  AND key = ?3");
    DELETE_OF_OWNER_AND_KEY = "DELETE FROM jobs WHERE tenant_id = ?1 AND mode = ?2 AND key = ?3";
    VOID_LEASES = "UPDATE jobs SET lease_owner = NULL, lease_until = NULL WHERE lease_owner IS NOT NULL";
}

/// Nodes that claim jobs of a queue with shared shares claim one after the other, so that they see each other's jobs.
/// PostgreSQL only: SQLite has one writer. A node that disappears in the middle of a claim keeps the lock until PostgreSQL
/// ends its idle session.
const CLAIM_LOCK: &str = "SET LOCAL idle_in_transaction_session_timeout = '10s'; SET LOCAL lock_timeout = '2s'; \
                          SELECT pg_advisory_xact_lock(7237465113)";

/// The maximum number of jobs that one tenant, and one provider, may have in progress in a queue, so that a slow one does
/// not block the others.
#[derive(Debug, Clone)]
pub struct Share {
    /// The maximum per tenant.
    pub most: usize,
    /// The number of jobs in progress, by tenant.
    pub held: BTreeMap<TenantId, usize>,
    /// The maximum per provider, for jobs that take a part of a provider's share.
    pub most_of_provider: usize,
    /// The number of those jobs in progress, by provider and environment. A provider of the sandbox has the same id as that
    /// of production, and is another source.
    pub held_of_provider: BTreeMap<(ProviderId, Mode), usize>,
}

impl Share {
    fn count_held_by(&self, tenant: &TenantId) -> usize {
        self.held.get(tenant).copied().unwrap_or_default()
    }

    /// Returns how many more jobs of a lane fit.
    fn room(&self, lane: &Lane) -> usize {
        let of_tenant = self.most.saturating_sub(self.count_held_by(&lane.tenant));
        let of_provider = lane.provider.as_ref().map_or(usize::MAX, |provider| {
            let held = self.held_of_provider.get(provider).copied().unwrap_or_default();
            self.most_of_provider.saturating_sub(held)
        });
        of_tenant.min(of_provider)
    }

    fn add(&mut self, lane: Lane, count: usize) {
        *self.held.entry(lane.tenant).or_default() += count;
        if let Some(provider) = lane.provider {
            *self.held_of_provider.entry(provider).or_default() += count;
        }
    }
}

/// The jobs that a claim took.
#[derive(Debug, Default)]
pub struct ClaimedJobs {
    /// The jobs, in the order in which they were due.
    pub jobs: Vec<Leased<Job>>,
    /// When the next job of the queue is due, if no clock is advanced. A worker without work may sleep until then.
    pub next: Option<Wall>,
}

impl Leased<Job> {
    /// Returns the lease, for its renewal.
    #[must_use]
    pub fn lease(&self) -> Held {
        self.lease_as(self.item.id.as_str())
    }
}

fn read(row: &Row<'_>) -> Result<(Job, i64), StoreError> {
    let job = Job {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        key: row.text(COLUMNS.key)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        kind: decode(TABLE, row.slice(COLUMNS.kind)?)?,
        due_at: TenantTime::from_micros(row.int(COLUMNS.due_at)?),
        run_at: Wall::from_micros(row.int(COLUMNS.run_at)?),
        attempts: small(TABLE, row.int(COLUMNS.attempts)?)?,
    };
    Ok((job, row.int(COLUMNS.fence)?))
}

resource! {
    /// Jobs of the workers.
    Jobs, jobs
}

impl<'c, S: ReadSession<'c>> Jobs<'_, S> {
    /// Returns an owner's unfinished job by its key.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, key: &str) -> Result<Option<Job>, StoreError> {
        let owned = params![owner.tenant.as_str(), owner.mode.as_str(), key];
        Ok(self.session().find(&FIND_BY_KEY, owned, read)?.map(|(job, _)| job))
    }
}

impl Jobs<'_, Tx<'_>> {
    pub(crate) fn put(&mut self, job: &Job) -> Result<(), StoreError> {
        let kind = encode(TABLE, &job.kind)?;
        self.session().execute_later(
            &PUT,
            params![
                job.id.as_str(),
                &job.key,
                job.owner.tenant.as_str(),
                job.owner.mode.as_str(),
                kind.as_slice(),
                job.due_at.micros(),
                job.run_at.micros(),
                i64::from(job.attempts),
                job.kind.queue().as_str(),
                &Lane::for_job(job),
            ],
        )?;
        self.0.notify(CommitNotice::Jobs(job.kind.queue()));
        Ok(())
    }

    /// Claims due jobs of a queue, within the limits of `share`.
    ///
    /// The tenants with the fewest jobs in progress go first, and the oldest jobs of each. A worker holds each for 10
    /// seconds, and longer if it renews the lease. For a queue whose shares count the jobs of all nodes
    /// ([`JobQueue::is_shared_by_nodes`]), the store adds those of other workers to `share`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn claim(
        &mut self,
        queue: JobQueue,
        claim: Claim<'_>,
        mut share: Share,
    ) -> Result<ClaimedJobs, StoreError> {
        let is_shared = queue.is_shared_by_nodes();
        if is_shared && self.session().is_postgres() {
            self.session().script(CLAIM_LOCK)?;
        }
        let now = self.session().wall(claim.now.micros())?;
        let until = now + LEASE.as_micros() as i64;
        if is_shared {
            self.add_leased(queue, claim.worker, now, &mut share)?;
        }
        let found = self.session().query(&LANES, params![queue.as_str(), now], |row| {
            Ok((row.text(LANE.lane)?, row.opt_int(LANE.due_at)?))
        })?;
        let offsets = self.0.tenants().sandbox_offsets()?;
        let stopped = match queue.stops_with_tenant() {
            true => self.0.tenants().find_stopped()?,
            false => self.0.tenants().find_between_cells()?,
        };
        let (mut lanes, mut next) = (Vec::new(), None::<i64>);
        for (name, due) in found {
            let Some(due) = due else { continue };
            let Some(lane) = skip_faulty(Lane::parse(name)) else { continue };
            if stopped.contains(&lane.tenant) {
                continue;
            }
            let due = due - offset(&offsets, &lane);
            if due <= now {
                lanes.push((share.count_held_by(&lane.tenant), due, lane));
            } else {
                next = Some(next.map_or(due, |next| next.min(due)));
            }
        }
        lanes.sort_by(|(held, due, lane), (others_held, others_due, other)| {
            (held, due, &lane.name).cmp(&(others_held, others_due, &other.name))
        });
        let mut claimed = Vec::new();
        for (_, _, lane) in lanes {
            let room = share.room(&lane).min(claim.limit - claimed.len());
            if room > 0 {
                let found = self.session().query(
                    &CLAIM,
                    params![
                        now,
                        claim.worker.as_str(),
                        until,
                        room as i64,
                        queue.as_str(),
                        &lane.name,
                        now + offset(&offsets, &lane),
                    ],
                    |row| Ok((row.text(COLUMNS.id)?, skip_faulty(read(row)))),
                )?;
                share.add(lane, found.len());
                claimed.extend(found);
            }
        }
        let mut leased = Vec::with_capacity(claimed.len());
        for (id, job) in claimed {
            match job {
                Some((item, fence)) => leased.push(Leased { item, worker: claim.worker.clone(), fence }),
                None => {
                    self.session().execute(&SET_ASIDE, params![&id, now + ASIDE.as_micros() as i64])?;
                }
            }
        }
        leased
            .sort_by(|one, other| (one.item.due_at, &one.item.id).cmp(&(other.item.due_at, &other.item.id)));
        Ok(ClaimedJobs { jobs: leased, next: next.map(Wall::from_micros) })
    }

    /// Adds the jobs that other workers have leased to those in progress.
    fn add_leased(
        &mut self,
        queue: JobQueue,
        worker: &WorkerId,
        now: i64,
        share: &mut Share,
    ) -> Result<(), StoreError> {
        let of_others = params![queue.as_str(), now, worker.as_str()];
        let leased = self
            .session()
            .query(&LEASED_BY_OTHERS, of_others, |row| Ok((row.text(LEASED.lane)?, row.int(LEASED.jobs)?)))?;
        for (name, count) in leased {
            let Some(lane) = skip_faulty(Lane::parse(name)) else { continue };
            share.add(lane, usize::try_from(count).unwrap_or(usize::MAX));
        }
        Ok(())
    }

    /// Renews a worker's leases on these jobs for 10 seconds. Returns how many of them it still holds.
    ///
    /// Leases that are not passed, because their task has ended, expire.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn renew(&mut self, worker: &WorkerId, held: &[Held], now: Wall) -> Result<u64, StoreError> {
        lease::renew(self.session(), &RENEW, worker, held, now)
    }

    /// Deletes a finished job. Returns `false` if the lease was lost: another worker runs the job, or it was replaced.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn finish(&mut self, job: &Leased<Job>) -> Result<bool, StoreError> {
        let Leased { item, worker, fence } = job;
        Ok(self.session().execute(&FINISH, params![item.id.as_str(), worker.as_str(), *fence])? == 1)
    }

    /// Releases a job so that it runs again at `run_at` in real time. Returns `false` if the lease was lost.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn postpone(&mut self, job: &Leased<Job>, run_at: Wall) -> Result<bool, StoreError> {
        self.release(job, job.item.due_at, run_at)
    }

    /// Releases a job so that it runs again at `due_at` on its tenant's clock. Returns `false` if the lease was lost.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn reschedule(&mut self, job: &Leased<Job>, due_at: TenantTime) -> Result<bool, StoreError> {
        self.release(job, due_at, job.item.run_at)
    }

    fn release(&mut self, job: &Leased<Job>, due_at: TenantTime, run_at: Wall) -> Result<bool, StoreError> {
        let Leased { item, worker, fence } = job;
        let held = params![item.id.as_str(), worker.as_str(), *fence, due_at.micros(), run_at.micros()];
        Ok(self.session().execute(&POSTPONE, held)? == 1)
    }

    /// Leases an owner's job for 10 seconds, because a request does its work itself. Call it again to renew the lease.
    /// Returns `false` if there is no such job, or another worker has it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn hold(
        &mut self,
        owner: &Owner,
        key: &str,
        worker: &WorkerId,
        now: Wall,
    ) -> Result<bool, StoreError> {
        let until = self.session().wall(now.micros())? + LEASE.as_micros() as i64;
        let held = params![owner.tenant.as_str(), owner.mode.as_str(), key, worker.as_str(), until];
        Ok(self.session().execute(&HOLD, held)? == 1)
    }

    /// Deletes an owner's job by its key, even if a worker holds a lease. Returns whether it existed.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn withdraw(&mut self, owner: &Owner, key: &str) -> Result<bool, StoreError> {
        let touched = self
            .session()
            .execute(&DELETE_OF_OWNER_AND_KEY, params![owner.tenant.as_str(), owner.mode.as_str(), key])?;
        Ok(touched == 1)
    }
}

/// Releases all leases, because no worker of an earlier process is alive.
pub(crate) fn void_leases(session: &mut Session<'_>) -> Result<(), StoreError> {
    session.execute(&VOID_LEASES, params![]).map(drop)
}
