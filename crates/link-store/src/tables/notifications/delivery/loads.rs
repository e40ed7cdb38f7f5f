//! Loads claimed deliveries right before their attempts, and releases those that must not be sent.
//!
//! Loading is a read, so it takes no time of the writer. It happens after the attempt has its slot: what an erasure
//! destroyed, or a webhook that was disabled since the claim, is not sent.

use std::collections::HashMap;

use link_domain::kernel::clock::{ClockOffset, Wall};
use link_domain::notifications::delivery::Delivery;
use link_domain::notifications::webhook::Webhook;

use super::claims::ClaimedDelivery;
use super::deliveries::{self, Deliveries, clock_offset, delivery_columns};
use crate::commit_notice::CommitNotice;
use crate::keys::Location;
use crate::reader::ReadSession;
use crate::sql::{Batch, ColumnList, Row, Sql, columns, params, statements};
use crate::tables::kernel::scope_keys::{KeyColumns, WrappedKey, key_columns, read_wrapped_key};
use crate::tables::lease::{ASIDE, Held, Leased, skip_faulty};
use crate::tables::notifications::events;
use crate::tables::notifications::webhooks::{self, StoredWebhook, webhook_columns};
use crate::{Reader, StoreError, Tx};

/// A delivery with everything an attempt needs.
#[derive(Debug, Clone, PartialEq)]
pub struct DueDelivery {
    /// The delivery as it was claimed.
    pub delivery: Delivery,
    /// The webhook to send it to, with its signing secrets.
    pub webhook: Webhook,
    /// How far the clock of its owner is ahead of the wall clock.
    pub offset: ClockOffset,
    /// The exact bytes to send.
    pub body: Vec<u8>,
}

impl Leased<DueDelivery> {
    /// Returns the lease, for its renewal.
    #[must_use]
    pub fn lease(&self) -> Held {
        self.lease_as(self.item.delivery.id.as_str())
    }
}

/// Why a claimed delivery is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GiveBack {
    /// It must wait for another claim, because the breaker of its webhook is open or the worker stops.
    Release,
    /// Its event or webhook was deleted, its webhook is switched off, or the lease was lost.
    Cancel,
    /// It cannot be decoded. It is skipped for 5 minutes.
    SetAside,
}

/// The result of loading claimed deliveries.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The deliveries to send.
    pub due: Vec<Leased<DueDelivery>>,
    /// The others, to be passed to `give_back`.
    pub returned: Vec<(Leased<ClaimedDelivery>, GiveBack)>,
}

columns! {
    /// The columns of the event of a delivery: whether the body to send has the payload, and that body, sealed.
    event_columns => struct EventColumns {
        open,
        scope_id,
        has_payload = "e.with_payload IS NOT NULL AND d.include_payload = 1",
        body = "CASE WHEN d.include_payload = 1 AND e.with_payload IS NOT NULL THEN e.with_payload \
                ELSE e.plain END",
    }
}
columns! {
    /// The fence of the lease, whether the webhook's breaker is open, and how far the owner's clock is ahead.
    lease_columns => struct LeaseColumns {
        fence = "d.fence",
        is_open = "b.opened_at IS NOT NULL",
        offset = "COALESCE(t.sandbox_offset, 0)",
    }
}
columns! {
    /// The columns of a delivery that is cancelled.
    cancelled_columns => struct CancelledColumns { webhook_id, subject }
}
const WEBHOOK: webhooks::Columns = webhooks::Columns::after(deliveries::Columns::COUNT);
const EVENT: EventColumns = EventColumns::after(deliveries::Columns::COUNT + webhooks::Columns::COUNT);
const KEY: KeyColumns = KeyColumns::after(EVENT.body + 1);
const LEASE: LeaseColumns = LeaseColumns::after(KEY.wrapped + 1);
const CANCELLED: CancelledColumns = CancelledColumns::after(0);

/// `$id` is the condition of the id.
macro_rules! load {
    ($id:literal) => {
        concat!(
            "SELECT ",
            delivery_columns!("d."),
            ", ",
            webhook_columns!("w."),
            ", ",
            event_columns!("e."),
            ", ",
            key_columns!("k."),
            ", ",
            lease_columns!(""),
            " FROM deliveries d \
            JOIN webhooks w ON w.id = d.webhook_id JOIN events e ON e.id = d.event_id \
            LEFT JOIN scope_keys k ON k.scope_id = e.scope_id \
            LEFT JOIN webhook_breakers b ON b.webhook_id = d.webhook_id \
            LEFT JOIN tenants t ON t.id = d.tenant_id AND d.mode = 'SANDBOX' \
            WHERE d.lease_owner = ?1 AND d.run_at IS NOT NULL AND d.id",
            $id
        )
    };
}

statements! {
    /// Loads the envelope to send of a delivery that the worker `?1` holds. It has a payload if the webhook asked for it
    /// and the event type has one.
    LOAD = load!(" = ?2");
    SET_ASIDE = concat!("UPDATE deliveries SET run_at = ?4 + ", clock_offset!("deliveries.webhook_id"), ", \
                 lease_owner = NULL, lease_until = NULL \
                 WHERE id = ?1 AND lease_owner = ?2 AND fence = ?3 AND run_at IS NOT NULL");
    CANCEL = concat!("UPDATE deliveries SET due_at = NULL, run_at = NULL, ending = 'CANCELLED', \
              lease_owner = NULL, lease_until = NULL WHERE id = ?1 AND lease_owner = ?2 AND fence = ?3 AND run_at IS NOT NULL \
              RETURNING ", cancelled_columns!(""));
    RELEASE = "UPDATE deliveries SET lease_owner = NULL, lease_until = NULL \
               WHERE id = ?1 AND lease_owner = ?2 AND fence = ?3";
}

