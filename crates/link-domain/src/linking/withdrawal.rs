//! Access at a provider that an account no longer needs. The provider is asked to end it after the account has ended.

use std::time::Duration;

use link_types::id::{AccountId, ProviderId};

use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;
use crate::linking::account_source::SourceState;

/// How long the provider is asked, if it does not answer: 1 day.
pub const WITHDRAWAL_LIFE: Duration = Duration::from_secs(86_400);

/// Maximum number of accesses that one change of an account withdraws: of the connection, and of a login in progress.
pub const MAX_WITHDRAWALS: u64 = 2;

/// An access that an account no longer uses. Its state is encrypted with a key that is destroyed with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// Account of the access. It may have ended.
    pub account_id: AccountId,
    /// Number of the access at the account: each has a separate key.
    pub number: u64,
    /// Tenant and environment of the account.
    pub owner: Owner,
    /// Provider of the account.
    pub provider_id: ProviderId,
    /// Session state that the source stored for the login.
    pub state: SourceState,
    /// When the provider is asked for the last time.
    pub ends_at: TenantTime,
}

/// An access to end.
#[derive(Clone, Copy, Debug)]
pub struct WithdrawRequest<'a> {
    /// Provider of the account.
    pub provider_id: &'a ProviderId,
    /// Session state of the login.
    pub state: &'a SourceState,
}

/// Error of a source that could not end an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the access at the provider was not ended")]
pub struct NotWithdrawnError;
