//! Who calls, remembered: every request of a tenant's server begins with the same two rows.
//!
//! Only where this process is the one that writes, and so knows when they change: on SQLite. Nodes that share PostgreSQL
//! ask it each time, for a key that is revoked on one is refused by all at once.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use link_domain::digest::Digest32;
use link_domain::tenant::{ApiKey, Tenant};

/// More keys than this are not remembered beside each other.
const AT_MOST: usize = 4_096;

/// An API key and its tenant.
pub type Caller = (ApiKey, Tenant);

/// The keys and tenants that were read since one of them changed.
#[derive(Debug, Default)]
pub(crate) struct Callers {
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// How often something changed.
    changes: u64,
    by_key: HashMap<Digest32, Arc<Caller>>,
}

impl Callers {
    /// The caller with this key, if it is remembered; otherwise what [`Callers::remember`] wants of the reading that
    /// follows.
    pub(crate) fn get(&self, key_hash: &Digest32) -> Result<Arc<Caller>, u64> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.by_key.get(key_hash).cloned().ok_or(known.changes)
    }

    /// Keeps what was read after [`Callers::get`] gave `changes`, unless something has changed since.
    pub(crate) fn remember(&self, changes: u64, caller: &Arc<Caller>) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.changes == changes {
            if known.by_key.len() >= AT_MOST {
                known.by_key.clear();
            }
            known.by_key.insert(caller.0.key_hash, Arc::clone(caller));
        }
    }

    /// A key or a tenant was written: after its commit, before anybody is told of it.
    pub(crate) fn changed(&self) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.changes += 1;
        known.by_key.clear();
    }
}

#[cfg(test)]
mod tests {
    use link_domain::clock::{ClockOffset, TenantTime};
    use link_domain::owner::Owner;
    use link_types::Mode;

    use super::*;

    fn caller(name: &str) -> Arc<Caller> {
        let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox };
        let tenant = Tenant {
            id: owner.tenant.clone(),
            name: name.to_owned(),
            created_at: TenantTime::from_micros(0),
            sandbox_offset: ClockOffset::default(),
        };
        let key = ApiKey {
            key_hash: Digest32::of(name),
            owner,
            secret_hash: Digest32::of("secret"),
            previous_secret_hash: None,
            created_at: TenantTime::from_micros(0),
            revoked_at: None,
        };
        Arc::new((key, tenant))
    }

    #[test]
    fn a_caller_is_remembered_until_something_changes() {
        let (callers, one) = (Callers::default(), caller("one"));
        let changes = callers.get(&one.0.key_hash).unwrap_err();
        callers.remember(changes, &one);
        assert_eq!(callers.get(&one.0.key_hash).unwrap(), one);
        callers.changed();
        assert!(callers.get(&one.0.key_hash).is_err());
    }

    #[test]
    fn what_was_read_before_a_change_is_not_remembered_after_it() {
        let (callers, one) = (Callers::default(), caller("one"));
        let changes = callers.get(&one.0.key_hash).unwrap_err();
        callers.changed();
        callers.remember(changes, &one);
        assert!(callers.get(&one.0.key_hash).is_err());
    }
}
