//! Reasons why a person's request about an account is rejected.

use crate::linking::account::IllegalTransition;
use crate::tenancy::quota::QuotaExceeded;

/// Reason why a request about an account is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccountRefused {
    /// A quota of the user is used up.
    #[error(transparent)]
    Quota(#[from] QuotaExceeded),
    /// The request is illegal in the account's state, or too many logins were tried.
    #[error(transparent)]
    Account(#[from] IllegalTransition),
}
