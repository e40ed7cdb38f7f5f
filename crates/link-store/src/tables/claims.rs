//! Claims due deliveries.
//! Our own: the shares and the order of subjects decide. 256 of 10,000 due rows take 26 ms on SQLite (ADR 1).
//!
//! A claim visits each webhook that has pending deliveries, not each delivery. It takes from the owners with the fewest
//! attempts in progress first, and from each owner and webhook at most its share ([`AttemptShares`]). Deliveries of
//! webhooks with an open breaker are parked, and only one of them at a time is claimed as a probe. First attempts keep
//! the order of their subject's events. Resends and probes have a separate queue.

use std::collections::BTreeMap;
use std::time::Duration;

use link_domain::owner::Owner;
use link_domain::webhook::{AttemptShares, Breaker, Delivery, DeliveryQueue, Webhook};
use link_types::id::WebhookId;

use super::breakers::MOVED_AT_ONCE;
use super::deliveries::{Deliveries, delivery_columns};
use super::lease::{ASIDE, Claim, Held, LEASE, Leased};
use super::scope_keys::{KeyColumns, WrappedKey, key_columns, wrapped_key};
use super::webhooks::webhook_columns;
use super::{deliveries, events, owner, webhooks};
use crate::keys::Location;
use crate::reader::parse;
use crate::sql::{ColumnList, Row, Sql, columns, params, statements};
use crate::{Reader, StoreError, Tx};

/// How soon to look again at a breaker whose probe exceeds a limit.
const BUSY: Duration = Duration::from_millis(200);
/// The maximum number of webhooks whose deliveries one claim parks.
const PARKED_HOOKS: usize = 50;

/// A delivery with everything an attempt needs.
#[derive(Debug, Clone, PartialEq)]
pub struct DueDelivery {
    /// The delivery as it was claimed.
    pub delivery: Delivery,
    /// The webhook to send it to, with its signing secrets.
    pub webhook: Webhook,
    /// The exact bytes to send.
    pub body: Vec<u8>,
}

impl Leased<DueDelivery> {
    /// Returns the lease, for its renewal.
    #[must_use]
    pub fn held(&self) -> Held {
        self.held_as(self.item.delivery.id.as_str())
    }
}

/// The deliveries that a queue may claim, with the same condition as its index: pending, not leased, and for a first
/// attempt not waiting for an earlier one.
macro_rules! claimable {
    ($row:literal, $made:literal) => {
        concat!(
            $row,
            ".run_at IS NOT NULL AND ",
            $row,
            ".lease_owner IS NULL AND ",
            $row,
            ".blocked = 0 AND ",
            $row,
            ".attempts_made ",
            $made
        )
    };
}

/// Steps along an index from webhook to webhook. For each, selects its owner, when its first due delivery is due, and
/// whether its breaker is open. The owner is NULL if the webhook was deleted.
macro_rules! hooks {
    ($made:literal) => {
        concat!(
            "WITH RECURSIVE hooks (webhook_id) AS (SELECT MIN(m.webhook_id) FROM deliveries m WHERE ",
            claimable!("m", $made),
            " UNION ALL SELECT (SELECT MIN(n.webhook_id) FROM deliveries n WHERE n.webhook_id > hooks.webhook_id AND ",
            claimable!("n", $made),
            ") FROM hooks WHERE hooks.webhook_id IS NOT NULL) \
             SELECT hooks.webhook_id, w.tenant_id, w.mode, (SELECT MIN(c.run_at) FROM deliveries c \
             WHERE c.webhook_id = hooks.webhook_id AND ",
            claimable!("c", $made),
            "), b.open_since IS NOT NULL FROM hooks LEFT JOIN webhooks w ON w.id = hooks.webhook_id \
             LEFT JOIN webhook_breakers b ON b.webhook_id = hooks.webhook_id WHERE hooks.webhook_id IS NOT NULL"
        )
    };
}

/// Parks due deliveries of a webhook: `?1` webhook, `?2` limit.
macro_rules! park {
    ($made:literal) => {
        concat!(
            "WITH parked AS MATERIALIZED (SELECT d.id AS id FROM deliveries d WHERE d.webhook_id = ?1 AND ",
            claimable!("d", $made),
            " ORDER BY d.run_at, d.id LIMIT ?2 /*skip locked*/) \
             UPDATE deliveries SET blocked = 2 WHERE id IN (SELECT id FROM parked)"
        )
    };
}

