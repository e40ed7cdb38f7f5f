//! Shares of concurrent attempts: first by tenant and environment, then by webhook.
//!
//! Our own: with a semaphore or a count per tenant, a few tenants whose attempts hang fill all slots (ADR 211).

use std::collections::BTreeMap;

use link_types::Mode;
use link_types::id::WebhookId;

use super::lookahead::Lookahead;
use crate::kernel::owner::Owner;

/// Maximum number of concurrent attempts in one process.
pub const MAX_ATTEMPTS_AT_ONCE: usize = ALL.all;

/// Queue that an attempt is claimed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryQueue {
    /// First attempt of a delivery.
    First,
    /// A retry, a probe or a ping. First attempts never wait for these.
    Resend,
}

/// Maximum numbers of concurrent attempts.
struct Limits {
    /// For all tenants.
    all: usize,
    /// For all sandboxes.
    sandboxes: usize,
    /// For one tenant in production.
    production: usize,
    /// For one tenant in the sandbox.
    sandbox: usize,
    /// For one webhook.
    webhook: usize,
}

const ALL: Limits = Limits { all: 512, sandboxes: 256, production: 128, sandbox: 64, webhook: 16 };
/// Retries have separate limits, so that a tenant whose retries hang does not affect the others.
const RESENDS: Limits = Limits { all: 128, sandboxes: 64, production: 32, sandbox: 16, webhook: 8 };
/// First attempts that a process has claimed before there is a slot for them ([`Lookahead`]).
const WAITING: Limits =
    Limits { all: 8_192, sandboxes: 4_096, production: 4_096, sandbox: 2_048, webhook: 512 };

/// Concurrent attempts in one process.
///
/// A claim takes at most half of the difference between the free slots and those that the owner already holds. So an
/// owner whose attempts hang leaves slots for the next one, and it takes 11 such tenants in production to fill all
/// slots. The webhooks of one owner share the owner's slots by the same rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttemptShares {
    all: Shares,
    resends: Shares,
    waiting: Shares,
}

impl AttemptShares {
    /// Returns how many more attempts of a queue may start, for all owners together.
    pub fn free(&self, queue: DeliveryQueue) -> usize {
        let all = ALL.all.saturating_sub(self.all.total);
        match queue {
            DeliveryQueue::First => all,
            DeliveryQueue::Resend => all.min(RESENDS.all.saturating_sub(self.resends.total)),
        }
    }

    /// Returns the number of running attempts of an owner.
    pub fn of_owner(&self, owner: &Owner) -> usize {
        self.all.of_owner(owner)
    }

    /// Returns the number of an owner's deliveries that are claimed: running or waiting for a slot.
    pub fn count_claimed(&self, owner: &Owner) -> usize {
        self.all.of_owner(owner) + self.waiting.of_owner(owner)
    }

    /// Returns the number of claimed deliveries to a webhook that wait for a slot.
    pub fn waiting(&self, owner: &Owner, webhook: &WebhookId) -> usize {
        self.waiting.of_webhook(owner, webhook)
    }

    /// Returns the number of running attempts to a webhook.
    pub fn of_webhook(&self, owner: &Owner, webhook: &WebhookId) -> usize {
        self.all.of_webhook(owner, webhook)
    }

    /// Returns how many more attempts to a webhook may start.
    pub fn room(&self, queue: DeliveryQueue, owner: &Owner, webhook: &WebhookId) -> usize {
        let all = self.all.room(&ALL, owner, webhook);
        match queue {
            DeliveryQueue::First => all,
            DeliveryQueue::Resend => all.min(self.resends.room(&RESENDS, owner, webhook)),
        }
    }

