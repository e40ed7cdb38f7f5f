//! Chargeable events: exactly one record each.

use link_types::id::UserId;

use crate::clock::TenantTime;
use crate::owner::Owner;

/// One chargeable event. (kind, subject) is its key, so that a retry cannot bill twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BillingRecord {
    /// Whose charge it is.
    pub owner: Owner,
    /// What is charged.
    pub kind: BillingKind,
    /// The id of what was charged for.
    pub subject: String,
    /// The user it was for.
    pub user_id: UserId,
    /// When it became due.
    pub at: TenantTime,
}

/// What is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BillingKind {
    /// An account reached CONNECTED for the first time.
    AccountConnected,
}

impl BillingKind {
    /// The word the store keeps.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AccountConnected => "ACCOUNT_CONNECTED",
        }
    }
}