columns! {
    /// The columns of a claimed delivery.
    taken_columns => struct TakenColumns { id, fence }
}
const TAKEN: TakenColumns = TakenColumns::after(0);

/// `?1` now, `?2` worker, `?3` end of the lease, `?4` limit, `?5` webhook.
macro_rules! claim {
    ($made:literal) => {
        concat!(
            "WITH due AS MATERIALIZED (SELECT d.id AS id FROM deliveries d WHERE d.webhook_id = ?5 \
             AND d.run_at <= ?1 AND ",
            claimable!("d", $made),
            " ORDER BY d.run_at, d.id LIMIT ?4 /*skip locked*/) \
             UPDATE deliveries SET lease_owner = ?2, lease_until = ?3, fence = fence + 1 \
             WHERE id IN (SELECT id FROM due) RETURNING ",
            taken_columns!("")
        )
    };
}

columns! {
    /// The columns of the event of a delivery.
    event_columns => struct EventColumns { open, scope_id }
}
const WEBHOOK: webhooks::Columns = webhooks::Columns::after(deliveries::Columns::COUNT);
const EVENT: EventColumns = EventColumns::after(deliveries::Columns::COUNT + webhooks::Columns::COUNT);
/// Whether the body has the payload.
const HAS_PAYLOAD: usize = EVENT.scope_id + 1;
/// The sealed body.
const SEALED_BODY: usize = HAS_PAYLOAD + 1;
const KEY: KeyColumns = KeyColumns::after(SEALED_BODY + 1);

statements! {
    FREE_LAPSED = "UPDATE deliveries SET lease_owner = NULL, lease_until = NULL \
                   WHERE lease_owner IS NOT NULL AND lease_until <= ?1";
    HOOKS_FIRST = hooks!("= 0");
    HOOKS_RESEND = hooks!("> 0");
    CLAIM_FIRST = claim!("= 0");
    CLAIM_RESEND = claim!("> 0");
    PARK_FIRST = park!("= 0");
    PARK_RESEND = park!("> 0");
    /// Claims the oldest parked delivery that is due: `?1` now, `?2` worker, `?3` end of the lease, `?4` webhook.
    CLAIM_PROBE = concat!("WITH due AS MATERIALIZED (SELECT d.id AS id FROM deliveries d WHERE d.webhook_id = ?4 \
                   AND d.run_at <= ?1 AND d.run_at IS NOT NULL AND d.lease_owner IS NULL AND d.blocked = 2 \
                   ORDER BY d.run_at, d.id LIMIT 1 /*skip locked*/) \
                   UPDATE deliveries SET lease_owner = ?2, lease_until = ?3, fence = fence + 1, blocked = 0 \
                   WHERE id IN (SELECT id FROM due) RETURNING ", taken_columns!(""));
    SET_ASIDE = "UPDATE deliveries SET run_at = ?2, lease_owner = NULL, lease_until = NULL \
                 WHERE id = ?1 AND run_at IS NOT NULL";
    CANCEL = "UPDATE deliveries SET due_at = NULL, run_at = NULL, ending = 'CANCELLED', lease_owner = NULL, \
              lease_until = NULL WHERE id = ?1 AND run_at IS NOT NULL RETURNING webhook_id, subject";
    /// Loads the envelope to send. It has a payload if the webhook asked for it and the event type has one.
    LOAD = concat!("SELECT ", delivery_columns!("d."), ", ", webhook_columns!("w."), ", ", event_columns!("e."),
            ", e.with_payload IS NOT NULL AND d.include_payload = 1, \
            CASE WHEN d.include_payload = 1 AND e.with_payload IS NOT NULL THEN e.with_payload ELSE e.plain END, ",
            key_columns!("k."), " FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id \
            JOIN events e ON e.id = d.event_id \
            LEFT JOIN scope_keys k ON k.scope_id = e.scope_id WHERE d.id = ?1");
}

/// A webhook that has deliveries to claim.
struct Hook {
    webhook: String,
    /// `None` if the webhook was deleted or its row is damaged. Loading the delivery shows which.
    owner: Option<Owner>,
    due: i64,
    is_open: bool,
}

fn hook(row: &Row<'_>) -> Result<Hook, StoreError> {
    let [webhook, tenant, mode, due, is_open] = [0, 1, 2, 3, 4];
    let owner = row.opt_str(tenant)?.and_then(|_| owner("webhooks", row, tenant, mode).ok());
    Ok(Hook { webhook: row.text(webhook)?, owner, due: row.int(due)?, is_open: row.truth(is_open)? })
}