pub(crate) static LOAD_MANY: Batch =
    Batch { one: &LOAD, many: Sql::from_static("loads::LOAD_MANY", load!(" = ANY(CAST(?2 AS TEXT[]))")) };

struct Stored {
    delivery: Delivery,
    webhook: StoredWebhook,
    open: Vec<u8>,
    scope: Option<String>,
    with_payload: bool,
    sealed: Option<Vec<u8>>,
    wrapped: WrappedKey,
    is_open: bool,
    offset: ClockOffset,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    Ok(Stored {
        delivery: deliveries::read(row)?,
        webhook: StoredWebhook::read(row, WEBHOOK)?,
        open: row.bytes(EVENT.open)?,
        scope: row.opt_text(EVENT.scope_id)?,
        with_payload: row.truth(EVENT.has_payload)?,
        sealed: row.opt_bytes(EVENT.body)?,
        wrapped: read_wrapped_key(row, KEY)?,
        is_open: row.truth(LEASE.is_open)?,
        offset: ClockOffset::from_micros(row.int(LEASE.offset)?),
    })
}

impl Stored {
    fn open(self, reader: &mut Reader<'_>) -> Result<DueDelivery, StoreError> {
        let body = match self.scope.zip(self.sealed) {
            None => self.open,
            Some((scope, sealed)) => match reader.unwrap_key(&scope, self.wrapped) {
                Ok(key) => {
                    let table = if self.with_payload { events::WITH_PAYLOAD } else { events::PLAIN };
                    let id = self.delivery.event_id.as_str();
                    key.open(Location { table, id }, &sealed)?.to_vec()
                }
                Err(StoreError::Erased) => self.open,
                Err(error) => return Err(error),
            },
        };
        Ok(DueDelivery {
            delivery: self.delivery,
            webhook: self.webhook.open(reader)?,
            offset: self.offset,
            body,
        })
    }
}

impl<'c, S: ReadSession<'c>> Deliveries<'_, S> {
    /// Loads claimed deliveries of one worker, in the order in which they were passed.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn load(&mut self, claimed: Vec<Leased<ClaimedDelivery>>) -> Result<Loaded, StoreError> {
        let Some(worker) = claimed.first().map(|first| first.worker.clone()) else {
            return Ok(Loaded::default());
        };
        let ids: Vec<_> = claimed.iter().map(|leased| params![leased.item.id.as_str()].to_vec()).collect();
        let found = self.session().query_batch(&LOAD_MANY, params![worker.as_str()], &ids, |row| {
            Ok(((row.text(deliveries::COLUMNS.id)?, row.int(LEASE.fence)?), read(row)))
        })?;
        let mut found: HashMap<(String, i64), Result<Stored, StoreError>> = found.into_iter().collect();
        let mut loaded = Loaded::default();
        for leased in claimed {
            // By fence too: a delivery is there twice if its first lease was lost and the worker claimed it again.
            let stored = found.remove(&(leased.item.id.as_str().to_owned(), leased.fence));
            match self.check(&leased, stored)? {
                Ok(item) => loaded.due.push(Leased { item, worker: leased.worker, fence: leased.fence }),
                Err(why) => loaded.returned.push((leased, why)),
            }
        }
        Ok(loaded)
    }

    fn check(
        &mut self,
        leased: &Leased<ClaimedDelivery>,
        stored: Option<Result<Stored, StoreError>>,
    ) -> Result<Result<DueDelivery, GiveBack>, StoreError> {
        let opened = match stored {
            None => return Ok(Err(GiveBack::Cancel)),
            Some(Ok(stored)) if stored.is_open && !leased.item.is_probe => return Ok(Err(GiveBack::Release)),
            Some(Ok(stored)) => match stored.open(self.0.reader()) {
                Err(error) if !error.is_row_fault() => return Err(error),
                opened => opened,
            },
            Some(Err(error)) => Err(error),
        };
        Ok(match skip_faulty(opened) {
            // Its webhook was disabled while it was being written.
            Some(due) if due.webhook.check_sends().is_err() => Err(GiveBack::Cancel),
            Some(due) => Ok(due),
            None => Err(GiveBack::SetAside),
        })
    }
}

impl Deliveries<'_, Tx<'_>> {
    /// Ends the leases of deliveries that are not sent. Does nothing to those whose lease was lost.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn give_back(
        &mut self,
        returned: &[(Leased<ClaimedDelivery>, GiveBack)],
        now: Wall,
    ) -> Result<(), StoreError> {
        let now = self.session().wall(now.micros())?;
        for (leased, why) in returned {
            let (id, worker, fence) = (leased.item.id.as_str(), leased.worker.as_str(), leased.fence);
            let held = params![id, worker, fence];
            match why {
                GiveBack::SetAside => {
                    let until = now + ASIDE.as_micros() as i64;
                    self.session().execute(&SET_ASIDE, params![id, worker, fence, until])?;
                }
                GiveBack::Release => {
                    self.session().execute(&RELEASE, held)?;
                }
                GiveBack::Cancel => {
                    let ended = self.session().find(&CANCEL, held, |row| {
                        Ok((row.text(CANCELLED.webhook_id)?, row.text(CANCELLED.subject)?))
                    })?;
                    match ended {
                        Some((webhook, subject)) => self.unblock_next(&webhook, &subject)?,
                        // It was cancelled with its webhook, which leaves the lease.
                        None => drop(self.session().execute(&RELEASE, held)?),
                    }
                }
            }
        }
        self.0.notify(CommitNotice::Deliveries);
        Ok(())
    }
}
