//! Records how many attempts ended in one unit, without reading their deliveries again.
//!
//! A delivery may be written as the worker decided from the row it loaded if the lease, its fence and the due time are
//! still the same: nothing but the holder changes the rest of the row. The caller decides again about the others.

use std::collections::BTreeSet;

use link_domain::kernel::clock::TenantTime;
use link_domain::notifications::delivery::{AttemptLog, Delivery, DeliveryState};

use super::deliveries;
use super::delivery_attempts::DeliveryAttempts;
use super::loads::DueDelivery;
use crate::commit_notice::CommitNotice;
use crate::sql::{Batch, Param, Sql, params, statements};
use crate::tables::lease::Leased;
use crate::{StoreError, Tx};

/// An attempt that ended, and the delivery after it.
#[derive(Debug, Clone, Copy)]
pub struct EndedAttempt<'a> {
    /// The delivery as it was loaded.
    pub due: &'a Leased<DueDelivery>,
    /// The delivery after the attempt, decided from the loaded one.
    pub after: &'a Delivery,
    /// The log of the attempt.
    pub log: &'a AttemptLog,
}

statements! {
    /// `?1` worker, `?2` delivery, `?3` fence, `?4` when it was due; then its new state.
    UPDATE_UNCHANGED = "UPDATE deliveries SET attempts_made = ?5, due_at = ?6, run_at = ?7, ending = ?8, \
                        lease_owner = NULL, lease_until = NULL \
                        WHERE lease_owner = ?1 AND id = ?2 AND fence = ?3 AND due_at = ?4 RETURNING id";
    UNBLOCK = "UPDATE deliveries SET blocked = 0 WHERE blocked = 1 AND id = (SELECT n.id FROM deliveries n \
               WHERE n.webhook_id = ?1 AND n.subject = ?2 AND n.attempts_made = 0 AND n.run_at IS NOT NULL \
               ORDER BY n.sequence LIMIT 1) RETURNING id";
    /// A worker that lost its lease also logs its attempt, so the number may be higher than the delivery's.
    INSERT_LOG = "INSERT INTO delivery_attempts (delivery_id, number, at, duration_ms, response_status, error, \
                  scope_id, response_body) VALUES (?1, \
                  (SELECT COALESCE(MAX(a.number), 0) + 1 FROM delivery_attempts a WHERE a.delivery_id = ?1), \
                  ?2, ?3, ?4, ?5, ?6, ?7) RETURNING number";
}

pub(crate) static RECORD: Batch = Batch {
    one: &UPDATE_UNCHANGED,
    many: Sql::from_static(
        "outcomes::RECORD",
        "UPDATE deliveries SET attempts_made = ended.made, due_at = ended.due, run_at = ended.run, \
         ending = ended.ends, lease_owner = NULL, lease_until = NULL \
         FROM UNNEST(CAST(?2 AS TEXT[]), CAST(?3 AS BIGINT[]), CAST(?4 AS BIGINT[]), CAST(?5 AS BIGINT[]), \
         CAST(?6 AS BIGINT[]), CAST(?7 AS BIGINT[]), CAST(?8 AS TEXT[])) \
         AS ended (delivery, held, was_due, made, due, run, ends) \
         WHERE lease_owner = ?1 AND id = ended.delivery AND fence = ended.held AND due_at = ended.was_due \
         RETURNING id",
    ),
};

pub(crate) static UNBLOCK_NEXT: Batch = Batch {
    one: &UNBLOCK,
    many: Sql::from_static(
        "outcomes::UNBLOCK_NEXT",
        "UPDATE deliveries SET blocked = 0 WHERE blocked = 1 AND id = ANY(ARRAY(SELECT (SELECT n.id \
         FROM deliveries n WHERE n.webhook_id = ended.webhook AND n.subject = ended.about \
         AND n.attempts_made = 0 AND n.run_at IS NOT NULL ORDER BY n.sequence LIMIT 1) \
         FROM UNNEST(CAST(?1 AS TEXT[]), CAST(?2 AS TEXT[])) AS ended (webhook, about))) RETURNING id",
    ),
};

pub(crate) static LOG: Batch = Batch {
    one: &INSERT_LOG,
    many: Sql::from_static(
        "outcomes::LOG",
        "INSERT INTO delivery_attempts (delivery_id, number, at, duration_ms, response_status, error, scope_id, \
         response_body) SELECT ended.delivery, (SELECT COALESCE(MAX(a.number), 0) + 1 FROM delivery_attempts a \
         WHERE a.delivery_id = ended.delivery), ended.at, ended.took, ended.status, ended.error, ended.scope, \
         ended.body FROM UNNEST(CAST(?1 AS TEXT[]), CAST(?2 AS BIGINT[]), CAST(?3 AS BIGINT[]), \
         CAST(?4 AS BIGINT[]), CAST(?5 AS TEXT[]), CAST(?6 AS TEXT[]), CAST(?7 AS BYTEA[])) \
         AS ended (delivery, at, took, status, error, scope, body) RETURNING number",
    ),
};