    /// Returns how many more attempts of a queue may start, for all owners of this kind of environment together.
    pub(super) fn free_for(&self, queue: DeliveryQueue, mode: Mode) -> usize {
        let sandboxes = match (mode, queue) {
            (Mode::Production, _) => usize::MAX,
            (Mode::Sandbox, DeliveryQueue::First) => ALL.sandboxes.saturating_sub(self.all.sandbox),
            (Mode::Sandbox, DeliveryQueue::Resend) => RESENDS.sandboxes.saturating_sub(self.resends.sandbox),
        };
        self.free(queue).min(sandboxes)
    }

    /// Returns how many more deliveries to a webhook may be claimed: as many as may start in `slots`, and first attempts to
    /// start later within the lookahead.
    pub(super) fn claimable(
        &self,
        queue: DeliveryQueue,
        owner: &Owner,
        webhook: &WebhookId,
        lookahead: &Lookahead,
        slots: usize,
    ) -> usize {
        let room = self.room(queue, owner, webhook).min(slots);
        match queue {
            DeliveryQueue::Resend => room,
            DeliveryQueue::First => {
                let later = self.waiting.room(&WAITING, owner, webhook).min(lookahead.for_webhook(webhook));
                (room + later).saturating_sub(self.waiting(owner, webhook))
            }
        }
    }

    /// Counts claimed deliveries: those that fit into `slots` start at once, and the others wait. Returns how many start.
    pub fn claim(
        &mut self,
        queue: DeliveryQueue,
        owner: &Owner,
        webhook: &WebhookId,
        claimed: usize,
        slots: usize,
    ) -> usize {
        let started = self.room(queue, owner, webhook).min(claimed).min(slots);
        self.begin(queue, owner, webhook, started);
        self.waiting.begin(owner, webhook, claimed - started);
        started
    }

    /// Counts claimed first attempts that wait for a slot.
    pub fn wait(&mut self, owner: &Owner, webhook: &WebhookId, claimed: usize) {
        self.waiting.begin(owner, webhook, claimed);
    }

    /// Counts deliveries that no longer wait for a slot.
    pub fn leave(&mut self, owner: &Owner, webhook: &WebhookId, count: usize) {
        (0..count).for_each(|_| self.waiting.end(owner, webhook));
    }

    /// Counts attempts that start.
    pub fn begin(&mut self, queue: DeliveryQueue, owner: &Owner, webhook: &WebhookId, attempts: usize) {
        self.all.begin(owner, webhook, attempts);
        if queue == DeliveryQueue::Resend {
            self.resends.begin(owner, webhook, attempts);
        }
    }

