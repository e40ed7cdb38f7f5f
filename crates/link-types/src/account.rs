//! Accounts (interface: Account and its states).

use serde::{Deserialize, Serialize};

use crate::{
    id::{AccountId, ProviderId, UserId},
    time::Timestamp,
};

words! {
    /// State of an account's connection.
    ConnectionStatus {
        /// Account created, authentication not yet successful.
        Pending = "PENDING",
        /// User authenticated; provider awaits the user's verification.
        AwaitingMfa = "AWAITING_MFA",
        /// Provider returned an error.
        Error = "ERROR",
        /// User authenticated with the provider.
        Connected = "CONNECTED",
        /// User disconnected the link.
        Disconnected = "DISCONNECTED",
    }
}

words! {
    /// State of an account's continuous sync.
    MonitorStatus {
        /// Data syncing not enabled.
        Unsupported = "UNSUPPORTED",
        /// Syncing enabled and active.
        Active = "ACTIVE",
        /// Syncing enabled, user must re-authorize.
        UserActionRequired = "USER_ACTION_REQUIRED",
        /// Syncing disabled.
        CustomerDisabled = "CUSTOMER_DISABLED",
    }
}

/// The connection in detail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// Same as `connectionStatus`.
    pub status: ConnectionStatus,
    /// An account linking error code.
    pub error_code: Option<String>,
    /// The code in words.
    pub error_message: Option<String>,
    /// Last change.
    pub updated_at: Timestamp,
}

/// Continuous sync in detail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Monitor {
    /// Same as `monitorStatus`.
    pub status: MonitorStatus,
    /// Last change.
    pub updated_at: Option<Timestamp>,
}

/// An account as REST shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Account id.
    pub id: AccountId,
    /// Creation.
    pub created_at: Timestamp,
    /// Data provider.
    pub provider_id: ProviderId,
    /// User.
    pub user_id: UserId,
    /// State of the connection.
    pub connection_status: ConnectionStatus,
    /// The connection in detail.
    pub connection: Connection,
    /// State of continuous sync.
    pub monitor_status: MonitorStatus,
    /// Continuous sync in detail.
    pub monitor: Monitor,
}