/// The id of a claimed delivery and the fence of its claim.
type Taken = (String, i64);

fn taken(row: &Row<'_>) -> Result<Taken, StoreError> {
    Ok((row.text(TAKEN.id)?, row.int(TAKEN.fence)?))
}

struct Loaded {
    delivery: Delivery,
    webhook: webhooks::Stored,
    open: Vec<u8>,
    scope: Option<String>,
    with_payload: bool,
    sealed: Option<Vec<u8>>,
    wrapped: WrappedKey,
}

fn load(row: &Row<'_>) -> Result<Loaded, StoreError> {
    Ok(Loaded {
        delivery: deliveries::read(row)?,
        webhook: webhooks::Stored::read(row, WEBHOOK)?,
        open: row.bytes(EVENT.open)?,
        scope: row.opt_text(EVENT.scope_id)?,
        with_payload: row.truth(HAS_PAYLOAD)?,
        sealed: row.opt_bytes(SEALED_BODY)?,
        wrapped: wrapped_key(row, KEY)?,
    })
}

impl Loaded {
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
        Ok(DueDelivery { delivery: self.delivery, webhook: self.webhook.open(reader)?, body })
    }
}

impl Deliveries<'_, Tx<'_>> {
    /// Claims due deliveries, within the limits of `shares`.
    ///
    /// The owners with the fewest attempts in progress go first, and each webhook's oldest deliveries. A worker holds
    /// each for 10 seconds, and longer if it renews the lease.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn claim(
        &mut self,
        queue: DeliveryQueue,
        claim: Claim<'_>,
        shares: &AttemptShares,
    ) -> Result<Vec<Leased<DueDelivery>>, StoreError> {
        let now = self.session().wall(claim.now.micros())?;
        let mut shares = shares.clone();
        self.session().execute(&FREE_LAPSED, params![now])?;
        let mut taken = match queue {
            DeliveryQueue::First => Vec::new(),
            DeliveryQueue::Resend => self.claim_probes(claim, now, &mut shares)?,
        };
        if claim.limit > 0 {
            self.claim_hooks(queue, claim, now, (&mut shares, &mut taken))?;
        }
        self.load_claimed(taken, claim, now)
    }

    /// Claims due deliveries of webhooks with a closed breaker, and parks those of the others.
    fn claim_hooks(
        &mut self,
        queue: DeliveryQueue,
        claim: Claim<'_>,
        now: i64,
        (shares, claimed): (&mut AttemptShares, &mut Vec<Taken>),
    ) -> Result<(), StoreError> {
        let (hooks, take, park) = match queue {
            DeliveryQueue::First => (&HOOKS_FIRST, &CLAIM_FIRST, &PARK_FIRST),
            DeliveryQueue::Resend => (&HOOKS_RESEND, &CLAIM_RESEND, &PARK_RESEND),
        };
        let mut hooks = self.session().query(hooks, params![], hook)?;
        self.park_open(park, &mut hooks, now)?;
        hooks.retain(|hook| hook.due <= now);
        hooks.sort_by_cached_key(|hook| {
            (hook.owner.as_ref().map_or(0, |owner| shares.of_owner(owner)), hook.due, hook.webhook.clone())
        });
        let until = now + LEASE.as_micros() as i64;
        for Hook { webhook, owner, .. } in hooks {
            let id: WebhookId = parse("deliveries", &webhook)?;
            let left = claim.limit - claimed.len();
            let room = owner.as_ref().map_or(left, |owner| shares.room(queue, owner, &id).min(left));
            if room == 0 {
                continue;
            }
            let found = self.session().query(
                take,
                params![now, claim.worker.as_str(), until, room as i64, &webhook],
                taken,
            )?;
            if let Some(owner) = &owner {
                shares.begin(queue, owner, &id, found.len());
            }
            claimed.extend(found);
        }
        Ok(())
    }

    /// Removes webhooks with an open breaker from `hooks` and parks their deliveries.
    ///
    /// Each webhook gets the same part of the limit. Each owner's first webhook comes before any owner's second.
    fn park_open(&mut self, park: &Sql, hooks: &mut Vec<Hook>, now: i64) -> Result<(), StoreError> {
        let mut open: Vec<Hook> = hooks.extract_if(.., |hook| hook.is_open).collect();
        open.sort_by_key(|hook| hook.due);
        let mut ranks: BTreeMap<Option<Owner>, usize> = BTreeMap::new();
        open.sort_by_cached_key(|hook| {
            let rank = ranks.entry(hook.owner.clone()).or_default();
            *rank += 1;
            *rank
        });
        open.truncate(PARKED_HOOKS);
        let each = MOVED_AT_ONCE / open.len().max(1);
        for hook in open {
            self.0.breakers().park(park, &parse("deliveries", &hook.webhook)?, now, each)?;
        }
        Ok(())
    }

    /// Claims a probe for each open breaker that is due, and releases the deliveries of closed ones.
    fn claim_probes(
        &mut self,
        claim: Claim<'_>,
        now: i64,
        shares: &mut AttemptShares,
    ) -> Result<Vec<Taken>, StoreError> {
        let until = now + LEASE.as_micros() as i64;
        let mut claimed = Vec::new();
        let breakers = self.0.breakers().due(now)?;
        let each = MOVED_AT_ONCE / breakers.len().max(1);
        for (webhook, due) in breakers {
            let due = match due {
                Ok(due) => due,
                // A damaged row must not delay other webhooks.
                Err(error) => {
                    tracing::error!(%webhook, %error, "A circuit breaker could not be read and is set aside");
                    self.0.breakers().look_at(&webhook, Some(now + ASIDE.as_micros() as i64))?;
                    continue;
                }
            };
            if matches!(due.breaker, Breaker::Closed { .. }) {
                self.0.breakers().release(&due.webhook, due.breaker, now, each)?;
                continue;
            }
            let is_probed = shares.of_webhook(&due.owner, &due.webhook) > 0;
            // Probes leave half of the queue to resends to working webhooks.
            let is_full = claimed.len() >= claim.limit.div_ceil(2)
                || shares.room(DeliveryQueue::Resend, &due.owner, &due.webhook) == 0;
            if is_probed || is_full {
                self.0.breakers().look_at(due.webhook.as_str(), Some(now + BUSY.as_micros() as i64))?;
                continue;
            }
            let probe = params![now, claim.worker.as_str(), until, due.webhook.as_str()];
            match self.session().query(&CLAIM_PROBE, probe, taken)?.pop() {
                Some(probe) => {
                    self.0.breakers().begin_probe(&due, now)?;
                    shares.begin(DeliveryQueue::Resend, &due.owner, &due.webhook, 1);
                    claimed.push(probe);
                }
                None => {
                    let first = self.0.breakers().first_parked_at(&due.webhook)?;
                    self.0.breakers().look_at(
                        due.webhook.as_str(),
                        first.map(|at| at.max(now + BUSY.as_micros() as i64)),
                    )?;
                }
            }
        }
        Ok(claimed)
    }

    fn load_claimed(
        &mut self,
        taken: Vec<Taken>,
        claim: Claim<'_>,
        now: i64,
    ) -> Result<Vec<Leased<DueDelivery>>, StoreError> {
        let mut leased = Vec::with_capacity(taken.len());
        for (id, fence) in taken {
            let Some(loaded) = self.session().find(&LOAD, params![&id], |row| Ok(load(row)))? else {
                // Its webhook or event was deleted while it was being written.
                self.cancel_claimed(&id)?;
                continue;
            };
            // A row that cannot be read must not block the others.
            match loaded.and_then(|loaded| loaded.open(self.0)) {
                // Its webhook was disabled while it was being written.
                Ok(item) if item.webhook.check_sends().is_err() => {
                    self.cancel_claimed(&id)?;
                }
                Ok(item) => leased.push(Leased { item, worker: claim.worker.clone(), fence }),
                Err(error) => {
                    tracing::error!(delivery = %id, %error, "A delivery could not be read and is set aside");
                    self.session().execute(&SET_ASIDE, params![&id, now + ASIDE.as_micros() as i64])?;
                }
            }
        }
        leased.sort_by(|one, other| {
            let key = |due: &DueDelivery| (due.delivery.sequence, due.delivery.id.clone());
            key(&one.item).cmp(&key(&other.item))
        });
        Ok(leased)
    }

    /// Cancels a claimed delivery and unblocks the delivery that waits for it.
    fn cancel_claimed(&mut self, id: &str) -> Result<(), StoreError> {
        let ended = self.session().find(&CANCEL, params![id], |row| Ok((row.text(0)?, row.text(1)?)))?;
        ended.map_or(Ok(()), |(webhook, subject)| self.unblock_next(&webhook, &subject))
    }
}
