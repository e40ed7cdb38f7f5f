//! A consent as the tenant reads it back: what was shown, to whom, when, and who vouches for it.

use serde::{Deserialize, Serialize};

use crate::{
    data::SourceType,
    id::{ConsentTemplateId, UserId},
    link::ConsentGivenBy,
    time::Timestamp,
};

/// What `GET /accounts/{id}/consent` and `GET /archives/{id}/consent` answer: the receipt, with the text it is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConsentRecord {
    /// The account or archive that was consented to.
    pub source_id: String,
    /// ACCOUNT or ARCHIVE.
    pub source_type: SourceType,
    /// The user.
    pub user_id: UserId,
    /// The consent template.
    pub consent_template_id: ConsentTemplateId,
    /// Its label.
    #[serde(rename = "type")]
    pub consent_type: String,
    /// The version that was shown.
    pub version: String,
    /// The heading that was shown.
    pub title: String,
    /// The text that was shown.
    pub consented_with: String,
    /// Language in which it was shown, a BCP 47 tag.
    pub locale: String,
    /// The person, or the tenant where it skipped the page.
    pub given_by: ConsentGivenBy,
    /// When.
    pub consented_at: Timestamp,
}
