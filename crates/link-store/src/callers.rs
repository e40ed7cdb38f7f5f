//! A cache of API keys and their tenants: every request of a tenant's server needs these two rows.
//!
//! Our own: a change of any key or tenant empties the whole cache, so no cache crate is needed (ADR 114).
//!
//! The cache is for SQLite only, where this process is the only writer and knows when the rows change. Nodes that share
//! PostgreSQL query it each time, so that all of them reject a key as soon as one of them revokes it.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use link_domain::kernel::digest::Digest32;
use link_domain::tenancy::tenant::{ApiKey, Tenant};

/// The maximum number of cached keys. The cache is cleared when it is full.
const MAX_CACHED: usize = 4_096;

/// An API key and its tenant.
pub type Caller = (ApiKey, Tenant);

/// The keys and tenants that were read since the last change of one of them.
#[derive(Debug, Default)]
pub(crate) struct Callers {
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// The number of changes so far.
    changes: u64,
    by_key: HashMap<Digest32, Arc<Caller>>,
}

impl Callers {
    /// Returns the caller with this key if it is cached. Otherwise returns the number of changes, which
    /// [`Callers::remember`] needs after the caller was read.
    pub(crate) fn get(&self, key_hash: &Digest32) -> Result<Arc<Caller>, u64> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.by_key.get(key_hash).cloned().ok_or(known.changes)
    }

    /// Caches a caller that was read after [`Callers::get`] returned `changes`, unless something has changed since.
    pub(crate) fn remember(&self, changes: u64, caller: &Arc<Caller>) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.changes == changes {
            if known.by_key.len() >= MAX_CACHED {
                known.by_key.clear();
            }
            known.by_key.insert(caller.0.key_hash, Arc::clone(caller));
        }
    }

    /// Clears the cache after the commit of a key or a tenant, before the commit is reported.
    pub(crate) fn clear(&self) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.changes += 1;
        known.by_key.clear();
    }
}

#[cfg(test)]
mod tests {
    use link_domain::kernel::clock::{ClockOffset, TenantTime};
    use link_domain::kernel::owner::Owner;
    use link_domain::tenancy::tenant::standing::Standing;
    use link_types::Mode;

    use super::*;

    fn caller(name: &str) -> Arc<Caller> {
        let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox };
        let tenant = Tenant {
            id: owner.tenant.clone(),
            name: name.to_owned(),
            created_at: TenantTime::from_micros(0),
            sandbox_offset: ClockOffset::default(),
            standing: Standing::Active,
        };
        let key = ApiKey {
            key_hash: Digest32::from_text(name),
            owner,
            secret_hash: Digest32::from_text("secret"),
            previous_secret_hash: None,
            name: String::new(),
            last_four: String::new(),
            scopes: Vec::new(),
            expires_at: None,
            last_used_at: None,
            created_at: TenantTime::from_micros(0),
            revoked_at: None,
        };
        Arc::new((key, tenant))
    }

    #[test]
    fn caller_is_cached_until_a_change() {
        let (callers, one) = (Callers::default(), caller("one"));
        let changes = callers.get(&one.0.key_hash).unwrap_err();
        callers.remember(changes, &one);
        assert_eq!(callers.get(&one.0.key_hash).unwrap(), one);
        callers.clear();
        assert!(callers.get(&one.0.key_hash).is_err());
    }

    #[test]
    fn caller_read_before_a_change_is_not_cached() {
        let (callers, one) = (Callers::default(), caller("one"));
        let changes = callers.get(&one.0.key_hash).unwrap_err();
        callers.clear();
        callers.remember(changes, &one);
        assert!(callers.get(&one.0.key_hash).is_err());
    }
}
