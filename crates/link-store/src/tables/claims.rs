//! Claims of due deliveries.
//!
//! A claim visits each webhook that has something pending, not each delivery, and takes at most a share of one
//! webhook's: a receiver that hangs holds its own share and nobody else's. First attempts keep the order of their
//! subject's events; resends are a lane of their own.

use link_domain::clock::Wall;
use link_domain::webhook::{Delivery, Webhook};

use super::lease::{ASIDE, Claim, LEASE, Leased};
use super::scopes::WrappedKey;
use super::{deliveries, events, owner, webhooks};
use crate::keys::{Day, Location};
use crate::sql::{Row, params, statements};
use crate::{Reader, StoreError, Tx};

/// Which attempts a claim is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// First attempts.
    First,
    /// Resends: a worker looks here when no first attempt is due.
    Resend,
}

/// A delivery with everything an attempt needs.
#[derive(Debug, Clone, PartialEq)]
pub struct DueDelivery {
    /// The delivery as it was claimed.
    pub delivery: Delivery,
    /// Where it goes, and the secrets that sign it.
    pub webhook: Webhook,
    /// The exact bytes to send.
    pub body: Vec<u8>,
}

/// What each lane may claim, exactly as its index has it: pending, held by nobody, and for a first attempt not
/// waiting for another.
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

/// Steps from webhook to webhook along an index: what each holds, and when its first claimable delivery is due.
macro_rules! hooks {
    ($made:literal) => {
        concat!(
            "WITH RECURSIVE hooks (webhook_id) AS (SELECT MIN(m.webhook_id) FROM deliveries m WHERE ",
            claimable!("m", $made),
            " UNION ALL SELECT (SELECT MIN(n.webhook_id) FROM deliveries n WHERE n.webhook_id > hooks.webhook_id AND ",
            claimable!("n", $made),
            ") FROM hooks WHERE hooks.webhook_id IS NOT NULL) \
             SELECT hooks.webhook_id, (SELECT COUNT(*) FROM deliveries h WHERE h.webhook_id = hooks.webhook_id \
             AND h.lease_owner IS NOT NULL), (SELECT MIN(c.run_at) FROM deliveries c \
             WHERE c.webhook_id = hooks.webhook_id AND ",
            claimable!("c", $made),
            ") AS due FROM hooks WHERE hooks.webhook_id IS NOT NULL ORDER BY due, hooks.webhook_id"
        )
    };
}

/// `?1` now, `?2` worker, `?3` lease's end, `?4` limit, `?5` webhook.
macro_rules! claim {
    ($made:literal) => {
        concat!(
            "WITH due AS MATERIALIZED (SELECT d.id AS id FROM deliveries d WHERE d.webhook_id = ?5 \
             AND d.run_at <= ?1 AND ",
            claimable!("d", $made),
            " ORDER BY d.run_at, d.id LIMIT ?4 /*skip locked*/) \
             UPDATE deliveries SET lease_owner = ?2, lease_until = ?3, fence = fence + 1 \
             WHERE id IN (SELECT id FROM due) RETURNING id, fence"
        )
    };
}

