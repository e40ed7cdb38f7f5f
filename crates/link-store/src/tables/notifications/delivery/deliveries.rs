//! Deliveries: which event is sent to which webhook, and its progress. The body is stored with the event.

use link_domain::kernel::clock::{TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_domain::notifications::delivery::{Delivery, DeliveryQueue, DeliveryState};
use link_types::event::EventType;
use link_types::id::{DeliveryId, EventId, WebhookId};
use link_types::webhook::DeliveryStatus;

use crate::commit_notice::CommitNotice;
use crate::reader::{ReadSession, parse};
use crate::sql::{Row, Session, columns, params, statements};
use crate::tables::lease::{self, Held, WorkerId};
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::notifications::events::subject;
use crate::tables::resource::resource;
use crate::tables::{count, owner, small};
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "deliveries";
/// The maximum number of pending deliveries, of each kind, that one change of a webhook cancels.
const MAX_CANCELLED_AT_ONCE: i64 = 5_000;

columns! {
    /// The columns of a delivery.
    delivery_columns => struct Columns {
        id, tenant_id, mode, event_id, event_type, webhook_id, subject_kind, subject, sequence,
        include_payload, attempts_made, due_at, ending,
    }
}
pub(super) use delivery_columns;
pub(super) const COLUMNS: Columns = Columns::after(0);
columns! {
    /// The columns of a delivery that is deleted.
    deleted_columns => struct DeletedColumns { webhook_id, subject, is_pending = "run_at IS NOT NULL" }
}
const DELETED: DeletedColumns = DeletedColumns::after(0);

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", delivery_columns!(""), " FROM deliveries", $rest)
    };
}

statements! {
    FIND = select!(" WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3");
    ALL_OF_EVENT = select!(" WHERE event_id = ?1 ORDER BY webhook_id");
    OF_EVENT = concat!("SELECT ", deleted_columns!(""), " FROM deliveries WHERE event_id = ?1 /*lock*/");
    OF_EVENT_LOCKED = select!(" WHERE event_id = ?1 AND webhook_id = ?2 /*lock*/");
    FIND_LOCKED = select!(" WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 /*lock*/");
    /// A parked delivery is released, because its breaker may be closed by now. If not, the next claim parks it again.
    UPDATE = "UPDATE deliveries SET attempts_made = ?2, due_at = ?3, run_at = ?4, ending = ?5, \
              blocked = CASE WHEN blocked = 2 THEN 0 ELSE blocked END, lease_owner = NULL, lease_until = NULL \
              WHERE id = ?1";
    UPDATE_HELD = "UPDATE deliveries SET attempts_made = ?2, due_at = ?3, run_at = ?4, ending = ?5, \
                   lease_owner = NULL, lease_until = NULL WHERE id = ?1 AND lease_owner = ?6 AND fence = ?7";
    UNBLOCK_NEXT = "UPDATE deliveries SET blocked = 0 WHERE blocked = 1 AND id = (SELECT n.id FROM deliveries n \
                    WHERE n.webhook_id = ?1 AND n.subject = ?2 AND n.attempts_made = 0 AND n.run_at IS NOT NULL \
                    ORDER BY n.sequence LIMIT 1)";
    /// One statement for each index that finds pending deliveries of a webhook.
    CANCEL_FIRST = "WITH pending AS MATERIALIZED (SELECT d.id AS id FROM deliveries d WHERE d.webhook_id = ?1 \
                     AND d.run_at IS NOT NULL AND d.attempts_made = 0 LIMIT ?2) \
                     UPDATE deliveries SET due_at = NULL, run_at = NULL, ending = 'CANCELLED' \
                     WHERE id IN (SELECT id FROM pending)";
    CANCEL_RESEND = "WITH pending AS MATERIALIZED (SELECT d.id AS id FROM deliveries d WHERE d.webhook_id = ?1 \
                     AND d.run_at IS NOT NULL AND d.attempts_made > 0 AND d.blocked = 0 LIMIT ?2) \
                     UPDATE deliveries SET due_at = NULL, run_at = NULL, ending = 'CANCELLED' \
                     WHERE id IN (SELECT id FROM pending)";
    CANCEL_PARKED = "WITH pending AS MATERIALIZED (SELECT d.id AS id FROM deliveries d WHERE d.webhook_id = ?1 \
                     AND d.run_at IS NOT NULL AND d.blocked = 2 LIMIT ?2) \
                     UPDATE deliveries SET due_at = NULL, run_at = NULL, ending = 'CANCELLED' \
                     WHERE id IN (SELECT id FROM pending)";
    DELETE_ATTEMPTS_OF_EVENT =
        "DELETE FROM delivery_attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE event_id = ?1)";
    DELETE_OF_EVENT = "DELETE FROM deliveries WHERE event_id = ?1";
    RENEW = "UPDATE deliveries SET lease_until = ?4 WHERE id = ?1 AND lease_owner = ?2 AND fence = ?3";
    /// For SQLite, which has an index for it.
    VOID_LEASES = "UPDATE deliveries SET lease_owner = NULL, lease_until = NULL WHERE lease_until >= 0";
}

