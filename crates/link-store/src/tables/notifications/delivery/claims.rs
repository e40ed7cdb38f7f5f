//! Claims due deliveries.
//! Our own: the shares and the order of subjects decide. 256 of 10,000 due rows take 26 ms on SQLite (ADR 1).
//!
//! A claim visits each webhook that has pending deliveries, not each delivery. It takes from the owners that hold the
//! fewest first, and from each owner and webhook at most its share ([`AttemptShares`]). Deliveries of webhooks with an
//! open breaker are parked, and only one of them at a time is claimed as a probe. First attempts keep the order of their
//! subject's events. Resends and probes have a separate queue. Bodies are read later (`loads.rs`).

use std::collections::BTreeMap;
use std::time::Duration;

use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::delivery::{AttemptShares, Breaker, ClaimShares, DeliveryQueue, Lookahead};
use link_types::id::{DeliveryId, WebhookId};

use super::breakers::MAX_MOVED_AT_ONCE;
use super::deliveries::{Deliveries, clock_offset};
use super::waiting_hooks::{HOOKS_FIRST, HOOKS_RESEND, Hook, claimable, free, hook};
use crate::reader::parse;
use crate::sql::{Param, Row, Sql, columns, params, statements};
use crate::tables::lease::{Claim, Held, LEASE, Leased, skip_faulty};
use crate::{StoreError, Tx};

/// How soon to look again at a breaker whose probe exceeds a limit.
const BUSY: Duration = Duration::from_millis(200);
/// The maximum number of webhooks whose deliveries one claim parks.
const MAX_PARKED_HOOKS: usize = 50;

/// A delivery that a worker has claimed and not loaded yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedDelivery {
    /// Its id.
    pub id: DeliveryId,
    /// The owner of the webhook.
    pub owner: Owner,
    /// The webhook to send it to.
    pub webhook_id: WebhookId,
    /// Whether it is sent although the webhook's breaker is open.
    pub is_probe: bool,
}

impl Leased<ClaimedDelivery> {
    /// Returns the lease, for its renewal.
    #[must_use]
    pub fn lease(&self) -> Held {
        self.lease_as(self.item.id.as_str())
    }
}

/// The result of a claim.
#[derive(Debug, Default)]
pub struct Claimed {
    /// The claimed deliveries, oldest first.
    pub deliveries: Vec<Leased<ClaimedDelivery>>,
    /// Whether a webhook may have further due deliveries, beyond its share.
    pub has_more: bool,
    /// When the next delivery of this queue is due, of those that are not due yet.
    pub next: Option<Wall>,
}

impl Claimed {
    /// Adds claimed deliveries of a webhook.
    fn hold(
        &mut self,
        claim: Claim<'_>,
        owner: &Owner,
        (webhook, is_probe): (&WebhookId, bool),
        found: Vec<Option<Taken>>,
    ) {
        self.deliveries.extend(found.into_iter().flatten().map(|(id, fence)| Leased {
            item: ClaimedDelivery { id, owner: owner.clone(), webhook_id: webhook.clone(), is_probe },
            worker: claim.worker.clone(),
            fence,
        }));
    }
}

/// Parks due deliveries of a webhook: `?1` webhook, `?2` limit, `?3` now.
macro_rules! park {
    ($made:literal) => {
        concat!(
            "WITH parked AS MATERIALIZED (SELECT d.id AS id FROM deliveries d WHERE d.webhook_id = ?1 AND ",
            claimable!("d", $made),
            " AND ",
            free!("d", "?3"),
            " ORDER BY d.run_at, d.id LIMIT ?2 /*skip locked*/) \
             UPDATE deliveries SET blocked = 2, lease_owner = NULL, lease_until = NULL WHERE id IN (SELECT id FROM parked)"
        )
    };
}

columns! {
    /// The columns of a claimed delivery.
    taken_columns => struct TakenColumns { id, fence }
}
const TAKEN: TakenColumns = TakenColumns::after(0);

