//! Work that waits for the workers, for metrics.

use link_domain::change::job::JobQueue;
use link_domain::kernel::clock::Wall;

use super::count;
use super::notifications::delivery::waiting_hooks::{
    COUNT_FIRST, COUNT_RESEND, HOOKS_FIRST, HOOKS_RESEND, hook,
};
use crate::sql::{Param, Sql, params, statements};
use crate::{Reader, StoreError};

/// The maximum number of due jobs counted in each lane, and of due deliveries: the exact number of more does not matter,
/// and a scrape must stay quick.
pub const MAX_COUNTED: u32 = 1_000;

statements! {
    /// Steps from lane to lane, as claims do, and counts the due jobs of each.
    DUE_JOBS = "WITH RECURSIVE lanes (lane) AS (SELECT (SELECT m.lane FROM jobs m WHERE m.queue = ?1 \
                ORDER BY m.lane LIMIT 1) UNION ALL SELECT (SELECT n.lane FROM jobs n WHERE n.queue = ?1 \
                AND n.lane > lanes.lane ORDER BY n.lane LIMIT 1) FROM lanes WHERE lanes.lane IS NOT NULL) \
                SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM jobs c WHERE c.queue = ?1 AND c.lane = lanes.lane \
                AND c.due_at <= ?2 AND c.run_at <= ?2 LIMIT 1000) counted), \
                (SELECT c.due_at FROM jobs c WHERE c.queue = ?1 AND c.lane = lanes.lane AND c.due_at <= ?2 \
                AND c.run_at <= ?2 ORDER BY c.due_at LIMIT 1), lanes.lane FROM lanes WHERE lanes.lane IS NOT NULL";
    OPEN_BREAKERS = "SELECT COUNT(*) FROM webhook_breakers WHERE opened_at IS NOT NULL";
}

/// Work that waits for the workers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// The due jobs of each queue.
    pub jobs: Vec<(JobQueue, Due)>,
    /// Deliveries that are due for their first attempt.
    pub deliveries: Due,
    /// Deliveries that are due for another attempt.
    pub resends: Due,
    /// Webhooks that are paused because they fail.
    pub open_breakers: u64,
}

/// Work that is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// The number, at most [`MAX_COUNTED`] for deliveries and for each environment's jobs.
    pub count: u64,
    /// When the oldest was due. Work of paused webhooks and suspended tenants does not count.
    pub since: Option<Wall>,
}

impl Reader<'_> {
    /// Counts the work that is due now.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn backlog(&mut self, now: Wall) -> Result<Backlog, StoreError> {
        let now = self.wall_clock(now)?;
        let jobs = JobQueue::ALL.into_iter().map(|queue| Ok((queue, self.due_jobs(queue, now)?)));
        Ok(Backlog {
            jobs: jobs.collect::<Result<_, StoreError>>()?,
            deliveries: self.due_deliveries(&COUNT_FIRST, (&HOOKS_FIRST, params![]), now)?,
            resends: self.due_deliveries(&COUNT_RESEND, (&HOOKS_RESEND, params![now.micros()]), now)?,
            open_breakers: self.count_rows(&OPEN_BREAKERS, params![])?,
        })
    }

    fn due_jobs(&mut self, queue: JobQueue, now: Wall) -> Result<Due, StoreError> {
        let mut lanes = self.session.query(&DUE_JOBS, params![queue.as_str(), now.micros()], |row| {
            Ok((count("jobs", row.int(0)?)?, row.opt_int(1)?, row.text(2)?))
        })?;
        if queue.stops_with_tenant() {
            let stopped = self.tenants().find_stopped()?;
            lanes.retain(|(.., lane)| !stopped.iter().any(|it| lane.split('/').next() == Some(it.as_str())));
        }
        let since = lanes.iter().filter_map(|(_, due, _)| *due).min();
        let count = lanes.iter().map(|(count, ..)| count).sum();
        Ok(Due { count, since: since.map(Wall::from_micros) })
    }

    fn due_deliveries(
        &mut self,
        counted: &Sql,
        (hooks, at): (&Sql, &[Param<'_>]),
        now: Wall,
    ) -> Result<Due, StoreError> {
        let hooks = self.session.query(hooks, at, hook)?;
        let since = hooks.iter().flatten().filter(|it| !it.is_open).map(|it| it.due).min();
        let since = since.filter(|it| *it <= now.micros()).map(Wall::from_micros);
        Ok(Due { count: self.count_rows(counted, params![now.micros()])?, since })
    }

    fn count_rows(&mut self, sql: &Sql, values: &[Param<'_>]) -> Result<u64, StoreError> {
        let found = self.session.find(sql, values, |row| count("backlog", row.int(0)?))?;
        Ok(found.unwrap_or_default())
    }
}
