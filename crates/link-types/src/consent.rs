//! Consent as the tenant reads it: the text that was shown, to which user, when, and who gave the consent.

use serde::{Deserialize, Serialize};

use crate::{
    EndReason,
    data::{DataPointKind, SourceType},
    id::{ConsentTemplateId, UserId},
    link::ConsentGivenBy,
    time::Timestamp,
};

/// A person's consent with the text that was shown. `GET /accounts/{id}/consent` and `GET /archives/{id}/consent`
/// return it. After the data is erased, a minimal receipt remains: the fields that are not nullable, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConsentRecord {
    /// Account or archive that the consent covers.
    pub source_id: String,
    /// ACCOUNT or ARCHIVE.
    pub source_type: SourceType,
    /// User who consented.
    pub user_id: UserId,
    /// Consent template that was used.
    pub consent_template_id: ConsentTemplateId,
    /// Label of the consent template. Null after the end.
    #[serde(rename = "type")]
    pub consent_type: Option<String>,
    /// Version that was shown.
    pub version: String,
    /// Heading that was shown. Null after the end.
    pub title: Option<String>,
    /// Text that was shown. Null after the end.
    pub consented_with: Option<String>,
    /// SHA-256 of the text that was shown, in lowercase hex.
    pub text_sha256: String,
    /// Language of the text, as a BCP 47 tag. Null after the end.
    pub locale: Option<String>,
    /// The person, or the tenant if it skipped the consent page. Null after the end.
    pub given_by: Option<ConsentGivenBy>,
    /// Kinds of data points that the consent covers.
    pub shared_data: Vec<DataPointKind>,
    /// Kinds of data points that the person declined. The service does not store them.
    pub declined_data: Vec<DataPointKind>,
    /// Time of the consent.
    pub consented_at: Timestamp,
    /// Time at which the data was erased. Null before.
    pub ended_at: Option<Timestamp>,
    /// Why the data was erased: revoked, or expired after 60 days. Null before.
    pub end_reason: Option<EndReason>,
}