/// `?1` now on the webhook's clock, `?2` worker, `?3` end of the lease, `?4` limit, `?5` webhook, `?6` now on the wall
/// clock.
macro_rules! claim {
    ($made:literal) => {
        concat!(
            "WITH due AS MATERIALIZED (SELECT d.id AS id FROM deliveries d WHERE d.webhook_id = ?5 \
             AND d.run_at <= ?1 AND ",
            claimable!("d", $made),
            " AND ",
            free!("d", "?6"),
            " ORDER BY d.run_at, d.id LIMIT ?4 /*skip locked*/) \
             UPDATE deliveries SET lease_owner = ?2, lease_until = ?3, fence = fence + 1 \
             WHERE id IN (SELECT id FROM due) RETURNING ",
            taken_columns!("")
        )
    };
}

statements! {
    CLAIM_FIRST = claim!("= 0");
    CLAIM_RESEND = claim!("> 0");
    PARK_FIRST = park!("= 0");
    PARK_RESEND = park!("> 0");
    /// Claims the oldest parked delivery that is due: `?1` now, `?2` worker, `?3` end of the lease, `?4` webhook.
    CLAIM_PROBE = concat!("WITH due AS MATERIALIZED (SELECT d.id AS id FROM deliveries d WHERE d.webhook_id = ?4 \
                   AND d.run_at <= ?1 + ", clock_offset!("?4"), " \
                   AND d.run_at IS NOT NULL AND d.blocked = 2 \
                   ORDER BY d.run_at, d.id LIMIT 1 /*skip locked*/) \
                   UPDATE deliveries SET lease_owner = ?2, lease_until = ?3, fence = fence + 1, blocked = 0 \
                   WHERE id IN (SELECT id FROM due) RETURNING ", taken_columns!(""));
}

/// The id and the fence of a claimed delivery.
type Taken = (DeliveryId, i64);

fn read_taken(row: &Row<'_>) -> Result<Taken, StoreError> {
    Ok((parse("deliveries", row.str(TAKEN.id)?)?, row.int(TAKEN.fence)?))
}

