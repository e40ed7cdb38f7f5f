//! Circuit breakers of webhooks. A breaker has a row while the last attempt failed, or while parked deliveries are
//! released.
//!
//! Deliveries of an open breaker are parked: they leave the indexes that claims search, so that failing webhooks do not
//! slow claims down. Parking and releasing lock the breaker's row, so no delivery is parked behind a closed breaker.

use std::collections::BTreeSet;

use link_domain::kernel::clock::{TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_domain::notifications::delivery::{AttemptEnd, Breaker, Failures};
use link_types::id::WebhookId;

use super::deliveries::clock_offset;
use crate::commit_notice::CommitNotice;
use crate::reader::parse;
use crate::sql::{Batch, ColumnList, Row, Sql, columns, params, statements};
use crate::tables::lease::skip_faulty;
use crate::tables::resource::resource;
use crate::tables::{owner, small};
use crate::{StoreError, Tx};

const TABLE: &str = "webhook_breakers";
/// The maximum number of breakers that one claim looks at.
const MAX_LOOKED_AT: i64 = 64;
/// The maximum number of deliveries that one claim parks or releases, so that no write takes long.
pub(crate) const MAX_MOVED_AT_ONCE: usize = 500;

columns! {
    /// The columns of a breaker.
    breaker_columns => struct Columns { failures, failing_since, opened_at, probe_at }
}
const COLUMNS: Columns = Columns::after(0);

columns! {
    /// The columns that name the webhook of a breaker.
    breaker_webhook_columns => struct WebhookColumns { webhook_id, tenant_id, mode }
}
const WEBHOOK: WebhookColumns = WebhookColumns::after(Columns::COUNT);

pub(crate) static EXISTING: Batch = Batch {
    one: &FIND_ONE,
    many: Sql::from_static(
        "breakers::EXISTING",
        "SELECT webhook_id FROM webhook_breakers WHERE webhook_id = ANY(CAST(?1 AS TEXT[]))",
    ),
};

statements! {
    FIND_ONE = "SELECT webhook_id FROM webhook_breakers WHERE webhook_id = ?1";
    FIND_LOCKED = concat!("SELECT ", breaker_columns!(""), " FROM webhook_breakers WHERE webhook_id = ?1 /*lock*/");
    /// Skips a breaker that another unit has locked. The next claim handles it.
    FIND_FREE = concat!("SELECT ", breaker_columns!(""), " FROM webhook_breakers \
                WHERE webhook_id = ?1 /*skip locked*/");
    /// Without this row, two units that record a webhook's first failure would both count from zero.
    BEGIN = "INSERT INTO webhook_breakers (webhook_id, tenant_id, mode, failures) \
             SELECT w.id, w.tenant_id, w.mode, 0 FROM webhooks w WHERE w.id = ?1 ON CONFLICT (webhook_id) DO NOTHING";
    PUT = "UPDATE webhook_breakers SET failures = ?2, failing_since = ?3, opened_at = ?4, probe_at = ?5, \
           look_at = ?6 WHERE webhook_id = ?1";
    DUE = concat!("SELECT ", breaker_columns!(""), ", ", breaker_webhook_columns!(""), " FROM webhook_breakers \
          WHERE look_at <= ?1 AND tenant_id NOT IN (SELECT s.id FROM tenants s WHERE s.standing <> 'ACTIVE') \
          ORDER BY look_at LIMIT ?2 /*skip locked*/");
    LOOK_AT = "UPDATE webhook_breakers SET look_at = ?2 WHERE webhook_id = ?1";
    FIRST_PARKED = concat!("SELECT run_at - ", clock_offset!("?1"), " FROM deliveries WHERE webhook_id = ?1 \
                    AND run_at IS NOT NULL AND blocked = 2 ORDER BY run_at LIMIT 1");
    RELEASE = "WITH parked AS MATERIALIZED (SELECT d.id AS id FROM deliveries d WHERE d.webhook_id = ?1 \
               AND d.run_at IS NOT NULL AND d.blocked = 2 \
               ORDER BY d.run_at, d.id LIMIT ?2 /*skip locked*/) \
               UPDATE deliveries SET blocked = 0 WHERE id IN (SELECT id FROM parked)";
    DELETE = "DELETE FROM webhook_breakers WHERE webhook_id = ?1";
}

/// A breaker that a claim must look at.
pub(crate) struct DueBreaker {
    pub(crate) owner: Owner,
    pub(crate) webhook: WebhookId,
    pub(crate) breaker: Breaker,
}

fn read(row: &Row<'_>) -> Result<Breaker, StoreError> {
    let count = small(TABLE, row.int(COLUMNS.failures)?)?;
    let since = row.opt_int(COLUMNS.failing_since)?.map(TenantTime::from_micros);
    let failures = since.map(|since| Failures { count, since });
    let opened = row.opt_int(COLUMNS.opened_at)?.zip(row.opt_int(COLUMNS.probe_at)?);
    Ok(match failures.zip(opened) {
        Some((failures, (opened_at, probe_at))) => {
            let (opened_at, probe_at) = (TenantTime::from_micros(opened_at), Wall::from_micros(probe_at));
            Breaker::Open { failures, opened_at, probe_at }
        }
        None => Breaker::Closed { failures },
    })
}

fn read_due(row: &Row<'_>) -> Result<DueBreaker, StoreError> {
    Ok(DueBreaker {
        breaker: read(row)?,
        webhook: parse(TABLE, row.str(WEBHOOK.webhook_id)?)?,
        owner: owner(TABLE, row, WEBHOOK.tenant_id, WEBHOOK.mode)?,
    })
}

resource! {
    /// Circuit breakers of webhooks.
    Breakers, breakers
}

impl Breakers<'_, Tx<'_>> {
    /// Records attempts to a webhook that ended in this order, and returns the new state of its breaker. A webhook without
    /// a breaker gets one if an attempt failed.
    ///
    /// `pace` multiplies the wait until the next probe.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn record(
        &mut self,
        webhook: &WebhookId,
        ends: &[AttemptEnd],
        pace: f64,
    ) -> Result<Breaker, StoreError> {
        if ends.iter().any(|end| !end.accepted) {
            self.session().execute_later(&BEGIN, params![webhook.as_str()])?;
        }
        // Without a breaker, nothing failed, or the webhook was deleted in the meantime.
        let (Some(before), Some(last)) = (self.get(webhook)?, ends.last()) else {
            return Ok(Breaker::default());
        };
        let after = before.after(ends, pace);
        let has_closed = ends.iter().any(|end| end.accepted);
        if after == before && !has_closed {
            return Ok(after);
        }
        let look_at = match after {
            Breaker::Open { probe_at, .. } => Some(probe_at),
            // Deliveries that were parked before it closed may still have to be released.
            Breaker::Closed { .. } => Some(last.ended.wall()),
        };
        self.put(webhook, after, look_at)?;
        if has_closed {
            self.0.notify(CommitNotice::Deliveries);
        }
        Ok(after)
    }

    /// Closes the breaker of a webhook, because the webhook was changed. The next claims release its parked deliveries.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn close(&mut self, webhook: &WebhookId, now: Wall) -> Result<(), StoreError> {
        if self.get(webhook)?.is_some() {
            self.put(webhook, Breaker::default(), Some(now))?;
            self.0.notify(CommitNotice::Deliveries);
        }
        Ok(())
    }

    /// Returns which of these webhooks have a breaker, without locking them.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn existing(&mut self, webhooks: &BTreeSet<&WebhookId>) -> Result<BTreeSet<WebhookId>, StoreError> {
        let rows: Vec<_> = webhooks.iter().map(|webhook| params![webhook.as_str()].to_vec()).collect();
        let found = self.session().query_batch(&EXISTING, &[], &rows, |row| row.text(0))?;
        found.iter().map(|webhook| parse(TABLE, webhook)).collect()
    }

    /// Makes the next probe of an open breaker due now.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn expedite_probe(&mut self, webhook: &WebhookId, now: Wall) -> Result<(), StoreError> {
        if let Some(breaker @ Breaker::Open { .. }) = self.get(webhook)? {
            self.put(webhook, breaker.expedite(now), Some(now))?;
        }
        Ok(())
    }

    fn delete(&mut self, webhook: &WebhookId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![webhook.as_str()])
    }

    /// Returns and locks the circuit breaker of a webhook, if it has one.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, webhook: &WebhookId) -> Result<Option<Breaker>, StoreError> {
        self.session().find(&FIND_LOCKED, params![webhook.as_str()], read)
    }

    fn put(
        &mut self,
        webhook: &WebhookId,
        breaker: Breaker,
        look_at: Option<Wall>,
    ) -> Result<(), StoreError> {
        let (count, since) = breaker.failures().map_or((0, None), |it| (it.count, Some(it.since.micros())));
        let (opened_at, probe_at) = match breaker {
            Breaker::Closed { .. } => (None, None),
            Breaker::Open { opened_at, probe_at, .. } => (Some(opened_at.micros()), Some(probe_at.micros())),
        };
        let look_at = look_at.map(Wall::micros);
        let row = params![webhook.as_str(), i64::from(count), since, opened_at, probe_at, look_at];
        self.session().execute_later(&PUT, row)
    }

    /// Returns and locks the breakers that a claim must look at now.
    pub(crate) fn due(&mut self, now: i64) -> Result<Vec<DueBreaker>, StoreError> {
        let found =
            self.session().query(&DUE, params![now, MAX_LOOKED_AT], |row| Ok(skip_faulty(read_due(row))))?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Sets when claims look at a breaker again. With `None`, that is when the next delivery is parked.
    pub(crate) fn look_at(&mut self, webhook: &WebhookId, at: Option<i64>) -> Result<(), StoreError> {
        self.session().execute(&LOOK_AT, params![webhook.as_str(), at]).map(drop)
    }

    /// Delays other probes while the claimed one is in progress.
    pub(crate) fn begin_probe(&mut self, due: &DueBreaker, now: i64) -> Result<(), StoreError> {
        let breaker = due.breaker.probing(Wall::from_micros(now));
        let look_at = match breaker {
            Breaker::Open { probe_at, .. } => Some(probe_at),
            Breaker::Closed { .. } => None,
        };
        self.put(&due.webhook, breaker, look_at)
    }

    /// Returns when the first parked delivery of a webhook is due on the wall clock.
    pub(crate) fn first_parked_at(&mut self, webhook: &WebhookId) -> Result<Option<i64>, StoreError> {
        self.session().find(&FIRST_PARKED, params![webhook.as_str()], |row| row.int(0))
    }

    /// Parks due deliveries of a webhook with `statement` (`?1` webhook, `?2` limit, `?3` now) if its breaker is open.
    pub(crate) fn park(
        &mut self,
        statement: &Sql,
        webhook: &WebhookId,
        now: i64,
        limit: usize,
    ) -> Result<(), StoreError> {
        let found =
            self.session().find(&FIND_FREE, params![webhook.as_str()], |row| Ok(skip_faulty(read(row))))?;
        let Some(Breaker::Open { probe_at, .. }) = found.flatten() else { return Ok(()) };
        self.session().execute(statement, params![webhook.as_str(), limit as i64, now])?;
        self.look_at(webhook, Some(probe_at.micros().max(now)))
    }

    /// Releases parked deliveries of a closed breaker. A breaker with more parked deliveries moves to the end of the
    /// queue. A breaker without failures and parked deliveries is deleted.
    pub(crate) fn release(
        &mut self,
        webhook: &WebhookId,
        breaker: Breaker,
        now: i64,
        limit: usize,
    ) -> Result<(), StoreError> {
        self.session().execute(&RELEASE, params![webhook.as_str(), limit as i64])?;
        match self.first_parked_at(webhook)? {
            Some(_) => self.look_at(webhook, Some(now)),
            None if breaker.failures().is_none() => self.delete(webhook),
            None => self.look_at(webhook, None),
        }
    }
}
