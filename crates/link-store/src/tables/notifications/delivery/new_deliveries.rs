//! Writes the deliveries of a new event, in one statement for all webhooks on PostgreSQL.

use std::collections::BTreeSet;

use link_domain::notifications::delivery::Delivery;

use super::deliveries::{Deliveries, columns};
use crate::commit_notice::CommitNotice;
use crate::sql::{Batch, Param, Sql, params, statements};
use crate::tables::notifications::events::subject_kind;
use crate::{StoreError, Tx};

statements! {
    INSERT = "INSERT INTO deliveries (tenant_id, mode, event_id, event_type, subject_kind, subject, sequence, fence, \
              id, webhook_id, include_payload, attempts_made, due_at, run_at, ending, blocked) \
              VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) \
              ON CONFLICT (id) DO NOTHING";
    /// Locked: a concurrent end of the first attempt either finishes first, or waits and then finds the new row.
    FIND_BEFORE = "SELECT webhook_id FROM deliveries WHERE subject = ?1 AND sequence < ?2 AND webhook_id = ?3 \
                   AND attempts_made = 0 AND run_at IS NOT NULL ORDER BY sequence DESC LIMIT 1 /*lock*/";
}

pub(crate) static INSERT_ALL: Batch = Batch {
    one: &INSERT,
    many: Sql::from_static(
        "new_deliveries::INSERT_ALL",
        "INSERT INTO deliveries (tenant_id, mode, event_id, event_type, subject_kind, subject, sequence, fence, \
         id, webhook_id, include_payload, attempts_made, due_at, run_at, ending, blocked) \
         SELECT CAST(?1 AS TEXT), CAST(?2 AS TEXT), CAST(?3 AS TEXT), CAST(?4 AS TEXT), CAST(?5 AS TEXT), \
         CAST(?6 AS TEXT), CAST(?7 AS BIGINT), 0, made.id, made.webhook, made.payload, made.attempts, made.due, \
         made.run, made.ends, made.blocked FROM UNNEST(CAST(?8 AS TEXT[]), CAST(?9 AS TEXT[]), \
         CAST(?10 AS BIGINT[]), CAST(?11 AS BIGINT[]), CAST(?12 AS BIGINT[]), CAST(?13 AS BIGINT[]), \
         CAST(?14 AS TEXT[]), CAST(?15 AS BIGINT[])) \
         AS made (id, webhook, payload, attempts, due, run, ends, blocked) ON CONFLICT (id) DO NOTHING",
    ),
};

pub(crate) static FIND_ALL_BEFORE: Batch = Batch {
    one: &FIND_BEFORE,
    many: Sql::from_static(
        "new_deliveries::FIND_ALL_BEFORE",
        "SELECT before.webhook_id FROM UNNEST(CAST(?3 AS TEXT[])) AS hook (id), \
         LATERAL (SELECT d.webhook_id FROM deliveries d WHERE d.webhook_id = hook.id AND d.subject = ?1 \
         AND d.sequence < ?2 AND d.attempts_made = 0 AND d.run_at IS NOT NULL \
         ORDER BY d.sequence DESC LIMIT 1 /*lock*/) before",
    ),
};

impl Deliveries<'_, Tx<'_>> {
    /// Writes the deliveries of one event. A webhook's delivery waits for the first attempt of its subject's event before.
    pub(crate) fn insert_all(&mut self, deliveries: &[Delivery]) -> Result<(), StoreError> {
        let Some(first) = deliveries.first() else { return Ok(()) };
        let (subject, sequence) = (first.subject.as_str(), first.sequence as i64);
        let hooks = deliveries.iter().filter(|it| !it.is_first_of_subject());
        let hooks: Vec<_> = hooks.map(|it| params![it.webhook_id.as_str()].to_vec()).collect();
        let waiting =
            self.session()
                .query_batch(&FIND_ALL_BEFORE, params![subject, sequence], &hooks, |row| row.text(0))?;
        let waiting: BTreeSet<String> = waiting.into_iter().collect();
        let shared = params![
            first.owner.tenant.as_str(),
            first.owner.mode.as_str(),
            first.event_id.as_str(),
            first.event_type.as_str(),
            subject_kind(&first.subject),
            subject,
            sequence,
        ];
        let rows: Vec<Vec<Param<'_>>> =
            deliveries.iter().map(|it| row(it, waiting.contains(it.webhook_id.as_str()))).collect();
        self.session().execute_batch(&INSERT_ALL, shared, &rows)?;
        self.0.notify(CommitNotice::Deliveries);
        Ok(())
    }
}

fn row(delivery: &Delivery, is_blocked: bool) -> Vec<Param<'_>> {
    let (due_at, run_at, ending) = columns(delivery.state);
    params![
        delivery.id.as_str(),
        delivery.webhook_id.as_str(),
        delivery.include_payload,
        i64::from(delivery.attempts_made),
        due_at,
        run_at,
        ending,
        is_blocked,
    ]
    .to_vec()
}
