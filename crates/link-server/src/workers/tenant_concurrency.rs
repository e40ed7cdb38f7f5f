//! Limits on concurrent jobs, for each job queue, and for each tenant and each provider in it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use link_documents::ChildReader;
use link_domain::change::job::{Job, JobQueue};
use link_types::Mode;
use link_types::id::{ProviderId, TenantId};

/// The concurrency limits of one job queue in this process.
pub(super) struct TenantConcurrency {
    at_once: usize,
    share: usize,
    taken: Taken,
}

/// How many jobs of continuous sync one provider may run at once, on all nodes together.
const SYNCS_OF_PROVIDER: usize = 16;

/// The number of slots in use.
#[derive(Clone, Default)]
pub(super) struct InUse {
    /// By tenant.
    pub(super) of_tenant: BTreeMap<TenantId, usize>,
    /// By provider, of jobs that take a part of a provider's share. A provider of the sandbox has the same id as that of
    /// production, and is another source.
    pub(super) of_provider: BTreeMap<(ProviderId, Mode), usize>,
}

#[derive(Clone, Default)]
struct Taken(Arc<Mutex<InUse>>);

impl TenantConcurrency {
    /// Creates the limits of a job queue.
    pub(super) fn of(queue: JobQueue) -> Self {
        let (at_once, share) = match queue {
            JobQueue::Steps | JobQueue::Sources => (128, 32),
            // Twice the share of a provider, so that a provider that hangs does not block the tenant's others.
            JobQueue::Syncs => (64, 2 * SYNCS_OF_PROVIDER),
            JobQueue::Mail | JobQueue::Retention | JobQueue::Maintenance => (64, 16),
            // An advance mostly waits. One that has more to do runs again behind those of other tenants.
            JobQueue::Clock => (16, 1),
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

    /// Returns the number of jobs that one provider may run at once.
    pub(super) fn share_of_provider(&self) -> usize {
        SYNCS_OF_PROVIDER
    }

    /// Takes a slot for a job until it is dropped.
    pub(super) fn take(&self, job: &Job) -> Slot {
        let tenant = job.owner.tenant.clone();
        let provider = job.kind.provider().map(|provider| (provider.clone(), job.owner.mode));
        let mut taken = self.taken.locked();
        *taken.of_tenant.entry(tenant.clone()).or_default() += 1;
        if let Some(provider) = &provider {
            *taken.of_provider.entry(provider.clone()).or_default() += 1;
        }
        Slot { taken: self.taken.clone(), tenant, provider }
    }

    /// Returns the slots in use. A running job counts even if it has lost its lease.
    pub(super) fn in_use(&self) -> InUse {
        self.taken.locked().clone()
    }
}

impl Taken {
    fn locked(&self) -> MutexGuard<'_, InUse> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A slot in use. Also released if its task panics.
pub(super) struct Slot {
    taken: Taken,
    tenant: TenantId,
    provider: Option<(ProviderId, Mode)>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.taken.locked();
        release(&mut taken.of_tenant, &self.tenant);
        if let Some(provider) = &self.provider {
            release(&mut taken.of_provider, provider);
        }
    }
}

fn release<K: Ord>(taken: &mut BTreeMap<K, usize>, of: &K) {
    if let Some(count) = taken.get_mut(of) {
        *count -= 1;
        if *count == 0 {
            taken.remove(of);
        }
    }
}

#[cfg(test)]
mod tests {
    use link_domain::change::job::JobKind;
    use link_domain::kernel::clock::{ClockOffset, Now, Wall};
    use link_domain::kernel::context::Context;
    use link_domain::kernel::owner::Owner;

    use super::*;

    #[tokio::test]
    async fn slot_is_free_after_its_task_panics() {
        let concurrency = TenantConcurrency::of(JobQueue::Syncs);
        let job = sync_job();
        let (one, other) = (concurrency.take(&job), concurrency.take(&job));
        let in_use = |count: usize| {
            let InUse { of_tenant, of_provider } = concurrency.in_use();
            assert_eq!(of_tenant.into_values().collect::<Vec<_>>(), vec![count; usize::from(count > 0)]);
            assert_eq!(of_provider.into_values().collect::<Vec<_>>(), vec![count; usize::from(count > 0)]);
        };
        in_use(2);
        let panicked = tokio::spawn(async move {
            let _one = one;
            panic!("the server failed");
        });
        assert!(panicked.await.is_err());
        in_use(1);
        drop(other);
        in_use(0);
    }

    fn sync_job() -> Job {
        let account_id = link_types::id::AccountId::from_bytes([1; 16]);
        let kind = JobKind::SyncAccount { account_id, provider_id: "mx_social_security".parse().unwrap() };
        let now = Now::new(Wall::from_micros(0), ClockOffset::default());
        let owner = Owner { tenant: "demo".parse().unwrap(), mode: link_types::Mode::Sandbox };
        Job::now(&owner, kind, &mut Context::new(now, [1; 32]))
    }

    #[test]
    fn one_provider_cannot_fill_a_tenants_share_of_syncs() {
        let concurrency = TenantConcurrency::of(JobQueue::Syncs);
        assert!(concurrency.share_of_provider() < concurrency.share());
    }

    #[test]
    fn one_tenant_can_fill_only_the_readings_queue() {
        for queue in JobQueue::ALL {
            let concurrency = TenantConcurrency::of(queue);
            assert!(concurrency.share() < concurrency.at_once() || queue == JobQueue::Readings, "{queue:?}");
        }
    }
}