/// Returns the SQL of how far the clock of a webhook's environment is ahead of the wall clock. `run_at` is on that clock.
macro_rules! clock_offset {
    ($webhook:literal) => {
        concat!(
            "COALESCE((SELECT t.sandbox_offset FROM webhooks w JOIN tenants t ON t.id = w.tenant_id \
             WHERE w.id = ",
            $webhook,
            " AND w.mode = 'SANDBOX'), 0)"
        )
    };
}
pub(super) use clock_offset;

pub(crate) static DELIVERIES: List = List {
    name: "deliveries",
    select: select!(""),
    id: "id",
    position: COLUMNS.id,
    always: &["tenant_id = ?", "mode = ?", "webhook_id = ?"],
    filters: &["event_id = ?", "event_type = ?", "COALESCE(ending, 'PENDING') = ?"],
};

/// Filters for a list of a webhook's deliveries.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeliveryFilter<'a> {
    /// Only deliveries of this event.
    pub event: Option<&'a EventId>,
    /// Only deliveries of events of this type.
    pub event_type: Option<EventType>,
    /// Only deliveries with this status.
    pub status: Option<DeliveryStatus>,
    /// Only deliveries of events created in this span.
    pub created: Created,
}

pub(crate) fn read(row: &Row<'_>) -> Result<Delivery, StoreError> {
    let state = match (row.opt_int(COLUMNS.due_at)?, row.opt_text(COLUMNS.ending)?.as_deref()) {
        (Some(due_at), None) => DeliveryState::Pending { due_at: TenantTime::from_micros(due_at) },
        (None, Some("DELIVERED")) => DeliveryState::Delivered,
        (None, Some("EXHAUSTED")) => DeliveryState::Exhausted,
        (None, Some("CANCELLED")) => DeliveryState::Cancelled,
        (Some(_) | None, Some(_) | None) => {
            return Err(StoreError::undecodable(TABLE, "an unknown state"));
        }
    };
    Ok(Delivery {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        event_id: parse(TABLE, row.str(COLUMNS.event_id)?)?,
        event_type: parse::<EventType>(TABLE, row.str(COLUMNS.event_type)?)?,
        webhook_id: parse(TABLE, row.str(COLUMNS.webhook_id)?)?,
        subject: subject(TABLE, row.str(COLUMNS.subject_kind)?, row.str(COLUMNS.subject)?)?,
        sequence: count(TABLE, row.int(COLUMNS.sequence)?)?,
        include_payload: row.flag(COLUMNS.include_payload)?,
        attempts_made: small(TABLE, row.int(COLUMNS.attempts_made)?)?,
        state,
    })
}

/// Returns the three columns of a state: when it is due, when it may be claimed, and its end.
pub(super) const fn columns(state: DeliveryState) -> (Option<i64>, Option<i64>, Option<&'static str>) {
    match state {
        DeliveryState::Pending { due_at } => (Some(due_at.micros()), Some(due_at.micros()), None),
        DeliveryState::Delivered => (None, None, Some("DELIVERED")),
        DeliveryState::Exhausted => (None, None, Some("EXHAUSTED")),
        DeliveryState::Cancelled => (None, None, Some("CANCELLED")),
    }
}

resource! {
    /// Deliveries of events to webhooks.
    Deliveries, deliveries
}

impl Deliveries<'_, Reader<'_>> {
    /// Returns an owner's delivery.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &DeliveryId) -> Result<Option<Delivery>, StoreError> {
        self.session().find(&FIND, params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()], read)
    }
}

impl<'c, S: ReadSession<'c>> Deliveries<'_, S> {
    /// Returns the deliveries of an event to all webhooks. They have the owner of the event.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn all_of_event(&mut self, event: &EventId) -> Result<Vec<Delivery>, StoreError> {
        self.session().query(&ALL_OF_EVENT, params![event.as_str()], read)
    }

    /// Returns the deliveries of a webhook, newest event first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        webhook: &WebhookId,
        filter: DeliveryFilter<'_>,
        request: &PageRequest,
    ) -> Result<Page<Delivery>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[webhook.as_str()],
            filters: &[
                filter.event.map(EventId::as_str),
                filter.event_type.map(EventType::as_str),
                filter.status.map(DeliveryStatus::as_str),
            ],
            created: filter.created,
            prefix: DeliveryId::PREFIX,
            request,
        };
        self.0.reader().page(&DELIVERIES, &query, read, |_, delivery| Ok(delivery))
    }
}

