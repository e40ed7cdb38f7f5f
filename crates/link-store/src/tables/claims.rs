//! Claims of due deliveries.
//!
//! A claim visits each webhook that has something pending, not each delivery, and takes at most a share of one
//! webhook's: a receiver that hangs holds its own share and nobody else's. First attempts keep the order of their
//! subject's events; resends are a lane of their own.

use link_domain::clock::Wall;
use link_domain::webhook::{Delivery, Webhook};

use super::lease::{Claim, LEASE, Leased, WorkerId};
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

/// Ready, in its lane, held by nobody.
macro_rules! ready {
    ($row:literal, first) => {
        concat!(
            $row,
            ".attempts_made = 0 AND ",
            $row,
            ".run_at <= ?1 AND (",
            $row,
            ".lease_until IS NULL OR ",
            $row,
            ".lease_until <= ?1) AND NOT EXISTS (SELECT 1 FROM deliveries o WHERE o.webhook_id = ",
            $row,
            ".webhook_id AND o.subject = ",
            $row,
            ".subject AND o.sequence < ",
            $row,
            ".sequence AND o.attempts_made = 0 AND o.run_at IS NOT NULL)"
        )
    };
    ($row:literal, resend) => {
        concat!(
            $row,
            ".attempts_made > 0 AND ",
            $row,
            ".run_at <= ?1 AND (",
            $row,
            ".lease_until IS NULL OR ",
            $row,
            ".lease_until <= ?1)"
        )
    };
}

/// `?1` now, `?2` worker, `?3` lease's end, `?4` limit, `?5` share of a webhook.
///
/// `hooks` steps from webhook to webhook along an index; `free` says what is left of each one's share and up to
/// which moment a whole share is due, so that `ranked` never looks at more of a backlog than that.
macro_rules! claim {
    ($lane:ident, $made:literal) => {
        concat!(
            "WITH RECURSIVE hooks (webhook_id) AS ( \
             SELECT MIN(webhook_id) FROM deliveries WHERE run_at IS NOT NULL AND attempts_made ", $made,
            " UNION ALL SELECT (SELECT MIN(n.webhook_id) FROM deliveries n WHERE n.webhook_id > hooks.webhook_id \
             AND n.run_at IS NOT NULL AND n.attempts_made ", $made,
            ") FROM hooks WHERE hooks.webhook_id IS NOT NULL), \
             free AS MATERIALIZED (SELECT hooks.webhook_id AS webhook_id, ?5 - (SELECT COUNT(*) FROM deliveries h \
             WHERE h.webhook_id = hooks.webhook_id AND h.lease_owner IS NOT NULL AND h.lease_until > ?1) AS room, \
             COALESCE((SELECT c.run_at FROM deliveries c WHERE c.webhook_id = hooks.webhook_id AND ",
            ready!("c", $lane), " ORDER BY c.run_at, c.id LIMIT 1 OFFSET ?5 - 1), ?1) AS upto FROM hooks \
             WHERE hooks.webhook_id IS NOT NULL), \
             ranked AS (SELECT d.id AS id, d.run_at AS run_at, free.room AS room, \
             ROW_NUMBER() OVER (PARTITION BY d.webhook_id ORDER BY d.run_at, d.id) AS place \
             FROM free JOIN deliveries d ON d.webhook_id = free.webhook_id AND d.run_at <= free.upto \
             WHERE free.room > 0 AND ", ready!("d", $lane), "), \
             due AS MATERIALIZED (SELECT id FROM ranked WHERE place <= room ORDER BY run_at, id LIMIT ?4), \
             taken AS MATERIALIZED (SELECT t.id AS id FROM deliveries t WHERE t.id IN (SELECT id FROM due) \
             AND t.run_at <= ?1 AND (t.lease_until IS NULL OR t.lease_until <= ?1) /*skip locked*/) \
             UPDATE deliveries SET lease_owner = ?2, lease_until = ?3, fence = fence + 1 \
             WHERE id IN (SELECT id FROM taken) RETURNING id, fence"
        )
    };
}

statements! {
    CLAIM_FIRST = claim!(first, "= 0");
    CLAIM_RESENDS = claim!(resend, "> 0");
    RENEW = "UPDATE deliveries SET lease_until = ?2 WHERE lease_owner = ?1";
    GIVE_BACK = "UPDATE deliveries SET lease_owner = NULL, lease_until = NULL \
                 WHERE id = ?1 AND lease_owner = ?2 AND fence = ?3";
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
        let statement = match lane {
            Lane::First => &CLAIM_FIRST,
            Lane::Resend => &CLAIM_RESENDS,
        };
        let taken = self.session.query(
            statement,
            params![now, claim.worker.as_str(), until, claim.limit as i64, share as i64],
            |row| Ok((row.text(0)?, row.int(1)?)),
        )?;
        let mut leased = Vec::with_capacity(taken.len());
        for (id, fence) in taken {
            if let Some(loaded) = self.session.find(&LOAD, params![&id], load)? {
                let item = loaded.open(self)?;
                leased.push(Leased { item, worker: claim.worker.clone(), fence });
            }
        }
        leased.sort_by(|one, other| {
            let key = |due: &DueDelivery| (due.delivery.sequence, due.delivery.id.clone());
            key(&one.item).cmp(&key(&other.item))
        });
        Ok(leased)
    }

    /// Keeps all deliveries of a worker for ten seconds more. Gives how many it holds.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be written.
    pub fn renew_deliveries(&mut self, worker: &WorkerId, now: Wall) -> Result<u64, StoreError> {
        let until = self.session.wall(now.micros())? + LEASE.as_micros() as i64;
        self.session.execute(&RENEW, params![worker.as_str(), until])
    }

    /// Gives a delivery back untried: a worker that stops. `false` when the lease was lost.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be written.
    pub fn give_back_delivery(&mut self, due: &Leased<DueDelivery>) -> Result<bool, StoreError> {
        let Leased { item, worker, fence } = due;
        let held = params![item.delivery.id.as_str(), worker.as_str(), *fence];
        Ok(self.session.execute(&GIVE_BACK, held)? == 1)
    }
}
