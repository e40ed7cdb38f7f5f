//! How one claim divides the free slots between the owners that have due deliveries.

use std::collections::BTreeMap;

use link_types::Mode;
use link_types::id::WebhookId;

use super::lookahead::Lookahead;
use super::shares::{AttemptShares, DeliveryQueue};
use crate::kernel::owner::Owner;

/// The least part of an owner or webhook in one claim, so that a claim for many does not take their deliveries one by one.
const LEAST_PART: usize = 4;

/// The shares of one claim. Each owner takes at most an equal part of the slots that are free when its turn comes, so that
/// a few owners with old deliveries leave slots to one whose deliveries are new. The webhooks of an owner divide its part in
/// the same way.
#[derive(Debug)]
pub struct ClaimShares {
    shares: AttemptShares,
    /// The number of owners whose turn has not come, in production and in the sandbox.
    later: BTreeMap<Mode, usize>,
    owners: BTreeMap<Owner, OwnerPart>,
}

/// The part of an owner.
#[derive(Debug, Default)]
struct OwnerPart {
    /// The number of webhooks whose turn has not come.
    later: usize,
    /// The slots that it may still take, once its turn has come.
    slots: Option<usize>,
}

impl ClaimShares {
    /// Creates the shares of a claim. `owners` are those of the webhooks with due deliveries, once for each webhook.
    #[must_use]
    pub fn new<'o>(shares: AttemptShares, owners: impl IntoIterator<Item = &'o Owner>) -> Self {
        let mut claim = Self { shares, later: BTreeMap::new(), owners: BTreeMap::new() };
        for owner in owners {
            let part = claim.owners.entry(owner.clone()).or_default();
            if part.later == 0 {
                *claim.later.entry(owner.mode).or_default() += 1;
            }
            part.later += 1;
        }
        claim
    }

    /// Returns how many deliveries to a webhook may be claimed. Call this once for each webhook: an owner's turn comes with
    /// its first one.
    pub fn claimable(
        &mut self,
        queue: DeliveryQueue,
        owner: &Owner,
        webhook: &WebhookId,
        lookahead: &Lookahead,
    ) -> usize {
        let later = self.later.entry(owner.mode).or_default();
        let part = self.owners.entry(owner.clone()).or_default();
        let slots = *part.slots.get_or_insert_with(|| {
            let free = self.shares.free_for(queue, owner.mode);
            equal_part(free, later)
        });
        let of_webhook = equal_part(slots, &mut part.later).min(slots);
        self.shares.claimable(queue, owner, webhook, lookahead, of_webhook)
    }

    /// Counts claimed deliveries: those that fit start at once, and the others wait.
    pub fn claim(&mut self, queue: DeliveryQueue, owner: &Owner, webhook: &WebhookId, claimed: usize) {
        let Some(slots) = self.owners.get_mut(owner).and_then(|part| part.slots.as_mut()) else { return };
        *slots -= self.shares.claim(queue, owner, webhook, claimed, *slots);
    }
}

/// Returns the part of `slots` for the next of those that wait, and counts it as no longer waiting.
fn equal_part(slots: usize, later: &mut usize) -> usize {
    let part = slots.div_ceil((*later).max(1)).max(LEAST_PART);
    *later = later.saturating_sub(1);
    part
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
        let mut claim = ClaimShares::new(shares, owners.iter().flat_map(|owner| [owner; 50]));
        let mut each = |owner: &Owner| {
            let mut of_webhook = |number: usize| {
                let webhook = webhook(number);
                let taken = claim.claimable(FIRST, owner, &webhook, &Lookahead::default());
                claim.claim(FIRST, owner, &webhook, taken);
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
            ClaimShares::new(AttemptShares::default(), owners.iter().flat_map(|owner| [owner; 2]));
        for (number, owner) in owners.iter().enumerate() {
            let taken = [1, 2].map(|number| {
                let taken = claim.claimable(FIRST, owner, &webhook(number), &Lookahead::default());
                claim.claim(FIRST, owner, &webhook(number), taken);
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
