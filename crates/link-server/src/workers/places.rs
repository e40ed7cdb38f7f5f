//! How many jobs a lane has under way, and how many of them one tenant may have.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use link_connectors::documents::ChildReader;
use link_domain::job::JobLane;
use link_types::id::TenantId;

/// The places of one lane in this process.
pub(super) struct Places {
    at_once: usize,
    share: usize,
    taken: Taken,
}

#[derive(Clone, Default)]
struct Taken(Arc<Mutex<BTreeMap<TenantId, usize>>>);

impl Places {
    /// A lane's places, all free.
    pub(super) fn of(lane: JobLane) -> Self {
        let (at_once, share) = match lane {
            JobLane::Steps | JobLane::Sources => (128, 32),
            JobLane::Mail | JobLane::Retention | JobLane::Rest => (64, 16),
            // One that only waited for a place would keep another node's free place from it. Two are too few to keep
            // one back; whoever has none under way comes first.
            JobLane::Readings => (ChildReader::READINGS, ChildReader::READINGS),
        };
        Self { at_once, share, taken: Taken::default() }
    }

    /// Jobs under way at once.
    pub(super) fn at_once(&self) -> usize {
        self.at_once
    }

    /// Of these, one tenant's.
    pub(super) fn share(&self) -> usize {
        self.share
    }

    /// Takes a place until it is dropped.
    pub(super) fn take(&self, tenant: &TenantId) -> Place {
        *self.taken.locked().entry(tenant.clone()).or_default() += 1;
        Place { taken: self.taken.clone(), tenant: tenant.clone() }
    }

    /// How many places each tenant has now. What is under way counts, whoever holds the job by now.
    pub(super) fn held(&self) -> BTreeMap<TenantId, usize> {
        self.taken.locked().clone()
    }
}

impl Taken {
    fn locked(&self) -> MutexGuard<'_, BTreeMap<TenantId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One place, taken. A task that ends drops it, by a panic as well.
pub(super) struct Place {
    taken: Taken,
    tenant: TenantId,
}

impl Drop for Place {
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
    async fn a_place_is_free_again_once_its_task_has_ended_even_by_a_panic() {
        let places = Places::of(JobLane::Mail);
        let tenant: TenantId = "demo".parse().unwrap();
        let (one, other) = (places.take(&tenant), places.take(&tenant));
        assert_eq!(places.held(), BTreeMap::from([(tenant.clone(), 2)]));
        let panicked = tokio::spawn(async move {
            let _one = one;
            panic!("a server went wrong");
        });
        assert!(panicked.await.is_err());
        assert_eq!(places.held(), BTreeMap::from([(tenant, 1)]));
        drop(other);
        assert_eq!(places.held(), BTreeMap::new());
    }

    #[test]
    fn one_tenant_fills_no_lane_but_the_readings() {
        for lane in JobLane::ALL {
            let places = Places::of(lane);
            assert!(places.share() < places.at_once() || lane == JobLane::Readings, "{lane:?}");
        }
    }
}
