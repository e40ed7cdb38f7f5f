//! Whether the service works for a tenant: the states, and why one cannot follow another.

mod transition;

use std::time::Duration;

use super::Tenant;
use crate::kernel::clock::Wall;
use crate::kernel::digest::Digest32;

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
    /// As suspended, and nothing is erased either: an export of the tenant is, or may be, on its way to another installation.
    Moving {
        /// When the last export began.
        since: Wall,
        /// SHA-256 of the code of the last export. Earlier exports are void.
        export: Digest32,
    },
    /// As [`Standing::Moving`], in the other installation: the tenant was imported, and waits for its activation.
    Arriving {
        /// When the import ended.
        since: Wall,
        /// The export, and this import of it.
        copy: MovedCopy,
    },
    /// As suspended, and the data are erased later.
    Deleted {
        /// When the tenant was deleted.
        since: Wall,
        /// When the erasure begins.
        erase_at: Wall,
        /// Whether another installation serves the tenant now ([`DeletionMode::Moved`]).
        is_moved: bool,
        /// The copy that the other installation may activate, if it imported an export.
        copy: Option<MovedCopy>,
    },
    /// Only the tenant's id, its audit log and its bill are left.
    Erased {
        /// When the erasure ended.
        since: Wall,
        /// As in [`Standing::Deleted`].
        copy: Option<MovedCopy>,
    },
}

/// One import of one export: several installations may import the same export, and at most one of them may become active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedCopy {
    /// SHA-256 of the code of the export.
    pub export: Digest32,
    /// The random value that the import drew.
    pub import: Digest32,
}

/// When and how the data of a deleted tenant are erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeletionMode {
    /// After [`DELETION_GRACE`].
    AfterGrace,
    /// At once.
    AtOnce,
    /// At once, because another installation has a copy of the data and serves the tenant. The accesses of its accounts at
    /// providers are not ended.
    Moved,
    /// As [`DeletionMode::Moved`]. The operator has shown that the other installation has this copy.
    Imported(MovedCopy),
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
    /// The tenant was exported, and may run elsewhere already.
    #[error(
        "the tenant was exported to another cell. `linchpin tenant resume` gives the move up. To complete it, run `linchpin \
         tenant delete` with --moved and with --imported"
    )]
    Moving,
    /// The tenant was exported before, and another export makes that one void.
    #[error(
        "the tenant was exported already. Import that file, if it is complete. With --again, the export is made again: the earlier \
         one is void then, and a cell that has imported it can never take this tenant again"
    )]
    Exported,
    /// The tenant was imported, and may run elsewhere still.
    #[error(
        "the tenant was imported, and waits for `linchpin tenant activate`. Give the move up with `linchpin tenant delete --moved` \
         only while `linchpin tenant list` of the first cell shows the tenant as MOVING, SUSPENDED or ACTIVE: after `linchpin \
         tenant delete --moved --imported` there, this is the only copy, so activate it first"
    )]
    Arriving,
    /// The tenant is not being exported.
    #[error("the tenant has no export that is under way, or left to another import of it")]
    NotMoving,
    /// The tenant was not imported, or is active already.
    #[error("the tenant does not wait for its activation")]
    NotArriving,
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
            Standing::Suspended { .. }
            | Standing::Moving { .. }
            | Standing::Arriving { .. }
            | Standing::Deleted { .. }
            | Standing::Erased { .. } => Err(TenantStoppedError),
        }
    }

    /// Checks that something of the tenant may be erased here.
    ///
    /// # Errors
    ///
    /// [`TenantStoppedError`] if the tenant is between two installations, or another one serves it: an erasure in one would not
    /// reach the other.
    pub const fn check_erasable(&self) -> Result<(), TenantStoppedError> {
        match self.standing {
            Standing::Active
            | Standing::Suspended { .. }
            | Standing::Deleted { is_moved: false, .. }
            | Standing::Erased { .. } => Ok(()),
            Standing::Moving { .. }
            | Standing::Arriving { .. }
            | Standing::Deleted { is_moved: true, .. } => Err(TenantStoppedError),
        }
    }

    /// Returns for how long a suspended or moving tenant has been so. Zero in all other states, and if a clock is behind.
    pub fn resting_time(&self, now: Wall) -> Duration {
        match self.standing {
            Standing::Suspended { since } | Standing::Moving { since, .. } => {
                Duration::from_micros(now.micros().saturating_sub(since.micros()).max(0).unsigned_abs())
            }
            Standing::Active
            | Standing::Arriving { .. }
            | Standing::Deleted { .. }
            | Standing::Erased { .. } => Duration::ZERO,
        }
    }

    /// Returns the digest of the code of the export by which the tenant leaves or left this installation.
    pub const fn export(&self) -> Option<Digest32> {
        match self.standing {
            Standing::Moving { export, .. } => Some(export),
            Standing::Deleted { copy: Some(copy), .. } | Standing::Erased { copy: Some(copy), .. } => {
                Some(copy.export)
            }
            Standing::Deleted { copy: None, .. }
            | Standing::Erased { copy: None, .. }
            | Standing::Active
            | Standing::Suspended { .. }
            | Standing::Arriving { .. } => None,
        }
    }

    /// Returns whether another installation uses the accesses of the tenant's accounts at providers, so that this one must
    /// not end them.
    pub const fn is_moved(&self) -> bool {
        matches!(self.standing, Standing::Deleted { is_moved: true, .. })
    }

    /// Returns whether a proxy in front of several cells must send requests of the tenant to this one: until nothing is left of
    /// it here, or another cell serves it. This cell alone can respond that the tenant is suspended or deleted. While a tenant
    /// moves, only the cell that it leaves has its requests: the move may be given up, until the other cell activates it.
    pub const fn is_routed(&self) -> bool {
        match self.standing {
            Standing::Active | Standing::Suspended { .. } | Standing::Moving { .. } => true,
            Standing::Deleted { is_moved, .. } => !is_moved,
            Standing::Arriving { .. } | Standing::Erased { .. } => false,
        }
    }

    /// Returns whether the erasure begins because of its age, not because the operator asked for it now.
    pub fn is_erased_by_age(&self) -> bool {
        matches!(self.standing, Standing::Deleted { since, erase_at, .. } if erase_at >= since + DELETION_GRACE)
    }

    /// Returns whether the tenant's data must be erased now.
    pub fn is_erasing(&self, now: Wall) -> bool {
        // Another installation may run the tenant already, also if a clock is behind.
        matches!(self.standing, Standing::Deleted { erase_at, is_moved, .. } if is_moved || erase_at <= now)
    }
}
