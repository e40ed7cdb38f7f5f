//! Events about records and verifications.

use serde::{Deserialize, Serialize};

use crate::id::{RecordId, UserId, WebhookId};
use crate::record::{RecordPayload, RecordStatus, RecordType, ResultCode};
use crate::signal::SignalId;

/// `data` of RECORD_CREATED and RECORD_COMPLETED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RecordChanged {
    /// Record that the event is about.
    pub record_id: RecordId,
    /// Type of the record. Always SOCIAL_SECURITY.
    pub record_type: RecordType,
    /// User that the record belongs to, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub user_id: Option<UserId>,
    /// Status of the record. Only in RECORD_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub status: Option<RecordStatus>,
    /// Result code. Only in RECORD_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub result_code: Option<ResultCode>,
    /// Human-readable description of `resultCode`. Only in RECORD_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, example = "data was found"))]
    pub result_message: Option<String>,
    /// The complete record. Only in RECORD_COMPLETED, and absent after the record is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub payload: Option<Box<RecordPayload>>,
}

/// `data` of VERIFICATION_STARTED and VERIFICATION_COMPLETED (`resources.md`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct VerificationChanged {
    /// Identifier of the verification, with the prefix `vf-`.
    pub verification_id: SignalId,
    /// Status of the verification. Only in VERIFICATION_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub status: Option<RecordStatus>,
    /// Result code. Only in VERIFICATION_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub result_code: Option<ResultCode>,
    /// Human-readable description of `resultCode`. Only in VERIFICATION_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, example = "data was found"))]
    pub result_message: Option<String>,
}

/// `data` of WEBHOOK_DISABLED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhookDisabled {
    /// Webhook that the service disabled.
    pub webhook_id: WebhookId,
    /// Reason, as `disabledReason` of the webhook.
    pub disabled_reason: String,
}
