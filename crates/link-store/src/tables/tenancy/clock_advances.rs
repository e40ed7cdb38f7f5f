//! Advances of sandbox clocks: the latest of each tenant.

use link_domain::change::job::JobQueue;
use link_domain::kernel::clock::{Now, TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::sandbox_clock::{
    Advance, AdvanceState, DueWork, MAX_AWAITED_RETRIES, RETRY_HORIZON,
};
use link_types::Mode;
use link_types::clock::ClockAdvanceStatus;
use link_types::id::TenantId;

use crate::commit_notice::CommitNotice;
use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::lane::lanes_of;
use crate::tables::resource::resource;
use crate::tables::small;
use crate::{StoreError, Tx};

const TABLE: &str = "clock_advances";

columns! {
    /// The columns of an advance.
    advance_columns => struct Columns { tenant_id, from_at, until_at, steps, status, moved_at }
}
const COLUMNS: Columns = Columns::after(0);
columns! {
    /// The due work of a lane. That of a webhook has the same columns.
    work_columns => struct WorkColumns {
        is_due = "EXISTS (SELECT 1 FROM jobs c WHERE c.queue = l.queue AND c.lane = l.lane \
                  AND c.due_at <= ?5 AND (c.run_at <= ?6 OR (c.run_at <= ?8 AND c.attempts <= ?9 \
                  AND l.queue NOT IN ('mail', 'maintenance'))))",
        next_at = "(SELECT c.due_at FROM jobs c WHERE c.queue = l.queue AND c.lane = l.lane \
                   AND c.due_at > ?5 ORDER BY c.due_at LIMIT 1)",
    }
}
const WORK: WorkColumns = WorkColumns::after(0);

statements! {
    PUT = "INSERT INTO clock_advances (tenant_id, from_at, until_at, steps, status, moved_at) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (tenant_id) DO UPDATE SET from_at = excluded.from_at, \
           until_at = excluded.until_at, steps = excluded.steps, status = excluded.status, \
           moved_at = excluded.moved_at";
    /// For each lane and each webhook of the environment `?1` and `?2`, selects whether work is due or in progress, and when
    /// the next work is due. `?3` and `?4` are its first and its last lane, `?5` is now on its clock, `?6` now on the wall
    /// clock, and `?7` the queue that is paused. Jobs that ran at most `?9` times and run again before `?8` also count. One statement, so that work which leads to other work is seen before or
    /// after, but not in between. Deliveries that wait for a probe do not count.
    DUE_WORK = concat!("WITH RECURSIVE queues (queue) AS (SELECT (SELECT m.queue FROM jobs m WHERE m.queue > '' \
                ORDER BY m.queue LIMIT 1) \
                UNION ALL SELECT (SELECT n.queue FROM jobs n WHERE n.queue > queues.queue ORDER BY n.queue LIMIT 1) \
                FROM queues WHERE queues.queue IS NOT NULL), \
                lanes (queue, lane) AS (SELECT q.queue, (SELECT m.lane FROM jobs m WHERE m.queue = q.queue \
                AND m.lane >= ?3 AND m.lane < ?4 ORDER BY m.lane LIMIT 1) FROM queues q \
                WHERE q.queue IS NOT NULL AND q.queue <> 'clock' AND q.queue <> ?7 UNION ALL \
                SELECT lanes.queue, (SELECT n.lane FROM jobs n WHERE n.queue = lanes.queue \
                AND n.lane > lanes.lane AND n.lane < ?4 ORDER BY n.lane LIMIT 1) FROM lanes WHERE lanes.lane IS NOT NULL) \
                SELECT ", work_columns!(""), " FROM lanes l WHERE l.lane IS NOT NULL UNION ALL \
                SELECT EXISTS (SELECT 1 FROM deliveries d WHERE d.webhook_id = w.id AND d.run_at <= ?5 \
                AND d.run_at IS NOT NULL AND d.attempts_made = 0 AND d.blocked = 0) \
                OR EXISTS (SELECT 1 FROM deliveries d WHERE d.webhook_id = w.id AND d.run_at <= ?5 \
                AND d.run_at IS NOT NULL AND d.attempts_made > 0 AND d.blocked = 0), (SELECT d.run_at FROM deliveries d WHERE d.webhook_id = w.id \
                AND d.run_at > ?5 AND d.run_at IS NOT NULL AND d.attempts_made > 0 \
                AND d.blocked = 0 ORDER BY d.run_at LIMIT 1) FROM webhooks w WHERE w.tenant_id = ?1 AND w.mode = ?2");
    FIND = concat!("SELECT ", advance_columns!(""), " FROM clock_advances WHERE tenant_id = ?1");
}

fn read(row: &Row<'_>) -> Result<Advance, StoreError> {
    let moved_at = row.opt_int(COLUMNS.moved_at)?.map(Wall::from_micros);
    let state = match (parse(TABLE, row.str(COLUMNS.status)?)?, moved_at) {
        (ClockAdvanceStatus::Started, Some(moved_at)) => AdvanceState::Running { moved_at },
        (ClockAdvanceStatus::Started, None) => {
            return Err(StoreError::undecodable(TABLE, "an advance has no time"));
        }
        (ClockAdvanceStatus::Finished, _) => AdvanceState::Finished,
        (ClockAdvanceStatus::Stopped, _) => AdvanceState::Stopped,
    };
    Ok(Advance {
        tenant: parse(TABLE, row.str(COLUMNS.tenant_id)?)?,
        from: TenantTime::from_micros(row.int(COLUMNS.from_at)?),
        until: TenantTime::from_micros(row.int(COLUMNS.until_at)?),
        steps: small(TABLE, row.int(COLUMNS.steps)?)?,
        state,
    })
}

resource! {
    /// Advances of sandbox clocks.
    ClockAdvances, clock_advances
}

impl<'c, S: ReadSession<'c>> ClockAdvances<'_, S> {
    /// Returns the latest advance of a tenant's sandbox clock. To change it, lock the tenant first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, tenant: &TenantId) -> Result<Option<Advance>, StoreError> {
        self.session().find(&FIND, params![tenant.as_str()], read)
    }

    /// Returns the work of a tenant's sandbox that an advance waits for. Jobs in the queue `paused` do not count.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn due_work(
        &mut self,
        tenant: &TenantId,
        paused: Option<JobQueue>,
        now: Now,
    ) -> Result<DueWork, StoreError> {
        let owner = Owner { tenant: tenant.clone(), mode: Mode::Sandbox };
        let (first, end) = lanes_of(&owner);
        let of_owner = params![
            owner.tenant.as_str(),
            owner.mode.as_str(),
            &first,
            &end,
            now.tenant().micros(),
            now.wall().micros(),
            paused.map_or("", JobQueue::as_str),
            (now.wall() + RETRY_HORIZON).micros(),
            MAX_AWAITED_RETRIES,
        ];
        let found = self.session().query(&DUE_WORK, of_owner, |row| {
            let next_at = row.opt_int(WORK.next_at)?.map(TenantTime::from_micros);
            Ok(DueWork { is_due: row.truth(WORK.is_due)?, next_at })
        })?;
        Ok(found.into_iter().fold(DueWork::default(), DueWork::and))
    }
}

impl ClockAdvances<'_, Tx<'_>> {
    pub(crate) fn put(&mut self, advance: &Advance) -> Result<(), StoreError> {
        let Advance { tenant, from, until, steps, state } = advance;
        let moved_at = match state {
            AdvanceState::Running { moved_at } => Some(moved_at.micros()),
            AdvanceState::Finished | AdvanceState::Stopped => None,
        };
        let status = advance.view().status;
        let row = params![
            tenant.as_str(),
            from.micros(),
            until.micros(),
            i64::from(*steps),
            status.as_str(),
            moved_at
        ];
        self.session().execute_later(&PUT, row)?;
        // Work that was due later may be due now.
        for queue in JobQueue::ALL {
            self.0.notify(CommitNotice::Jobs(queue));
        }
        self.0.notify(CommitNotice::Deliveries);
        Ok(())
    }
}
