//! Events about data points that were added or updated.

use serde::{Deserialize, Serialize};

use crate::{
    data::SourceType,
    event::EventType,
    id::{IdentityId, InsightId, LinkId, LinkSiteSessionId, ProviderId, RatingId, UserId},
    time::Timestamp,
};

/// `data` of IDENTITY_ADDED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct IdentityAdded {
    /// User that the data belongs to.
    pub user_id: UserId,
    /// Same as `sourceId`, also if the source is an archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// Source of the data: an account or an archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub source_id: String,
    /// Type of the source.
    pub source_type: SourceType,
    /// Identity that was added.
    pub identity_id: IdentityId,
    /// Provider of the data.
    pub providers: Vec<ProviderId>,
}

/// `data` of RATING_ADDED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RatingAdded {
    /// User that the data belongs to.
    pub user_id: UserId,
    /// Same as `sourceId`, also if the source is an archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// Source of the data: an account or an archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub source_id: String,
    /// Type of the source.
    pub source_type: SourceType,
    /// Rating that was added.
    pub rating_id: RatingId,
    /// Provider of the data.
    pub providers: Vec<ProviderId>,
}

/// `data` of the `*_ADDED` events of the other kinds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DataPointsAdded {
    /// Type of the event.
    #[serde(skip)]
    pub event_type: EventType,
    /// User that the data belongs to.
    pub user_id: UserId,
    /// Same as `sourceId`, also if the source is an archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// Source of the data: an account or an archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub source_id: String,
    /// Type of the source.
    pub source_type: SourceType,
    /// Number of data points that were added.
    #[cfg_attr(feature = "schema", schema(example = 12))]
    pub count: u32,
    /// Provider of the data.
    pub providers: Vec<ProviderId>,
}

/// `data` of INSIGHT_ADDED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InsightAdded {
    /// User that the data belongs to.
    pub user_id: UserId,
    /// Same as `sourceId`, also if the source is an archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// Source of the data: an account or an archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub source_id: String,
    /// Type of the source.
    pub source_type: SourceType,
    /// Insight that was added.
    pub id: InsightId,
    /// Provider of the data.
    pub providers: Vec<ProviderId>,
}

/// `data` of LINK_ADDED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkAdded {
    /// User that the data belongs to.
    pub user_id: UserId,
    /// Same as `sourceId`, also if the source is an archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// Source of the data: an account or an archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub source_id: String,
    /// Type of the source.
    pub source_type: SourceType,
    /// Link that was added.
    pub id: LinkId,
    /// Provider of the data.
    pub providers: Vec<ProviderId>,
}

/// `data` of the `*_UPDATED` events (`resources.md`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DataPointsUpdated {
    /// Type of the event.
    #[serde(skip)]
    pub event_type: EventType,
    /// User that the data belongs to.
    pub user_id: UserId,
    /// Same as `sourceId`, also if the source is an archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// Source of the data: an account or an archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub source_id: String,
    /// Type of the source.
    pub source_type: SourceType,
    /// Number of data points that were updated.
    #[cfg_attr(feature = "schema", schema(example = 12))]
    pub count: u32,
    /// Earliest date affected by the update.
    pub updated_from: Option<crate::Date>,
    /// Latest date affected by the update.
    pub updated_to: Option<crate::Date>,
    /// Time of the update.
    pub updated_at: Timestamp,
    /// Provider of the data.
    pub providers: Vec<ProviderId>,
    /// Visit of the hosted pages in which the account was created. Null if it was created on your own page.
    pub link_site_session_id: Option<LinkSiteSessionId>,
    /// Documents that were updated. Only in DOCUMENTS_UPDATED.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, example = json!(["d-0192f0c1a2b37c4d8e5f60718293a4b5"])))]
    pub updated_ids: Option<Vec<String>>,
}