impl Deliveries<'_, Tx<'_>> {
    /// Returns and locks an owner's delivery.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &DeliveryId) -> Result<Option<Delivery>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND_LOCKED, owned, read)
    }

    /// Returns and locks the delivery of an event to a webhook.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_event(&mut self, event: &EventId, webhook: &WebhookId) -> Result<Option<Delivery>, StoreError> {
        self.session().find(&OF_EVENT_LOCKED, params![event.as_str(), webhook.as_str()], read)
    }

    /// Writes a delivery's new state for a requested resend, even if a worker holds a lease.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn put(&mut self, delivery: &Delivery) -> Result<(), StoreError> {
        let (due_at, run_at, ending) = columns(delivery.state);
        let made = i64::from(delivery.attempts_made);
        self.session().execute_later(&UPDATE, params![delivery.id.as_str(), made, due_at, run_at, ending])?;
        self.unblock_next(delivery.webhook_id.as_str(), delivery.subject.as_str())
    }

    /// Writes a delivery that must be sent again or for the first time. If the webhook's breaker is open, makes a probe
    /// due.
    pub(crate) fn put_again(&mut self, delivery: &Delivery, now: Wall) -> Result<(), StoreError> {
        self.insert_all(std::slice::from_ref(delivery))?;
        self.put(delivery)?;
        self.0.breakers().expedite_probe(&delivery.webhook_id, now)
    }

    /// Writes a delivery's new state if the worker still holds the lease. Returns `false` if it lost the lease.
    pub(crate) fn put_held(
        &mut self,
        delivery: &Delivery,
        worker: &str,
        fence: i64,
    ) -> Result<bool, StoreError> {
        let (due_at, run_at, ending) = columns(delivery.state);
        let touched = self.session().execute(
            &UPDATE_HELD,
            params![
                delivery.id.as_str(),
                i64::from(delivery.attempts_made),
                due_at,
                run_at,
                ending,
                worker,
                fence
            ],
        )?;
        if touched == 1 {
            self.unblock_next(delivery.webhook_id.as_str(), delivery.subject.as_str())?;
        }
        Ok(touched == 1)
    }

    /// Unblocks the subject's next event for this webhook, if no earlier first attempt is pending.
    pub(crate) fn unblock_next(&mut self, webhook: &str, subject: &str) -> Result<(), StoreError> {
        self.session().execute(&UNBLOCK_NEXT, params![webhook, subject])?;
        self.0.notify(CommitNotice::Deliveries);
        Ok(())
    }

    /// Deletes an event's deliveries and their attempts. Unblocks the deliveries that waited for them.
    pub(crate) fn delete_of_event(&mut self, event: &str) -> Result<(), StoreError> {
        let gone = self.session().query(&OF_EVENT, params![event], |row| {
            Ok((row.text(DELETED.webhook_id)?, row.text(DELETED.subject)?, row.truth(DELETED.is_pending)?))
        })?;
        self.session().execute_later(&DELETE_ATTEMPTS_OF_EVENT, params![event])?;
        self.session().execute_later(&DELETE_OF_EVENT, params![event])?;
        for (webhook, subject, _) in gone.iter().filter(|(_, _, pending)| *pending) {
            self.unblock_next(webhook, subject)?;
        }
        Ok(())
    }

    /// Cancels pending deliveries of a webhook, at most [`MAX_CANCELLED_AT_ONCE`] of each kind, so that no write takes
    /// long.
    ///
    /// Claims cancel the rest: they send nothing to a webhook that was deleted or disabled.
    pub(crate) fn cancel_of_webhook(&mut self, webhook: &WebhookId) -> Result<(), StoreError> {
        for statement in [&CANCEL_FIRST, &CANCEL_RESEND, &CANCEL_PARKED] {
            self.session().execute(statement, params![webhook.as_str(), MAX_CANCELLED_AT_ONCE])?;
        }
        Ok(())
    }

    /// Cancels at most `limit` pending deliveries of a deleted webhook, and notifies workers if there were any.
    pub(super) fn cancel_some(
        &mut self,
        queue: DeliveryQueue,
        webhook: &WebhookId,
        limit: usize,
    ) -> Result<(), StoreError> {
        let statement = match queue {
            DeliveryQueue::First => &CANCEL_FIRST,
            DeliveryQueue::Resend => &CANCEL_RESEND,
        };
        if self.session().execute(statement, params![webhook.as_str(), limit as i64])? > 0 {
            self.0.notify(CommitNotice::Deliveries);
        }
        Ok(())
    }

    /// Renews a worker's leases on these deliveries for 10 seconds. Returns how many of them it still holds.
    ///
    /// Leases that are not passed, because their task has ended, expire.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn renew(&mut self, worker: &WorkerId, held: &[Held], now: Wall) -> Result<u64, StoreError> {
        lease::renew(self.session(), &RENEW, worker, held, now)
    }
}

/// Releases all leases on SQLite, because no worker of an earlier process is alive.
pub(crate) fn void_leases(session: &mut Session<'_>) -> Result<(), StoreError> {
    session.execute(&VOID_LEASES, params![]).map(drop)
}
