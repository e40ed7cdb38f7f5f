//! Limits on concurrent jobs, for each job queue and for each tenant in it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use link_documents::ChildReader;
use link_domain::job::JobQueue;
use link_types::id::TenantId;

/// The concurrency limits of one job queue in this process.
pub(super) struct TenantConcurrency {
    at_once: usize,
    share: usize,
    taken: Taken,
}

#[derive(Clone, Default)]
struct Taken(Arc<Mutex<BTreeMap<TenantId, usize>>>);

impl TenantConcurrency {
    /// Creates the limits of a job queue.
    pub(super) fn of(queue: JobQueue) -> Self {
        let (at_once, share) = match queue {
            JobQueue::Steps | JobQueue::Sources => (128, 32),
            JobQueue::Mail | JobQueue::Retention | JobQueue::Maintenance => (64, 16),
            // A reading that is claimed here but only waits for the reader could already run on another node, so claim
            // only as many as the reader runs at once. That is too few to reserve one for other tenants; instead,
            // tenants without a running job go first.
            JobQueue::Readings => (ChildReader::READINGS, ChildReader::READINGS),
        };
        Self { at_once, share, taken: Taken::default() }
    }

    /// Returns the number of jobs that may run at once.
    pub(super) fn at_once(&self) -> usize {
        self.at_once
    }

    /// Returns the number of jobs that one tenant may run at once.
    pub(super) fn share(&self) -> usize {
        self.share
    }

    /// Takes a slot for a tenant until it is dropped.
    pub(super) fn take(&self, tenant: &TenantId) -> Slot {
        *self.taken.locked().entry(tenant.clone()).or_default() += 1;
        Slot { taken: self.taken.clone(), tenant: tenant.clone() }
    }

    /// Returns the number of slots that each tenant holds. A running job counts even if it has lost its lease.
    pub(super) fn held(&self) -> BTreeMap<TenantId, usize> {
        self.taken.locked().clone()
    }
}

impl Taken {
    fn locked(&self) -> MutexGuard<'_, BTreeMap<TenantId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A slot in use. Also released if its task panics.
pub(super) struct Slot {
    taken: Taken,
    tenant: TenantId,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.taken.locked();
        if let Some(count) = taken.get_mut(&self.tenant) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.tenant);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn slot_is_free_after_its_task_panics() {
        let concurrency = TenantConcurrency::of(JobQueue::Mail);
        let tenant: TenantId = "demo".parse().unwrap();
        let (one, other) = (concurrency.take(&tenant), concurrency.take(&tenant));
        assert_eq!(concurrency.held(), BTreeMap::from([(tenant.clone(), 2)]));
        let panicked = tokio::spawn(async move {
            let _one = one;
            panic!("the server failed");
        });
        assert!(panicked.await.is_err());
        assert_eq!(concurrency.held(), BTreeMap::from([(tenant, 1)]));
        drop(other);
        assert_eq!(concurrency.held(), BTreeMap::new());
    }

    #[test]
    fn one_tenant_can_fill_only_the_readings_queue() {
        for queue in JobQueue::ALL {
            let concurrency = TenantConcurrency::of(queue);
            assert!(concurrency.share() < concurrency.at_once() || queue == JobQueue::Readings, "{queue:?}");
        }
    }
}
