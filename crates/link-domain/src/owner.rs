//! Whose something is: a tenant, in one of its two environments.

use link_types::Mode;
use link_types::id::TenantId;
use serde::{Deserialize, Serialize};

/// One environment of one tenant. Every row has one, and no query crosses it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Owner {
    /// The tenant.
    pub tenant: TenantId,
    /// Which of the tenant's two environments.
    pub mode: Mode,
}
