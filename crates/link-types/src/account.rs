//! Accounts (interface: Account and its states).

use serde::{Deserialize, Serialize};

use crate::{
    EndReason,
    id::{AccountId, LinkSiteSessionId, ProviderId, UserId},
    time::Timestamp,
};

words! {
    /// Status of an account's connection to its provider.
    ConnectionStatus {
        /// The account was created. The user has not authenticated yet.
        Pending = "PENDING",
        /// The provider accepted the login and is waiting for the user to complete a multi-factor challenge.
        AwaitingMfa = "AWAITING_MFA",
        /// The provider returned an error.
        Error = "ERROR",
        /// The user authenticated with the provider.
        Connected = "CONNECTED",
        /// The user disconnected the account.
        Disconnected = "DISCONNECTED",
    }
}

words! {
    /// Status of an account's continuous sync.
    MonitorStatus {
        /// Continuous sync is not enabled.
        Unsupported = "UNSUPPORTED",
        /// Continuous sync is enabled and active.
        Active = "ACTIVE",
        /// Continuous sync is enabled, but the user must re-authorize the account.
        UserActionRequired = "USER_ACTION_REQUIRED",
        /// Continuous sync is disabled.
        CustomerDisabled = "CUSTOMER_DISABLED",
    }
}

/// Details of an account's connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// Connection status. Same as `connectionStatus`.
    pub status: ConnectionStatus,
    /// Account linking error code, if linking failed.
    pub error_code: Option<String>,
    /// Human-readable description of `errorCode`.
    pub error_message: Option<String>,
    /// Why the account was disconnected: revoked, or expired after 60 days. Null unless the status is DISCONNECTED.
    pub end_reason: Option<EndReason>,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Details of an account's continuous sync.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Monitor {
    /// Sync status. Same as `monitorStatus`.
    pub status: MonitorStatus,
    /// Time of the last change.
    pub updated_at: Option<Timestamp>,
    /// Time at which the account's data was last read. Null if the account is not in continuous sync.
    pub last_synced_at: Option<Timestamp>,
    /// Time at which the data will be read next. Null unless the status is ACTIVE, while a reading runs, and if the
    /// account expires first.
    pub next_sync_at: Option<Timestamp>,
}

/// A user's account at a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Unique identifier of the account, with the prefix `a-`.
    pub id: AccountId,
    /// Time at which the account was created.
    pub created_at: Timestamp,
    /// Provider that the account belongs to.
    pub provider_id: ProviderId,
    /// User who linked the account.
    pub user_id: UserId,
    /// Status of the connection.
    pub connection_status: ConnectionStatus,
    /// Details of the connection.
    pub connection: Connection,
    /// Status of continuous sync.
    pub monitor_status: MonitorStatus,
    /// Details of continuous sync.
    pub monitor: Monitor,
    /// Visit of the hosted pages in which the account was created. Null if it was created on your own page.
    pub link_site_session_id: Option<LinkSiteSessionId>,
}
