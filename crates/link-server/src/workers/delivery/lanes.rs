//! Claimed first attempts that wait for a slot, by webhook.

use std::collections::{BTreeMap, VecDeque};

use link_domain::kernel::owner::Owner;
use link_store::{ClaimedDelivery, Leased};
use link_types::id::WebhookId;

use super::attempts::Started;
use crate::app::attempt_slots::AttemptSlots;
use crate::workers::running::{ActiveLeases, LeaseGuard};

/// The waiting deliveries of all webhooks. They are counted in the slots too.
pub(super) struct Lanes {
    lanes: BTreeMap<WebhookId, Lane>,
    slots: AttemptSlots,
}

struct Lane {
    owner: Owner,
    waiting: VecDeque<(Leased<ClaimedDelivery>, LeaseGuard)>,
}

impl Lanes {
    /// Creates empty lanes.
    pub(super) fn new(slots: AttemptSlots) -> Self {
        Self { lanes: BTreeMap::new(), slots }
    }

    /// Adds claimed deliveries behind those that wait.
    pub(super) fn add(&mut self, claimed: Vec<Leased<ClaimedDelivery>>, leases: &ActiveLeases) {
        for leased in claimed {
            let (owner, webhook) = (leased.item.owner.clone(), leased.item.webhook_id.clone());
            self.slots.wait(&owner, &webhook, 1);
            let lane = self.lanes.entry(webhook).or_insert_with(|| Lane { owner, waiting: VecDeque::new() });
            let lease = leases.take(leased.lease());
            lane.waiting.push_back((leased, lease));
        }
    }

    /// Returns the number of deliveries to a webhook that wait.
    pub(super) fn waiting(&self, webhook: &WebhookId) -> usize {
        self.lanes.get(webhook).map_or(0, |lane| lane.waiting.len())
    }

    /// Takes slots for as many deliveries as there is room, and returns those of each webhook. The owners with the fewest
    /// attempts in progress go first.
    pub(super) fn start(&mut self) -> Vec<Vec<Started>> {
        let mut order: Vec<(usize, WebhookId)> =
            self.lanes.iter().map(|(id, lane)| (self.slots.of_owner(&lane.owner), id.clone())).collect();
        order.sort();
        let mut started = Vec::new();
        for (_, webhook) in order {
            let Some(lane) = self.lanes.get_mut(&webhook) else { continue };
            let slots = self.slots.take_for_waiting(&lane.owner, &webhook);
            // `drain(..n)` leaves the rest: a slot is only taken for a delivery that waits.
            let first = slots.len().min(lane.waiting.len());
            let batch: Vec<Started> = lane
                .waiting
                .drain(..first)
                .zip(slots)
                .map(|((leased, lease), slot)| Started { leased, lease, slot })
                .collect();
            if lane.waiting.is_empty() {
                self.lanes.remove(&webhook);
            }
            if !batch.is_empty() {
                started.push(batch);
            }
        }
        started
    }

    /// Removes the waiting deliveries of a webhook.
    pub(super) fn take(&mut self, webhook: &WebhookId) -> Vec<(Leased<ClaimedDelivery>, LeaseGuard)> {
        let Some(lane) = self.lanes.remove(webhook) else { return Vec::new() };
        self.slots.leave(&lane.owner, webhook, lane.waiting.len());
        lane.waiting.into()
    }

    /// Removes all waiting deliveries.
    pub(super) fn take_all(&mut self) -> Vec<(Leased<ClaimedDelivery>, LeaseGuard)> {
        let webhooks: Vec<WebhookId> = self.lanes.keys().cloned().collect();
        webhooks.iter().flat_map(|webhook| self.take(webhook)).collect()
    }
}

#[cfg(test)]
mod tests {
    use link_domain::notifications::delivery::{AttemptShares, DeliveryQueue};
    use link_store::WorkerId;
    use link_types::Mode;
    use link_types::id::DeliveryId;

    use super::*;

    fn owner(tenant: &str) -> Owner {
        Owner { tenant: tenant.parse().unwrap(), mode: Mode::Sandbox }
    }

    fn webhook(number: u8) -> WebhookId {
        WebhookId::from_bytes([number; 16])
    }

    fn claim(tenant: &str, to: u8, numbers: std::ops::Range<u8>) -> Vec<Leased<ClaimedDelivery>> {
        let claimed = |number: u8| {
            let id = DeliveryId::from_bytes([number; 16]);
            let item = ClaimedDelivery { id, owner: owner(tenant), webhook_id: webhook(to), is_probe: false };
            Leased { item, worker: WorkerId::from_random([1; 16]), fence: 1 }
        };
        numbers.map(claimed).collect()
    }

    fn ids(started: &[Started]) -> Vec<DeliveryId> {
        started.iter().map(|it| it.leased.item.id.clone()).collect()
    }

    #[test]
    fn waiting_deliveries_start_in_order_as_slots_become_free() {
        let (slots, leases) = (AttemptSlots::default(), ActiveLeases::default());
        let mut lanes = Lanes::new(slots.clone());
        let all = claim("demo", 1, 0..20);
        let expected: Vec<DeliveryId> = all.iter().map(|leased| leased.item.id.clone()).collect();
        lanes.add(all, &leases);
        let first = lanes.start().remove(0);
        assert_eq!(ids(&first), expected[..16], "a webhook has 16 slots");
        assert!(lanes.start().is_empty());
        assert_eq!((lanes.waiting(&webhook(1)), leases.all().len()), (4, 20));
        drop(first);
        let second = lanes.start().remove(0);
        assert_eq!(ids(&second), expected[16..]);
        drop(second);
        assert_eq!((slots.shares(), leases.all().len()), (AttemptShares::default(), 0));
    }

    #[test]
    fn deliveries_of_the_owner_with_the_fewest_attempts_start_first() {
        let (slots, leases) = (AttemptSlots::default(), ActiveLeases::default());
        let mut lanes = Lanes::new(slots.clone());
        let _running = slots.take(DeliveryQueue::First, &owner("busy"), &webhook(1));
        lanes.add(claim("busy", 1, 0..2), &leases);
        lanes.add(claim("idle", 2, 2..4), &leases);
        let started = lanes.start();
        let to: Vec<WebhookId> = started.iter().map(|it| it[0].leased.item.webhook_id.clone()).collect();
        assert_eq!(to, [webhook(2), webhook(1)]);
    }

    #[test]
    fn removed_deliveries_no_longer_count_as_waiting() {
        let (slots, leases) = (AttemptSlots::default(), ActiveLeases::default());
        let mut lanes = Lanes::new(slots.clone());
        lanes.add(claim("demo", 1, 0..2), &leases);
        lanes.add(claim("demo", 2, 2..5), &leases);
        assert_eq!(lanes.take(&webhook(1)).len(), 2);
        assert_eq!(slots.shares().count_claimed(&owner("demo")), 3);
        assert_eq!(lanes.take_all().len(), 3);
        assert_eq!((slots.shares(), leases.all().len()), (AttemptShares::default(), 0));
    }
}
