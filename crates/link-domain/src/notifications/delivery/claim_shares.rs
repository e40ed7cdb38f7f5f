//! How one claim divides the free slots between the owners that have due deliveries.
//!
//! Our own: counts limit what one owner holds. They do not divide free slots between owners that wait (ADR 190).

use std::collections::BTreeMap;

use link_types::Mode;
use link_types::id::WebhookId;

use super::lookahead::Lookahead;
use super::shares::{AttemptShares, DeliveryQueue};
use crate::kernel::owner::Owner;

/// The least part of an owner or webhook in one claim, so that a claim for many does not take their deliveries one by one.
const MIN_PART: usize = 4;

/// The shares of one claim. Each owner takes at most an equal part of the free slots, so that a few owners with old
/// deliveries leave slots to one whose deliveries are new. The webhooks of an owner divide its part in the same way.
#[derive(Debug)]
pub struct ClaimShares {
    shares: AttemptShares,
    queue: DeliveryQueue,
    parts: BTreeMap<Owner, Part>,
}

/// The part of an owner.
#[derive(Debug, Default)]
struct Part {
    webhooks: usize,
    /// The slots that all its webhooks may still take.
    slots: usize,
    /// The slots that each of its webhooks may take.
    of_webhook: usize,
}

impl ClaimShares {
    /// Creates the shares of a claim. `owners` are those of the webhooks with due deliveries, once for each webhook.
    #[must_use]
    pub fn new<'o>(
        shares: AttemptShares,
        queue: DeliveryQueue,
        owners: impl IntoIterator<Item = &'o Owner>,
    ) -> Self {
        let mut parts: BTreeMap<Owner, Part> = BTreeMap::new();
        for owner in owners {
            parts.entry(owner.clone()).or_default().webhooks += 1;
        }
        for mode in [Mode::Production, Mode::Sandbox] {
            let owners = parts.keys().filter(|owner| owner.mode == mode).count();
            for (_, part) in parts.iter_mut().filter(|(owner, _)| owner.mode == mode) {
                part.slots = (shares.free_for(queue, mode) / owners).max(MIN_PART);
                part.of_webhook = (part.slots / part.webhooks).max(MIN_PART);
            }
        }
        Self { shares, queue, parts }
    }

    /// Returns how many deliveries to a webhook may be claimed.
    pub fn claimable(&self, owner: &Owner, webhook: &WebhookId, lookahead: &Lookahead) -> usize {
        let slots = self.parts.get(owner).map_or(0, |part| part.of_webhook.min(part.slots));
        self.shares.claimable(self.queue, owner, webhook, lookahead, slots)
    }

    /// Counts claimed deliveries: those that fit start at once, and the others wait.
    pub fn claim(&mut self, owner: &Owner, webhook: &WebhookId, claimed: usize) {
        let Some(part) = self.parts.get_mut(owner) else { return };
        let slots = part.of_webhook.min(part.slots);
        part.slots -= self.shares.claim(self.queue, owner, webhook, claimed, slots);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const FIRST: DeliveryQueue = DeliveryQueue::First;

    fn owner(number: usize, mode: Mode) -> Owner {
        Owner { tenant: format!("tenant{number}").parse().unwrap(), mode }
    }

    fn webhook(number: usize) -> WebhookId {
        WebhookId::from_bytes([u8::try_from(number).unwrap(); 16])
    }

    /// Claims everything that each of these owners may take, in turn, for 50 webhooks each. Returns what each one took.
    fn claim(shares: AttemptShares, owners: &[Owner]) -> Vec<usize> {
        let mut claim = ClaimShares::new(shares, FIRST, owners.iter().flat_map(|owner| [owner; 50]));
        let mut each = |owner: &Owner| {
            let mut of_webhook = |number: usize| {
                let webhook = webhook(number);
                let taken = claim.claimable(owner, &webhook, &Lookahead::default());
                claim.claim(owner, &webhook, taken);
                taken
            };
            (0..50).map(&mut of_webhook).sum()
        };
        owners.iter().map(&mut each).collect()
    }

    #[rstest]
    #[case(Mode::Sandbox, 13)]
    #[case(Mode::Production, 26)]
    fn each_of_twenty_owners_gets_a_part_of_the_slots(#[case] mode: Mode, #[case] part: usize) {
        let owners: Vec<Owner> = (0..20).map(|number| owner(number, mode)).collect();
        let taken = claim(AttemptShares::default(), &owners);
        // The last one takes half of what is left: every owner leaves slots to the next one.
        assert!(taken.iter().all(|taken| (part / 2..=part).contains(taken)), "{taken:?}");
    }

    #[test]
    fn many_owners_take_a_few_slots_each_and_not_one_by_one() {
        let owners: Vec<Owner> = (0..200).map(|number| owner(number, Mode::Sandbox)).collect();
        let taken = claim(AttemptShares::default(), &owners);
        assert_eq!((taken[0], taken[..60].iter().min(), taken[199]), (4, Some(&4), 0), "{taken:?}");
    }

    #[test]
    fn webhooks_of_one_of_twenty_owners_divide_its_part() {
        let owners: Vec<Owner> = (0..20).map(|number| owner(number, Mode::Sandbox)).collect();
        let mut claim =
            ClaimShares::new(AttemptShares::default(), FIRST, owners.iter().flat_map(|owner| [owner; 2]));
        for (number, owner) in owners.iter().enumerate() {
            let taken = [1, 2].map(|number| {
                let taken = claim.claimable(owner, &webhook(number), &Lookahead::default());
                claim.claim(owner, &webhook(number), taken);
                taken
            });
            // The last two owners take half of what is left.
            let least = if number < 18 { 6 } else { 2 };
            assert!(taken.iter().all(|taken| (least..=7).contains(taken)), "{number}: {taken:?}");
        }
    }

    #[test]
    fn single_owner_takes_its_whole_share_of_all_slots() {
        let taken = claim(AttemptShares::default(), &[owner(1, Mode::Production)]);
        assert!(taken[0] > 64, "{taken:?}");
    }

    #[test]
    fn sandboxes_take_nothing_from_the_parts_of_production() {
        let mut owners: Vec<Owner> = (0..100).map(|number| owner(number, Mode::Sandbox)).collect();
        owners.push(owner(1, Mode::Production));
        let taken = claim(AttemptShares::default(), &owners);
        assert!(taken[100] > 100, "{taken:?}");
    }
}
