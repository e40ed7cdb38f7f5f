//! Claimed first attempts that wait for a slot, by webhook.

use std::collections::{BTreeMap, VecDeque};

use link_domain::owner::Owner;
use link_store::{ClaimedDelivery, Leased};
use link_types::id::WebhookId;

use super::attempts::Started;
use crate::workers::active_leases::{ActiveLeases, LeaseGuard};
use crate::workers::slots::AttemptSlots;

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
            let lease = leases.take(leased.held());
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
