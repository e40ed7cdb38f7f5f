//! Consent as the tenant reads it: the text that was shown, to which user, when, and who gave the consent.

use serde::{Deserialize, Serialize};

use crate::{
    data::SourceType,
    id::{ConsentTemplateId, UserId},
    link::ConsentGivenBy,
    time::Timestamp,
};

/// A person's consent with the text that was shown. `GET /accounts/{id}/consent` and `GET /archives/{id}/consent`
/// return it.
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
    /// Label of the consent template.
    #[serde(rename = "type")]
    pub consent_type: String,
    /// Version that was shown.
    pub version: String,
    /// Heading that was shown.
    pub title: String,
    /// Text that was shown.
    pub consented_with: String,
    /// Language of the text, as a BCP 47 tag.
    pub locale: String,
    /// The person, or the tenant if it skipped the consent page.
    pub given_by: ConsentGivenBy,
    /// Time of the consent.
    pub consented_at: Timestamp,
}