impl Deliveries<'_, Tx<'_>> {
    /// Claims due deliveries, within the limits of `shares` and `lookahead`.
    ///
    /// The owners that hold the fewest go first, and each webhook's oldest deliveries. A worker holds each for 10
    /// seconds, and longer if it renews the lease.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn claim(
        &mut self,
        queue: DeliveryQueue,
        claim: Claim<'_>,
        shares: &AttemptShares,
        lookahead: &Lookahead,
    ) -> Result<Claimed, StoreError> {
        let now = self.session().wall(claim.now.micros())?;
        let mut shares = shares.clone();
        let mut claimed = Claimed::default();
        if queue == DeliveryQueue::Resend {
            self.claim_probes(claim, now, &mut shares, &mut claimed)?;
        }
        if claim.limit > 0 {
            self.claim_hooks(queue, claim, now, (shares, lookahead), &mut claimed)?;
        }
        claimed.deliveries.sort_by(|one, other| one.item.id.cmp(&other.item.id));
        Ok(claimed)
    }

    /// Claims due deliveries of webhooks with a closed breaker, and parks those of the others.
    fn claim_hooks(
        &mut self,
        queue: DeliveryQueue,
        claim: Claim<'_>,
        now: i64,
        (shares, lookahead): (AttemptShares, &Lookahead),
        claimed: &mut Claimed,
    ) -> Result<(), StoreError> {
        let (hooks, at, take, park): (&Sql, &[Param<'_>], &Sql, &Sql) = match queue {
            DeliveryQueue::First => (&HOOKS_FIRST, params![], &CLAIM_FIRST, &PARK_FIRST),
            DeliveryQueue::Resend => (&HOOKS_RESEND, params![now], &CLAIM_RESEND, &PARK_RESEND),
        };
        let hooks = self.session().query(hooks, at, |row| Ok(skip_faulty(hook(row)).flatten()))?;
        let mut hooks: Vec<Hook> = hooks.into_iter().flatten().collect();
        self.cancel_deleted(queue, &mut hooks)?;
        self.park_open(park, &mut hooks, now)?;
        claimed.next =
            hooks.iter().map(|hook| hook.due).filter(|due| *due > now).min().map(Wall::from_micros);
        let due = hooks.iter().filter(|hook| hook.due <= now);
        let mut due: Vec<(&Owner, &Hook)> =
            due.filter_map(|hook| Some((hook.owner.as_ref()?, hook))).collect();
        due.sort_by_cached_key(|(owner, hook)| {
            (shares.count_claimed(owner), shares.of_webhook(owner, &hook.id), hook.due, hook.id.clone())
        });
        let mut shares = ClaimShares::new(shares, queue, due.iter().map(|(owner, _)| *owner));
        let until = now + LEASE.as_micros() as i64;
        for (owner, hook) in due {
            let left = claim.limit.saturating_sub(claimed.deliveries.len());
            let room = shares.claimable(owner, &hook.id, lookahead).min(left);
            let due =
                params![now + hook.offset, claim.worker.as_str(), until, room as i64, hook.id.as_str(), now];
            let found = match room {
                0 => Vec::new(),
                _ => self.session().query(take, due, |row| Ok(skip_faulty(read_taken(row))))?,
            };
            claimed.has_more |= found.len() >= room;
            shares.claim(owner, &hook.id, found.len());
            claimed.hold(claim, owner, (&hook.id, false), found);
        }
        Ok(())
    }

    /// Removes deleted webhooks from `hooks` and cancels some of their deliveries. These were written while the webhook
    /// was being deleted, or were too many for its deletion.
    fn cancel_deleted(&mut self, queue: DeliveryQueue, hooks: &mut Vec<Hook>) -> Result<(), StoreError> {
        let deleted = hooks.extract_if(.., |hook| hook.owner.is_none());
        let mut deleted: Vec<WebhookId> = deleted.map(|hook| hook.id).collect();
        deleted.truncate(MAX_MOVED_AT_ONCE);
        let each = MAX_MOVED_AT_ONCE / deleted.len().max(1);
        for webhook in deleted {
            self.cancel_some(queue, &webhook, each)?;
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
        open.truncate(MAX_PARKED_HOOKS);
        let each = MAX_MOVED_AT_ONCE / open.len().max(1);
        for hook in open {
            self.0.breakers().park(park, &hook.id, now, each)?;
        }
        Ok(())
    }

    /// Claims a probe for each open breaker that is due, and releases the deliveries of closed ones.
    fn claim_probes(
        &mut self,
        claim: Claim<'_>,
        now: i64,
        shares: &mut AttemptShares,
        claimed: &mut Claimed,
    ) -> Result<(), StoreError> {
        let until = now + LEASE.as_micros() as i64;
        let breakers = self.0.breakers().due(now)?;
        let each = MAX_MOVED_AT_ONCE / breakers.len().max(1);
        for due in breakers {
            if matches!(due.breaker, Breaker::Closed { .. }) {
                self.0.breakers().release(&due.webhook, due.breaker, now, each)?;
                claimed.has_more = true;
                continue;
            }
            let is_probed = shares.of_webhook(&due.owner, &due.webhook) > 0;
            // Probes leave half of the queue to resends to working webhooks.
            let is_full = claimed.deliveries.len() >= claim.limit.div_ceil(2)
                || shares.room(DeliveryQueue::Resend, &due.owner, &due.webhook) == 0;
            if is_probed || is_full {
                self.0.breakers().look_at(&due.webhook, Some(now + BUSY.as_micros() as i64))?;
                continue;
            }
            let probe = params![now, claim.worker.as_str(), until, due.webhook.as_str()];
            let found = self.session().query(&CLAIM_PROBE, probe, |row| Ok(skip_faulty(read_taken(row))))?;
            if found.is_empty() {
                let first = self.0.breakers().first_parked_at(&due.webhook)?;
                let at = first.map(|at| at.max(now + BUSY.as_micros() as i64));
                self.0.breakers().look_at(&due.webhook, at)?;
            } else {
                self.0.breakers().begin_probe(&due, now)?;
                shares.begin(DeliveryQueue::Resend, &due.owner, &due.webhook, 1);
                claimed.hold(claim, &due.owner, (&due.webhook, true), found);
            }
        }
        Ok(())
    }
}
