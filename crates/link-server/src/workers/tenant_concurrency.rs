//! Limits on concurrent jobs, for each job queue, and for each tenant and each provider in it.

use link_documents::ChildReader;
use link_domain::change::job::{Job, JobQueue};
use link_store::Share;
use link_types::Mode;
use link_types::id::{ProviderId, TenantId};

use crate::http::limits::counted::{Counted, Counts};

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
    use super::*;

    #[test]
    fn one_provider_cannot_fill_a_tenants_share_of_syncs() {
        let share = TenantConcurrency::of(JobQueue::Syncs).share();
        assert!(share.most_of_provider < share.most);
    }

    #[test]
    fn one_tenant_can_fill_only_the_readings_queue() {
        for queue in JobQueue::ALL {
            let concurrency = TenantConcurrency::of(queue);
            assert!(concurrency.share < concurrency.at_once || queue == JobQueue::Readings, "{queue:?}");
        }
    }
}
