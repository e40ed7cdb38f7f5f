//! The running tasks of a worker: their leases and their limits.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use link_documents::ChildReader;
use link_domain::change::job::{Job, JobQueue};
use link_store::{Held, Share};
use link_types::Mode;
use link_types::id::{ProviderId, TenantId};
use tokio::time::Instant;

use crate::app::counted::{Counted, Counts};

/// The leases of running tasks. Only these are renewed, so the lease of a crashed task expires.
#[derive(Clone, Default)]
pub(super) struct ActiveLeases(Arc<Mutex<BTreeMap<Held, Instant>>>);

impl ActiveLeases {
    /// Adds a lease until the guard is dropped.
    pub(super) fn take(&self, held: Held) -> LeaseGuard {
        self.lock().insert(held.clone(), Instant::now());
        LeaseGuard { active_leases: self.clone(), held }
    }

    /// Returns all active leases.
    pub(super) fn all(&self) -> Vec<Held> {
        self.lock().keys().cloned().collect()
    }

    /// Returns the active leases that were taken at least this long ago. Younger ones need no renewal yet.
    pub(super) fn older_than(&self, age: Duration) -> Vec<Held> {
        let now = Instant::now();
        let locked = self.lock();
        locked.iter().filter(|(_, taken)| now - **taken >= age).map(|(held, _)| held.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Held, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps a lease active. Also released if its task panics.
pub(super) struct LeaseGuard {
    active_leases: ActiveLeases,
    held: Held,
}

impl Drop for LeaseGuard {
    fn drop(&mut self) {
        self.active_leases.lock().remove(&self.held);
    }
}

/// The concurrency limits of one job queue in this process, and its running jobs.
pub(super) struct TenantConcurrency {
    at_once: usize,
    share: usize,
    of_tenant: Counts<TenantId>,
    of_provider: Counts<(ProviderId, Mode)>,
}

/// A running job, counted for its tenant, and for its provider if it takes a part of a provider's share.
pub(super) type Slot = (Counted<TenantId>, Option<Counted<(ProviderId, Mode)>>);

/// How many jobs of continuous sync one provider may run at once, on all nodes together.
const SYNCS_OF_PROVIDER: usize = 16;

impl TenantConcurrency {
    /// Creates the limits of a job queue.
    pub(super) fn for_queue(queue: JobQueue) -> Self {
        let (at_once, share) = match queue {
            JobQueue::Steps | JobQueue::Sources => (128, 32),
            // Twice the share of a provider, so that a provider that hangs does not block the tenant's others.
            JobQueue::Syncs => (64, 2 * SYNCS_OF_PROVIDER),
            JobQueue::Withdrawals | JobQueue::Mail | JobQueue::Retention | JobQueue::Maintenance => (64, 16),
            // An advance mostly waits. One that has more to do runs again behind those of other tenants.
            JobQueue::Clock => (16, 1),
            // A reading that is claimed here but only waits for the reader could already run on another node, so claim
            // only as many as the reader runs at once. That is too few to reserve one for other tenants; instead,
            // tenants without a running job go first.
            JobQueue::Readings => (ChildReader::MAX_READINGS, ChildReader::MAX_READINGS),
        };
        Self { at_once, share, of_tenant: Counts::default(), of_provider: Counts::default() }
    }

    /// Returns the number of jobs that may run at once.
    pub(super) fn at_once(&self) -> usize {
        self.at_once
    }

    /// Counts a job until the slot is dropped, even if it loses its lease.
    pub(super) fn take(&self, job: &Job) -> Slot {
        let provider = job.kind.provider().map(|provider| (provider.clone(), job.owner.mode));
        let of_provider = provider.map(|provider| self.of_provider.count(&provider));
        (self.of_tenant.count(&job.owner.tenant), of_provider)
    }

    /// Returns what a claim may take.
    pub(super) fn share(&self) -> Share {
        Share {
            most: self.share,
            held: self.of_tenant.current(),
            most_of_provider: SYNCS_OF_PROVIDER,
            held_of_provider: self.of_provider.current(),
        }
    }
}

#[cfg(test)]
mod tests {
    use link_domain::change::job::{Job, JobKind};
    use link_domain::kernel::clock::{ClockOffset, Now, Wall};
    use link_domain::kernel::context::Context;
    use link_domain::kernel::owner::Owner;
    use link_store::{Leased, WorkerId};
    use link_types::Mode;
    use link_types::id::AccountId;

    use super::*;

    fn lease(fence: i64) -> Leased<Job> {
        let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox };
        let kind = JobKind::ExpireAccount { account_id: AccountId::from_bytes([1; 16]) };
        let now = Now::new(Wall::from_micros(0), ClockOffset::default());
        let item = Job::now(&owner, kind, &mut Context::new(now, [7; 32]));
        Leased { item, worker: WorkerId::from_random([1; 16]), fence }
    }

    #[tokio::test(start_paused = true)]
    async fn only_older_leases_need_renewal() {
        let active_leases = ActiveLeases::default();
        let _older = active_leases.take(lease(1).lease());
        tokio::time::advance(Duration::from_secs(3)).await;
        let _younger = active_leases.take(lease(2).lease());
        assert_eq!(active_leases.older_than(Duration::from_secs(3)), [lease(1).lease()]);
    }

    #[tokio::test]
    async fn panicking_task_releases_only_its_own_lease() {
        let active_leases = ActiveLeases::default();
        let kept = active_leases.take(lease(2).lease());
        let lost = active_leases.take(lease(1).lease());
        assert_eq!(active_leases.all().len(), 2);
        let panicked = tokio::spawn(async move {
            let _lost = lost;
            panic!("the source failed");
        });
        assert!(panicked.await.is_err());
        assert_eq!(active_leases.all(), [lease(2).lease()]);
        drop(kept);
        assert_eq!(active_leases.all(), []);
    }

    #[test]
    fn one_provider_cannot_fill_a_tenants_share_of_syncs() {
        let share = TenantConcurrency::for_queue(JobQueue::Syncs).share();
        assert!(share.most_of_provider < share.most);
    }

    #[test]
    fn one_tenant_can_fill_only_the_readings_queue() {
        for queue in JobQueue::ALL {
            let concurrency = TenantConcurrency::for_queue(queue);
            assert!(concurrency.share < concurrency.at_once || queue == JobQueue::Readings, "{queue:?}");
        }
    }
}
