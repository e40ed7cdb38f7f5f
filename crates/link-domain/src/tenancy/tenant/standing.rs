//! Whether the service works for a tenant: the states, and why one cannot follow another.

mod transition;

use std::time::Duration;

use super::Tenant;
use crate::kernel::clock::Wall;

/// How long after its deletion a tenant's data are erased, unless the operator asks for it at once. Until then the deletion
/// can be undone.
pub const DELETION_GRACE: Duration = Duration::from_secs(7 * 86_400);

/// Whether the service works for a tenant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    #[default]
    Active,
    /// Everything stops except erasures. The data are kept.
    Suspended {
        /// When the tenant was suspended.
        since: Wall,
    },
    /// As suspended, and the data are erased later.
    Deleted {
        /// When the tenant was deleted.
        since: Wall,
        /// When the erasure begins.
        erase_at: Wall,
    },
    /// Only the tenant's id, its audit log and its bill are left.
    Erased {
        /// When the erasure ended.
        since: Wall,
    },
}

/// The tenant is suspended, deleted or erased, so the service rejects what is asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tenant is suspended")]
pub struct TenantStoppedError;

/// Reason why a tenant's standing cannot change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StandingError {
    /// The tenant is active.
    #[error("the tenant is not suspended")]
    Active,
    /// The tenant is suspended already.
    #[error("the tenant is already suspended")]
    Suspended,
    /// The tenant is deleted already.
    #[error("the tenant is already deleted")]
    Deleted,
    /// The erasure has begun, so nothing can be kept.
    #[error("the erasure of the tenant's data has begun, so it cannot be undone")]
    Erasing,
    /// The given name is not the tenant's.
    #[error("the name is not that of the tenant")]
    OtherName,
}

impl Tenant {
    /// Checks that the service works for the tenant.
    ///
    /// # Errors
    ///
    /// [`TenantStoppedError`] if the tenant is suspended or deleted.
    pub const fn check_active(&self) -> Result<(), TenantStoppedError> {
        match self.standing {
            Standing::Active => Ok(()),
            Standing::Suspended { .. } | Standing::Deleted { .. } | Standing::Erased { .. } => {
                Err(TenantStoppedError)
            }
        }
    }

    /// Returns whether the erasure begins because of its age, not because the operator asked for it now.
    pub fn is_erased_by_age(&self) -> bool {
        matches!(self.standing, Standing::Deleted { since, erase_at } if erase_at >= since + DELETION_GRACE)
    }

    /// Returns whether the tenant's data must be erased now.
    pub fn is_erasing(&self, now: Wall) -> bool {
        matches!(self.standing, Standing::Deleted { erase_at, .. } if erase_at <= now)
    }
}