statements! {
    FREE_LAPSED = "UPDATE deliveries SET lease_owner = NULL, lease_until = NULL \
                   WHERE lease_owner IS NOT NULL AND lease_until <= ?1";
    HOOKS_FIRST = hooks!("= 0");
    HOOKS_RESEND = hooks!("> 0");
    CLAIM_FIRST = claim!("= 0");
    CLAIM_RESEND = claim!("> 0");
    RENEW = "UPDATE deliveries SET lease_until = ?4 WHERE id = ?1 AND lease_owner = ?2 AND fence = ?3";
    SET_ASIDE = "UPDATE deliveries SET run_at = ?2, lease_owner = NULL, lease_until = NULL \
                 WHERE id = ?1 AND run_at IS NOT NULL";
    CANCEL = "UPDATE deliveries SET due_at = NULL, run_at = NULL, ending = 'CANCELLED', lease_owner = NULL, \
              lease_until = NULL WHERE id = ?1 AND run_at IS NOT NULL RETURNING webhook_id, subject";
    /// The envelope that is owed: with its payload where the webhook asked for it and the type has one.
    LOAD = "SELECT d.id, d.tenant_id, d.mode, d.event_id, d.event_type, d.webhook_id, d.subject_kind, d.subject, \
            d.sequence, d.include_payload, d.attempts_made, d.due_at, d.run_at, d.ending, \
            w.id, w.tenant_id, w.mode, w.body, w.secret, w.next_secret, \
            e.open, e.scope_id, e.with_payload IS NOT NULL AND d.include_payload = 1, \
            CASE WHEN d.include_payload = 1 AND e.with_payload IS NOT NULL THEN e.with_payload ELSE e.plain END, \
            k.day, k.wrapped \
            FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id JOIN events e ON e.id = d.event_id \
            LEFT JOIN scope_keys k ON k.scope_id = e.scope_id WHERE d.id = ?1";
    NEXT_RUN = "SELECT MIN(run_at) FROM deliveries WHERE run_at > ?1 AND run_at IS NOT NULL AND lease_owner IS NULL";
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
        webhook: webhooks::Stored {
            id: row.text(14)?,
            owner: owner("webhooks", row, 15)?,
            body: row.bytes(17)?,
            secret: row.bytes(18)?,
            next_secret: row.opt_bytes(19)?,
        },
        open: row.bytes(20)?,
        scope: row.opt_text(21)?,
        with_payload: row.truth(22)?,
        sealed: row.opt_bytes(23)?,
        wrapped: row.opt_int(24)?.map(Day).zip(row.opt_bytes(25)?),
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

impl Reader<'_> {
    /// When, after now, the next delivery comes due: how long a worker that found nothing may sleep. What is due
    /// already and was not claimed waits for something else, and its end is news.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be read.
    pub fn next_delivery_at(&mut self, now: Wall) -> Result<Option<Wall>, StoreError> {
        let next = self.session.find(&NEXT_RUN, params![now.micros()], |row| row.opt_int(0))?.flatten();
        Ok(next.map(Wall::from_micros))
    }
}

impl Tx<'_> {
    /// Takes deliveries that are due, oldest first, of one webhook at most `share` at a time. Each is this
    /// worker's for ten seconds, longer while it renews.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be written.
    pub fn claim_deliveries(
        &mut self,
        lane: Lane,
        claim: Claim<'_>,
        share: usize,
    ) -> Result<Vec<Leased<DueDelivery>>, StoreError> {
        let now = self.session.wall(claim.now.micros())?;
        let until = now + LEASE.as_micros() as i64;
        self.session.execute(&FREE_LAPSED, params![now])?;
        let (hooks, take) = match lane {
            Lane::First => (&HOOKS_FIRST, &CLAIM_FIRST),
            Lane::Resend => (&HOOKS_RESEND, &CLAIM_RESEND),
        };
        let hooks = self.session.query(hooks, params![], |row| {
            Ok((row.text(0)?, usize::try_from(row.int(1)?).unwrap_or(usize::MAX), row.int(2)?))
        })?;
        let mut taken: Vec<(String, i64)> = Vec::new();
        for (hook, held, due) in hooks {
            let room = share.saturating_sub(held).min(claim.limit - taken.len());
            if due > now || taken.len() == claim.limit {
                break;
            }
            if room > 0 {
                taken.extend(self.session.query(
                    take,
                    params![now, claim.worker.as_str(), until, room as i64, &hook],
                    |row| Ok((row.text(0)?, row.int(1)?)),
                )?);
            }
        }
        let mut leased = Vec::with_capacity(taken.len());
        for (id, fence) in taken {
            let Some(loaded) = self.session.find(&LOAD, params![&id], |row| Ok(load(row)))? else {
                // Its webhook or its event went while it was written.
                self.cancel_claimed(&id)?;
                continue;
            };
            // What one row holds must not keep the others back: its own faults are its own.
            match loaded.and_then(|loaded| loaded.open(self)) {
                // Its webhook was switched off while it was written.
                Ok(item) if item.webhook.check_sends().is_err() => {
                    self.cancel_claimed(&id)?;
                }
                Ok(item) => leased.push(Leased { item, worker: claim.worker.clone(), fence }),
                Err(error) => {
                    tracing::error!(delivery = %id, %error, "a delivery cannot be read and is set aside");
                    self.session.execute(&SET_ASIDE, params![&id, now + ASIDE.as_micros() as i64])?;
                }
            }
        }
        leased.sort_by(|one, other| {
            let key = |due: &DueDelivery| (due.delivery.sequence, due.delivery.id.clone());
            key(&one.item).cmp(&key(&other.item))
        });
        Ok(leased)
    }

    /// What waited for it is free to go.
    fn cancel_claimed(&mut self, id: &str) -> Result<(), StoreError> {
        let ended = self.session.find(&CANCEL, params![id], |row| Ok((row.text(0)?, row.text(1)?)))?;
        ended.map_or(Ok(()), |(webhook, subject)| self.unblock_next(&webhook, &subject))
    }
}
