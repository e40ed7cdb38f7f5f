//! The attempts under way in this process, counted by tenant and webhook.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use link_domain::owner::Owner;
use link_domain::webhook::AttemptShares;
use link_types::id::WebhookId;

/// Counts the attempts under way.
#[derive(Clone, Default)]
pub(super) struct AttemptSlots(Arc<Mutex<AttemptShares>>);

impl AttemptSlots {
    /// Counts an attempt until the slot is dropped.
    pub(super) fn take(&self, owner: &Owner, webhook: &WebhookId) -> AttemptSlot {
        self.locked().begin(owner, webhook, 1);
        AttemptSlot { slots: self.clone(), owner: owner.clone(), webhook: webhook.clone() }
    }

    /// The attempts under way now.
    pub(super) fn shares(&self) -> AttemptShares {
        self.locked().clone()
    }

    fn locked(&self) -> MutexGuard<'_, AttemptShares> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One attempt, counted. A task that ends drops it, also if it panics.
pub(super) struct AttemptSlot {
    slots: AttemptSlots,
    owner: Owner,
    webhook: WebhookId,
}

impl Drop for AttemptSlot {
    fn drop(&mut self) {
        self.slots.locked().end(&self.owner, &self.webhook);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_types::Mode;

    #[tokio::test]
    async fn slot_is_free_after_its_task_panics() {
        let slots = AttemptSlots::default();
        let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox };
        let webhook = WebhookId::from_bytes([1; 16]);
        let slot = slots.take(&owner, &webhook);
        assert_eq!(slots.shares().of_webhook(&owner, &webhook), 1);
        let panicked = tokio::spawn(async move {
            let _slot = slot;
            panic!("a receiver went wrong");
        });
        assert!(panicked.await.is_err());
        assert_eq!(slots.shares(), AttemptShares::default());
    }
}
