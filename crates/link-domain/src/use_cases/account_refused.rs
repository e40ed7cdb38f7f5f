//! Reasons why a person's request about an account is rejected.

use crate::linking::account::IllegalTransitionError;
use crate::tenancy::quota::QuotaExceededError;

/// Reason why a request about an account is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccountRefusedError {
    /// A quota of the user is used up.
    #[error(transparent)]
    Quota(#[from] QuotaExceededError),
    /// The request is illegal in the account's state, or too many logins were tried.
    #[error(transparent)]
    Account(#[from] IllegalTransitionError),
}