impl DeliveryAttempts<'_, Tx<'_>> {
    /// Records attempts of one worker whose deliveries did not change since they were loaded. Returns the positions of
    /// the others, about which nothing was written: read each again with `tx.deliveries().get(..)`, decide, and pass the
    /// result to `record`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn record_unchanged(&mut self, ended: &[EndedAttempt<'_>]) -> Result<Vec<usize>, StoreError> {
        let Some(worker) = ended.first().map(|first| first.due.worker.clone()) else { return Ok(Vec::new()) };
        // A delivery may have ended twice, if its lease was lost in between.
        let mut seen = BTreeSet::new();
        let mut due: Vec<Option<TenantTime>> = Vec::with_capacity(ended.len());
        for attempt in ended {
            let is_first = attempt.due.worker == worker && seen.insert(&attempt.after.id);
            due.push(was_due(&attempt.due.item.delivery).filter(|_| is_first));
        }
        let rows: Vec<Vec<Param<'_>>> =
            ended.iter().zip(&due).filter_map(|(attempt, due)| due.map(|due| row(attempt, due))).collect();
        let written =
            self.session().query_batch(&RECORD, params![worker.as_str()], &rows, |row| row.text(0))?;
        let written: BTreeSet<String> = written.into_iter().collect();
        let is_written = |at: &usize| {
            ended.get(*at).is_some_and(|it| {
                due.get(*at).is_some_and(Option::is_some) && written.contains(it.after.id.as_str())
            })
        };
        let (recorded, others): (Vec<usize>, Vec<usize>) = (0..ended.len()).partition(is_written);
        let recorded: Vec<&EndedAttempt<'_>> = recorded.iter().filter_map(|at| ended.get(*at)).collect();
        self.unblock_after(&recorded)?;
        self.log(&recorded)?;
        Ok(others)
    }

    /// Unblocks the next events of the subjects, and notifies workers if there are any.
    fn unblock_after(&mut self, recorded: &[&EndedAttempt<'_>]) -> Result<(), StoreError> {
        // Only the end of a first attempt unblocks.
        let subjects: BTreeSet<(&str, &str)> = recorded
            .iter()
            .filter(|it| it.due.item.delivery.attempts_made == 0)
            .map(|it| (it.after.webhook_id.as_str(), it.after.subject.as_str()))
            .collect();
        let rows: Vec<_> =
            subjects.into_iter().map(|(webhook, subject)| params![webhook, subject].to_vec()).collect();
        let unblocked = self.session().query_batch(&UNBLOCK_NEXT, &[], &rows, |_| Ok(()))?;
        let has_resend = recorded.iter().any(|it| matches!(it.after.state, DeliveryState::Pending { .. }));
        if has_resend || !unblocked.is_empty() {
            self.0.notify(CommitNotice::Deliveries);
        }
        Ok(())
    }

    fn log(&mut self, recorded: &[&EndedAttempt<'_>]) -> Result<(), StoreError> {
        let answered = recorded.iter().filter(|it| it.log.attempt.response_body.is_some());
        let subjects: BTreeSet<&str> = answered.map(|it| it.after.subject.as_str()).collect();
        self.0.open_scope_keys(&subjects)?;
        let mut sealed = Vec::with_capacity(recorded.len());
        for attempt in recorded {
            sealed.push(self.seal_response(attempt.after, attempt.log)?);
        }
        let rows: Vec<Vec<Param<'_>>> = recorded
            .iter()
            .zip(&sealed)
            .map(|(it, (scope, body))| {
                let attempt = &it.log.attempt;
                params![
                    it.log.delivery_id.as_str(),
                    attempt.at.as_micros(),
                    i64::from(attempt.duration_ms),
                    attempt.response_status.map(i64::from),
                    attempt.error.as_ref(),
                    *scope,
                    body.as_ref(),
                ]
                .to_vec()
            })
            .collect();
        self.session().query_batch(&LOG, &[], &rows, |_| Ok(())).map(drop)
    }
}

fn was_due(delivery: &Delivery) -> Option<TenantTime> {
    match delivery.state {
        DeliveryState::Pending { due_at } => Some(due_at),
        DeliveryState::Delivered | DeliveryState::Exhausted | DeliveryState::Cancelled => None,
    }
}

fn row<'a>(attempt: &'a EndedAttempt<'_>, due: TenantTime) -> Vec<Param<'a>> {
    let (due_at, run_at, ending) = deliveries::columns(attempt.after.state);
    let made = i64::from(attempt.after.attempts_made);
    params![attempt.after.id.as_str(), attempt.due.fence, due.micros(), made, due_at, run_at, ending].to_vec()
}
