//! How the attempts under way are shared: by tenant and environment first, then by webhook.

use std::collections::BTreeMap;

use link_types::Mode;
use link_types::id::WebhookId;

use crate::owner::Owner;

/// Attempts under way at once in one process.
pub const ATTEMPTS_AT_ONCE: usize = 512;
/// Of these, attempts of all sandboxes together.
pub const SANDBOX_ATTEMPTS: usize = 256;
/// Attempts under way at once to one webhook.
pub const WEBHOOK_ATTEMPTS: usize = 16;

/// Attempts under way at once for one tenant in one environment.
pub const fn owner_attempts(mode: Mode) -> usize {
    match mode {
        Mode::Production => 128,
        Mode::Sandbox => 64,
    }
}

/// The attempts under way in one process.
///
/// Each claim leaves half of what is free: an owner may begin attempts up to its limit, but never more than half of
/// the difference between the free places and its own. However many owners hang, the next one finds a place. The
/// webhooks of one owner share the owner's places by the same rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttemptShares {
    total: usize,
    sandbox: usize,
    owners: BTreeMap<Owner, OwnerShare>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OwnerShare {
    total: usize,
    webhooks: BTreeMap<WebhookId, usize>,
}

impl AttemptShares {
    /// Attempts under way in all.
    pub const fn total(&self) -> usize {
        self.total
    }

    /// Attempts under way for an owner.
    pub fn of_owner(&self, owner: &Owner) -> usize {
        self.owners.get(owner).map_or(0, |share| share.total)
    }

    /// Attempts under way to a webhook.
    pub fn of_webhook(&self, owner: &Owner, webhook: &WebhookId) -> usize {
        self.owners.get(owner).and_then(|share| share.webhooks.get(webhook)).copied().unwrap_or(0)
    }

    /// How many more attempts to a webhook may begin.
    pub fn room(&self, owner: &Owner, webhook: &WebhookId) -> usize {
        let all = ATTEMPTS_AT_ONCE.saturating_sub(self.total);
        let free = match owner.mode {
            Mode::Production => all,
            Mode::Sandbox => all.min(SANDBOX_ATTEMPTS.saturating_sub(self.sandbox)),
        };
        let of_owner = self.of_owner(owner);
        let owner_room = owner_attempts(owner.mode).saturating_sub(of_owner).min(fair(free, of_owner));
        let of_webhook = self.of_webhook(owner, webhook);
        WEBHOOK_ATTEMPTS.saturating_sub(of_webhook).min(fair(owner_room, of_webhook))
    }

    /// Counts attempts that begin.
    pub fn begin(&mut self, owner: &Owner, webhook: &WebhookId, attempts: usize) {
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

    /// Counts an attempt that ended.
    pub fn end(&mut self, owner: &Owner, webhook: &WebhookId) {
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

/// How many of the `free` places one that holds `held` may take: afterwards at least as many are free as it holds.
const fn fair(free: usize, held: usize) -> usize {
    free.saturating_sub(held).div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(number: usize, mode: Mode) -> Owner {
        Owner { tenant: format!("tenant{number}").parse().unwrap(), mode }
    }

    fn webhook(number: u8) -> WebhookId {
        WebhookId::from_bytes([number; 16])
    }

    /// Everything that fifty webhooks of an owner can take when no attempt ends.
    fn fill(shares: &mut AttemptShares, owner: &Owner) -> usize {
        let before = shares.total();
        for number in 0..50 {
            loop {
                let room = shares.room(owner, &webhook(number));
                if room == 0 {
                    break;
                }
                shares.begin(owner, &webhook(number), room);
            }
        }
        shares.total() - before
    }

    #[test]
    fn sandbox_of_a_tenant_has_half_the_share_of_production() {
        let mut shares = AttemptShares::default();
        assert!(fill(&mut shares, &owner(1, Mode::Sandbox)) <= 64);
        assert!(fill(&mut shares, &owner(1, Mode::Production)) <= 128);
    }

    #[test]
    fn hanging_sandboxes_leave_half_to_production() {
        let mut shares = AttemptShares::default();
        for number in 0..40 {
            fill(&mut shares, &owner(number, Mode::Sandbox));
        }
        assert!(shares.total() <= SANDBOX_ATTEMPTS, "{}", shares.total());
        assert!(shares.room(&owner(99, Mode::Production), &webhook(1)) >= WEBHOOK_ATTEMPTS);
    }

    #[test]
    fn seven_hanging_tenants_leave_room_for_the_next() {
        let mut shares = AttemptShares::default();
        for number in 0..7 {
            fill(&mut shares, &owner(number, Mode::Production));
            assert!(shares.room(&owner(99, Mode::Production), &webhook(1)) > 0, "after {number}");
        }
    }

    #[test]
    fn three_hanging_webhooks_leave_room_for_the_next_of_their_tenant() {
        let (mut shares, owner) = (AttemptShares::default(), owner(1, Mode::Sandbox));
        for number in 0..3 {
            let room = shares.room(&owner, &webhook(number));
            assert!(room > 0 && room <= WEBHOOK_ATTEMPTS, "{room}");
            shares.begin(&owner, &webhook(number), room);
        }
        assert!(shares.room(&owner, &webhook(9)) > 0);
    }

    #[test]
    fn ended_attempts_free_their_places() {
        let (mut shares, owner) = (AttemptShares::default(), owner(1, Mode::Sandbox));
        shares.begin(&owner, &webhook(1), 2);
        shares.end(&owner, &webhook(1));
        assert_eq!((shares.total(), shares.of_webhook(&owner, &webhook(1))), (1, 1));
        shares.end(&owner, &webhook(1));
        assert_eq!(shares, AttemptShares::default());
        shares.end(&owner, &webhook(1));
        assert_eq!(shares, AttemptShares::default());
    }
}
