//! The running delivery attempts and pings of this process, counted by tenant and webhook.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use link_domain::kernel::owner::Owner;
use link_domain::notifications::delivery::{AttemptShares, DeliveryQueue};
use link_types::id::WebhookId;

/// Counts running attempts and pings.
#[derive(Clone, Default)]
pub struct AttemptSlots(Arc<Mutex<AttemptShares>>);

impl AttemptSlots {
    /// Counts an attempt until the slot is dropped.
    pub(crate) fn take(&self, queue: DeliveryQueue, owner: &Owner, webhook: &WebhookId) -> AttemptSlot {
        self.begin(&mut self.lock(), queue, owner, webhook)
    }

    /// Counts claimed first attempts that wait for a slot.
    pub(crate) fn wait(&self, owner: &Owner, webhook: &WebhookId, count: usize) {
        self.lock().wait(owner, webhook, count);
    }

    /// Counts first attempts that no longer wait for a slot and do not start.
    pub(crate) fn leave(&self, owner: &Owner, webhook: &WebhookId, count: usize) {
        self.lock().leave(owner, webhook, count);
    }

    /// Takes slots for waiting first attempts to a webhook, as far as there is room.
    pub(crate) fn take_for_waiting(&self, owner: &Owner, webhook: &WebhookId) -> Vec<AttemptSlot> {
        let mut shares = self.lock();
        let queue = DeliveryQueue::First;
        let count = shares.room(queue, owner, webhook).min(shares.waiting(owner, webhook));
        shares.leave(owner, webhook, count);
        (0..count).map(|_| self.begin(&mut shares, queue, owner, webhook)).collect()
    }

    /// Returns the number of running attempts of an owner.
    pub(crate) fn of_owner(&self, owner: &Owner) -> usize {
        self.lock().of_owner(owner)
    }

    /// Counts a ping until the slot is dropped. Returns `None` if its webhook or tenant is at its limit.
    pub(crate) fn try_ping(&self, owner: &Owner, webhook: &WebhookId) -> Option<AttemptSlot> {
        let mut shares = self.lock();
        let has_room = shares.room(DeliveryQueue::Resend, owner, webhook) > 0;
        has_room.then(|| self.begin(&mut shares, DeliveryQueue::Resend, owner, webhook))
    }

    fn begin(
        &self,
        shares: &mut AttemptShares,
        queue: DeliveryQueue,
        owner: &Owner,
        webhook: &WebhookId,
    ) -> AttemptSlot {
        shares.begin(queue, owner, webhook, 1);
        AttemptSlot { slots: self.clone(), queue, owner: owner.clone(), webhook: webhook.clone() }
    }

    /// Returns the current counts.
    pub(crate) fn shares(&self) -> AttemptShares {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, AttemptShares> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running attempt. Also released if its task panics.
pub(crate) struct AttemptSlot {
    slots: AttemptSlots,
    queue: DeliveryQueue,
    owner: Owner,
    webhook: WebhookId,
}

impl Drop for AttemptSlot {
    fn drop(&mut self) {
        self.slots.lock().end(self.queue, &self.owner, &self.webhook);
    }
}

#[cfg(test)]
mod tests {
    use link_types::Mode;

    use super::*;

    #[tokio::test]
    async fn slot_is_free_after_its_task_panics() {
        let slots = AttemptSlots::default();
        let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox };
        let webhook = WebhookId::from_bytes([1; 16]);
        let slot = slots.take(DeliveryQueue::First, &owner, &webhook);
        assert_eq!(slots.shares().of_webhook(&owner, &webhook), 1);
        let panicked = tokio::spawn(async move {
            let _slot = slot;
            panic!("the receiver failed");
        });
        assert!(panicked.await.is_err());
        assert_eq!(slots.shares(), AttemptShares::default());
    }

    #[test]
    fn pings_of_tenant_are_limited_to_its_share() {
        let slots = AttemptSlots::default();
        let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox };
        let webhooks = (0..50).map(|number| WebhookId::from_bytes([number; 16]));
        let pings: Vec<_> = webhooks.filter_map(|webhook| slots.try_ping(&owner, &webhook)).collect();
        assert!(pings.len() > 4 && pings.len() <= 16, "{}", pings.len());
        let other = Owner { tenant: "other".parse().unwrap(), mode: Mode::Sandbox };
        assert!(slots.try_ping(&other, &WebhookId::from_bytes([99; 16])).is_some());
    }
}
