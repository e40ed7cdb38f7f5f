//! Events of users, their accounts, archives and invitations.

use serde::{Deserialize, Serialize};

use crate::{
    LinkErrorCode,
    id::{AccountId, ArchiveId, ProviderId, UserId},
};

/// `data` of USER_CREATED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UserCreated {
    /// The user.
    pub user_id: UserId,
}

/// `data` of ACCOUNT_CREATED and ACCOUNT_DISCONNECTED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountChanged {
    /// The user.
    pub user_id: UserId,
    /// The account.
    pub account_id: AccountId,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of ACCOUNT_CONNECTED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountConnected {
    /// The user.
    pub user_id: UserId,
    /// The account.
    pub account_id: AccountId,
    /// The login's name at the provider; null once the account is erased.
    #[cfg_attr(feature = "schema", schema(example = "ana.ruiz"))]
    pub login_name: Option<String>,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of ACCOUNT_FAILED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountFailed {
    /// The user.
    pub user_id: UserId,
    /// The account.
    pub account_id: AccountId,
    /// The login's name at the provider; null once the account is erased.
    #[cfg_attr(feature = "schema", schema(example = "ana.ruiz"))]
    pub login_name: Option<String>,
    /// Why.
    pub error_code: LinkErrorCode,
    /// The code in words.
    #[cfg_attr(feature = "schema", schema(example = "the user name or the password is wrong"))]
    pub error_message: String,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of ARCHIVE_STARTED, ARCHIVE_ANALYZED and ARCHIVE_REVOKED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveChanged {
    /// The user.
    pub user_id: UserId,
    /// The archive.
    pub archive_id: ArchiveId,
}

/// `data` of ARCHIVE_FAILED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveFailed {
    /// The user.
    pub user_id: UserId,
    /// The archive.
    pub archive_id: ArchiveId,
    /// Why, like FILE_UNABLE_TO_RECOGNIZE.
    #[cfg_attr(feature = "schema", schema(example = "FILE_UNABLE_TO_RECOGNIZE"))]
    pub error_code: String,
    /// The code in words.
    #[cfg_attr(feature = "schema", schema(example = "the document could not be recognized"))]
    pub error_message: String,
}

/// `data` of INVITE_INVITED and INVITE_LINKED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InviteChanged {
    /// The user.
    pub user_id: UserId,
    /// The invitation, prefix `iv-`.
    #[cfg_attr(feature = "schema", schema(example = "iv-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub invite_id: String,
}
