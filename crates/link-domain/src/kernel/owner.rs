//! The owner of a row: a tenant in one of its two environments.

use link_types::Mode;
use link_types::id::TenantId;
use serde::{Deserialize, Serialize};

/// One environment of one tenant. Every row has an owner, and no query crosses owners.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Owner {
    /// Identifier of the tenant.
    pub tenant: TenantId,
    /// Environment of the tenant.
    pub mode: Mode,
}

impl Owner {
    /// Returns the owner of the service's own jobs, which belong to no tenant. They run by the wall clock.
    pub fn service() -> Self {
        Self { tenant: TenantId::service(), mode: Mode::Production }
    }
}
