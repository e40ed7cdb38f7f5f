//! Events about users, accounts, archives, invitations and hosted links.

use serde::{Deserialize, Serialize};

use crate::{
    AccessEnd, LinkErrorCode,
    hosted_link::HostedLinkStatus,
    id::{AccountId, ArchiveId, HostedLinkId, ProviderId, UserId},
};

/// `data` of USER_CREATED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UserCreated {
    /// User that was created.
    pub user_id: UserId,
}

/// `data` of ACCOUNT_CREATED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountChanged {
    /// User who owns the account.
    pub user_id: UserId,
    /// Account that the event is about.
    pub account_id: AccountId,
    /// Provider of the account.
    pub providers: Vec<ProviderId>,
}

/// `data` of ACCOUNT_DISCONNECTED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountDisconnected {
    /// User who owns the account.
    pub user_id: UserId,
    /// Account that was disconnected.
    pub account_id: AccountId,
    /// Who or what ended the access.
    pub reason: AccessEnd,
    /// Provider of the account.
    pub providers: Vec<ProviderId>,
}

/// `data` of ACCOUNT_CONNECTED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountConnected {
    /// User who owns the account.
    pub user_id: UserId,
    /// Account that was connected.
    pub account_id: AccountId,
    /// Login name at the provider. Null after the account is erased.
    #[cfg_attr(feature = "schema", schema(example = "ana.ruiz"))]
    pub login_name: Option<String>,
    /// Provider of the account.
    pub providers: Vec<ProviderId>,
}

/// `data` of ACCOUNT_FAILED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountFailed {
    /// User who owns the account.
    pub user_id: UserId,
    /// Account that could not be linked.
    pub account_id: AccountId,
    /// Login name at the provider. Null after the account is erased.
    #[cfg_attr(feature = "schema", schema(example = "ana.ruiz"))]
    pub login_name: Option<String>,
    /// Reason for the failure.
    pub error_code: LinkErrorCode,
    /// Human-readable description of `errorCode`.
    #[cfg_attr(feature = "schema", schema(example = "the user name or the password is wrong"))]
    pub error_message: String,
    /// Provider of the account.
    pub providers: Vec<ProviderId>,
}

/// `data` of ARCHIVE_STARTED and ARCHIVE_ANALYZED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveChanged {
    /// User who owns the archive.
    pub user_id: UserId,
    /// Archive that the event is about.
    pub archive_id: ArchiveId,
}

/// `data` of ARCHIVE_REVOKED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveRevoked {
    /// User who owns the archive.
    pub user_id: UserId,
    /// Archive that ended.
    pub archive_id: ArchiveId,
    /// Who or what ended the access.
    pub reason: AccessEnd,
}

/// `data` of ARCHIVE_FAILED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveFailed {
    /// User who owns the archive.
    pub user_id: UserId,
    /// Archive that failed.
    pub archive_id: ArchiveId,
    /// Reason for the failure, like FILE_UNABLE_TO_RECOGNIZE.
    #[cfg_attr(feature = "schema", schema(example = "FILE_UNABLE_TO_RECOGNIZE"))]
    pub error_code: String,
    /// Human-readable description of `errorCode`.
    #[cfg_attr(feature = "schema", schema(example = "the document could not be recognized"))]
    pub error_message: String,
}

/// `data` of INVITE_INVITED and INVITE_LINKED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InviteChanged {
    /// User who was invited.
    pub user_id: UserId,
    /// Identifier of the invitation, with the prefix `iv-`.
    #[cfg_attr(feature = "schema", schema(example = "iv-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub invite_id: String,
}

/// `data` of LINK_SESSION_COMPLETED, LINK_SESSION_CLOSED and LINK_SESSION_EXPIRED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkSessionChanged {
    /// User of the hosted link.
    pub user_id: UserId,
    /// Hosted link that the event is about.
    pub link_session_id: HostedLinkId,
    /// Status that the hosted link reached.
    pub status: HostedLinkStatus,
}