    /// Counts an attempt that ended.
    pub fn end(&mut self, queue: DeliveryQueue, owner: &Owner, webhook: &WebhookId) {
        self.all.end(owner, webhook);
        if queue == DeliveryQueue::Resend {
            self.resends.end(owner, webhook);
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Shares {
    total: usize,
    sandbox: usize,
    owners: BTreeMap<Owner, OwnerShare>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OwnerShare {
    total: usize,
    webhooks: BTreeMap<WebhookId, usize>,
}

impl Shares {
    fn of_owner(&self, owner: &Owner) -> usize {
        self.owners.get(owner).map_or(0, |share| share.total)
    }

    fn of_webhook(&self, owner: &Owner, webhook: &WebhookId) -> usize {
        self.owners.get(owner).and_then(|share| share.webhooks.get(webhook)).copied().unwrap_or(0)
    }

    fn room(&self, limits: &Limits, owner: &Owner, webhook: &WebhookId) -> usize {
        let all = limits.all.saturating_sub(self.total);
        let (free, share) = match owner.mode {
            Mode::Production => (all, limits.production),
            Mode::Sandbox => (all.min(limits.sandboxes.saturating_sub(self.sandbox)), limits.sandbox),
        };
        let of_owner = self.of_owner(owner);
        let owner_room = share.saturating_sub(of_owner).min(fair(free, of_owner));
        let of_webhook = self.of_webhook(owner, webhook);
        limits.webhook.saturating_sub(of_webhook).min(fair(owner_room, of_webhook))
    }

    fn begin(&mut self, owner: &Owner, webhook: &WebhookId, attempts: usize) {
        if attempts == 0 {
            return;
        }
        self.total += attempts;
        if owner.mode == Mode::Sandbox {
            self.sandbox += attempts;
        }
        let share = self.owners.entry(owner.clone()).or_default();
        share.total += attempts;
        *share.webhooks.entry(webhook.clone()).or_default() += attempts;
    }

    fn end(&mut self, owner: &Owner, webhook: &WebhookId) {
        let Some(share) = self.owners.get_mut(owner) else { return };
        let Some(attempts) = share.webhooks.get_mut(webhook) else { return };
        *attempts -= 1;
        if *attempts == 0 {
            share.webhooks.remove(webhook);
        }
        share.total -= 1;
        if share.total == 0 {
            self.owners.remove(owner);
        }
        self.total -= 1;
        if owner.mode == Mode::Sandbox {
            self.sandbox -= 1;
        }
    }
}

/// Returns how many of the `free` slots an owner or webhook that holds `held` slots may take.
const fn fair(free: usize, held: usize) -> usize {
    free.saturating_sub(held).div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn owner(number: usize, mode: Mode) -> Owner {
        Owner { tenant: format!("tenant{number}").parse().unwrap(), mode }
    }

    fn webhook(number: u8) -> WebhookId {
        WebhookId::from_bytes([number; 16])
    }

    /// Takes everything that 50 webhooks of an owner can take if no attempt ends.
    fn fill(shares: &mut AttemptShares, queue: DeliveryQueue, owner: &Owner) -> usize {
        let before = shares.all.total;
        for number in 0..50 {
            loop {
                let room = shares.room(queue, owner, &webhook(number));
                if room == 0 {
                    break;
                }
                shares.begin(queue, owner, &webhook(number), room);
            }
        }
        shares.all.total - before
    }

    #[rstest]
    #[case(DeliveryQueue::First, Mode::Production, 128)]
    #[case(DeliveryQueue::First, Mode::Sandbox, 64)]
    #[case(DeliveryQueue::Resend, Mode::Production, 32)]
    #[case(DeliveryQueue::Resend, Mode::Sandbox, 16)]
    fn tenant_cannot_exceed_its_share(
        #[case] queue: DeliveryQueue,
        #[case] mode: Mode,
        #[case] share: usize,
    ) {
        let mut shares = AttemptShares::default();
        let taken = fill(&mut shares, queue, &owner(1, mode));
        assert!(taken <= share && taken > share / 2, "{taken}");
    }

    #[rstest]
    #[case(DeliveryQueue::First, 256)]
    #[case(DeliveryQueue::Resend, 64)]
    fn hanging_sandboxes_leave_half_to_production(#[case] queue: DeliveryQueue, #[case] half: usize) {
        let mut shares = AttemptShares::default();
        for number in 0..40 {
            fill(&mut shares, queue, &owner(number, Mode::Sandbox));
        }
        assert!(shares.all.total <= half, "{}", shares.all.total);
        assert!(shares.room(queue, &owner(99, Mode::Production), &webhook(1)) > 1);
    }

    #[rstest]
    #[case(DeliveryQueue::First)]
    #[case(DeliveryQueue::Resend)]
    fn seven_hanging_tenants_leave_slots_for_the_next(#[case] queue: DeliveryQueue) {
        let mut shares = AttemptShares::default();
        for number in 0..7 {
            fill(&mut shares, queue, &owner(number, Mode::Production));
            assert!(shares.room(queue, &owner(99, Mode::Production), &webhook(1)) > 0, "after {number}");
        }
    }

    #[test]
    fn hanging_retries_do_not_block_first_attempts() {
        let mut shares = AttemptShares::default();
        for number in 0..40 {
            fill(&mut shares, DeliveryQueue::Resend, &owner(number, Mode::Production));
        }
        assert_eq!((shares.free(DeliveryQueue::Resend), shares.free(DeliveryQueue::First)), (0, 384));
        assert_eq!(shares.room(DeliveryQueue::First, &owner(99, Mode::Production), &webhook(1)), 16);
    }

    #[test]
    fn hanging_webhooks_leave_slots_for_the_tenants_next_one() {
        let (mut shares, owner) = (AttemptShares::default(), owner(1, Mode::Sandbox));
        for number in 0..3 {
            let room = shares.room(DeliveryQueue::First, &owner, &webhook(number));
            assert!(room > 0 && room <= 16, "{room}");
            shares.begin(DeliveryQueue::First, &owner, &webhook(number), room);
        }
        assert!(shares.room(DeliveryQueue::First, &owner, &webhook(9)) > 0);
    }

    #[test]
    fn webhook_without_ended_attempts_is_not_claimed_ahead() {
        let (mut shares, owner) = (AttemptShares::default(), owner(1, Mode::Sandbox));
        let none = Lookahead::default();
        assert_eq!(shares.claimable(DeliveryQueue::First, &owner, &webhook(1), &none, 512), 16);
        shares.claim(DeliveryQueue::First, &owner, &webhook(1), 16, 512);
        assert_eq!(shares.claimable(DeliveryQueue::First, &owner, &webhook(1), &none, 512), 0);
    }

    #[test]
    fn deliveries_claimed_ahead_are_shared_like_slots() {
        let (mut shares, mut lookahead) = (AttemptShares::default(), Lookahead::default());
        (0..20).for_each(|number| (0..1_000).for_each(|_| lookahead.record_end(&webhook(number))));
        lookahead.next_claim();
        let mut claimed = BTreeMap::new();
        for _ in 0..20 {
            for number in 0..20 {
                let (owner, webhook) = (owner(number, Mode::Sandbox), webhook(u8::try_from(number).unwrap()));
                let more = shares.claimable(DeliveryQueue::First, &owner, &webhook, &lookahead, 512);
                shares.claim(DeliveryQueue::First, &owner, &webhook, more, 512);
                *claimed.entry(owner).or_insert(0) += more;
            }
        }
        let total: usize = claimed.values().sum();
        assert!(claimed.values().all(|count| (1..=528).contains(count)), "{claimed:?}");
        assert!(total <= 4_096 + 256, "{total}");
        let (all, other) = (shares.clone(), owner(99, Mode::Production));
        assert!(all.claimable(DeliveryQueue::First, &other, &webhook(1), &lookahead, 512) > 100);
    }

    #[test]
    fn waiting_deliveries_use_the_room_of_new_claims() {
        let (mut shares, owner) = (AttemptShares::default(), owner(1, Mode::Sandbox));
        let (first, none) = (DeliveryQueue::First, Lookahead::default());
        shares.wait(&owner, &webhook(1), 10);
        assert_eq!(shares.claimable(first, &owner, &webhook(1), &none, 512), 6);
        assert_eq!((shares.of_owner(&owner), shares.count_claimed(&owner)), (0, 10));
        shares.leave(&owner, &webhook(1), 10);
        assert_eq!(shares, AttemptShares::default());
    }

    #[test]
    fn ended_attempts_free_their_slots() {
        let (mut shares, owner) = (AttemptShares::default(), owner(1, Mode::Sandbox));
        shares.begin(DeliveryQueue::Resend, &owner, &webhook(1), 2);
        shares.end(DeliveryQueue::Resend, &owner, &webhook(1));
        assert_eq!((shares.all.total, shares.of_webhook(&owner, &webhook(1))), (1, 1));
        shares.end(DeliveryQueue::Resend, &owner, &webhook(1));
        assert_eq!(shares, AttemptShares::default());
        shares.end(DeliveryQueue::Resend, &owner, &webhook(1));
        assert_eq!(shares, AttemptShares::default());
    }
}
