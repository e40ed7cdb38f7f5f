//! The leases of a worker's running tasks. Only these are renewed, so the lease of a crashed task expires.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use link_store::Held;
use tokio::time::Instant;

/// The leases of running tasks.
#[derive(Clone, Default)]
pub(super) struct ActiveLeases(Arc<Mutex<BTreeMap<Held, Instant>>>);

impl ActiveLeases {
    /// Adds a lease until the guard is dropped.
    pub(super) fn take(&self, held: Held) -> LeaseGuard {
        self.locked().insert(held.clone(), Instant::now());
        LeaseGuard { active_leases: self.clone(), held }
    }

    /// Returns all active leases.
    pub(super) fn all(&self) -> Vec<Held> {
        self.locked().keys().cloned().collect()
    }

    /// Returns the active leases that were taken at least this long ago. Younger ones need no renewal yet.
    pub(super) fn older_than(&self, age: Duration) -> Vec<Held> {
        let now = Instant::now();
        let locked = self.locked();
        locked.iter().filter(|(_, taken)| now - **taken >= age).map(|(held, _)| held.clone()).collect()
    }

    fn locked(&self) -> MutexGuard<'_, BTreeMap<Held, Instant>> {
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
        self.active_leases.locked().remove(&self.held);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_domain::change::job::{Job, JobKind};
    use link_domain::kernel::clock::{ClockOffset, Now, Wall};
    use link_domain::kernel::context::Context;
    use link_domain::kernel::owner::Owner;
    use link_store::{Leased, WorkerId};
    use link_types::Mode;
    use link_types::id::AccountId;

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
        let _older = active_leases.take(lease(1).held());
        tokio::time::advance(Duration::from_secs(3)).await;
        let _younger = active_leases.take(lease(2).held());
        assert_eq!(active_leases.older_than(Duration::from_secs(3)), [lease(1).held()]);
    }

    #[tokio::test]
    async fn panicking_task_releases_only_its_own_lease() {
        let active_leases = ActiveLeases::default();
        let kept = active_leases.take(lease(2).held());
        let lost = active_leases.take(lease(1).held());
        assert_eq!(active_leases.all().len(), 2);
        let panicked = tokio::spawn(async move {
            let _lost = lost;
            panic!("the source failed");
        });
        assert!(panicked.await.is_err());
        assert_eq!(active_leases.all(), [lease(2).held()]);
        drop(kept);
        assert_eq!(active_leases.all(), []);
    }
}
