//! What a worker has in hand. Only that is renewed, so that the lease of whatever a task left behind runs out.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use link_store::Held;

/// The leases whose tasks are under way.
#[derive(Clone, Default)]
pub(super) struct InHand(Arc<Mutex<BTreeSet<Held>>>);

impl InHand {
    /// Holds a lease until the grip is dropped.
    pub(super) fn take(&self, held: Held) -> Grip {
        self.locked().insert(held.clone());
        Grip { in_hand: self.clone(), held }
    }

    /// What is held now.
    pub(super) fn all(&self) -> Vec<Held> {
        self.locked().iter().cloned().collect()
    }

    fn locked(&self) -> MutexGuard<'_, BTreeSet<Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One lease, held. A task that ends drops it, by a panic as well.
pub(super) struct Grip {
    in_hand: InHand,
    held: Held,
}

impl Drop for Grip {
    fn drop(&mut self) {
        self.in_hand.locked().remove(&self.held);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_domain::clock::{ClockOffset, Now, Wall};
    use link_domain::context::Context;
    use link_domain::job::{Job, JobKind};
    use link_domain::owner::Owner;
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

    #[tokio::test]
    async fn a_task_that_panics_lets_go_of_its_lease_and_another_keeps_its_own() {
        let in_hand = InHand::default();
        let kept = in_hand.take(lease(2).held());
        let lost = in_hand.take(lease(1).held());
        assert_eq!(in_hand.all().len(), 2);
        let panicked = tokio::spawn(async move {
            let _lost = lost;
            panic!("a source went wrong");
        });
        assert!(panicked.await.is_err());
        assert_eq!(in_hand.all(), [lease(2).held()]);
        drop(kept);
        assert_eq!(in_hand.all(), []);
    }
}
