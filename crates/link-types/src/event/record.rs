//! Events of records and verifications.

use serde::{Deserialize, Serialize};

use crate::{
    id::{RecordId, SignalId, UserId},
    record::{RecordPayload, RecordStatus, RecordType, ResultCode},
};

/// `data` of RECORD_CREATED and RECORD_COMPLETED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RecordChanged {
    /// The record.
    pub record_id: RecordId,
    /// Always SOCIAL_SECURITY.
    pub record_type: RecordType,
    /// The user, where the record is of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub user_id: Option<UserId>,
    /// State of the record; only in RECORD_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub status: Option<RecordStatus>,
    /// Result; only in RECORD_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub result_code: Option<ResultCode>,
    /// Result in words; only in RECORD_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, example = "data was found"))]
    pub result_message: Option<String>,
    /// The whole record; only in RECORD_COMPLETED, and gone once the record is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub payload: Option<Box<RecordPayload>>,
}

/// `data` of VERIFICATION_STARTED and VERIFICATION_COMPLETED (`resources.md`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct VerificationChanged {
    /// The verification, prefix `vf-`.
    pub verification_id: SignalId,
    /// State; only in VERIFICATION_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub status: Option<RecordStatus>,
    /// Result; only in VERIFICATION_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub result_code: Option<ResultCode>,
    /// Result in words; only in VERIFICATION_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, example = "data was found"))]
    pub result_message: Option<String>,
}
