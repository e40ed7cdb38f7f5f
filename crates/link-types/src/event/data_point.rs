//! Events of data points that were added or updated.

use serde::{Deserialize, Serialize};

use crate::{
    id::{IdentityId, InsightId, LinkId, ProviderId, RatingId, UserId},
    time::Timestamp,
};

/// `data` of IDENTITY_ADDED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct IdentityAdded {
    /// The user.
    pub user_id: UserId,
    /// The source.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// The identity.
    pub identity_id: IdentityId,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of RATING_ADDED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RatingAdded {
    /// The user.
    pub user_id: UserId,
    /// The source.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// The rating.
    pub rating_id: RatingId,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of the `*S_ADDED` events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DataPointsAdded {
    /// The user.
    pub user_id: UserId,
    /// The source.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// How many.
    #[cfg_attr(feature = "schema", schema(example = 12))]
    pub count: u32,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of INSIGHT_ADDED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InsightAdded {
    /// The user.
    pub user_id: UserId,
    /// The source.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// The insight.
    pub id: InsightId,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of LINK_ADDED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkAdded {
    /// The user.
    pub user_id: UserId,
    /// The source.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// The link.
    pub id: LinkId,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of the `*_UPDATED` events (`resources.md`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DataPointsUpdated {
    /// The user.
    pub user_id: UserId,
    /// The source.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// How many.
    #[cfg_attr(feature = "schema", schema(example = 12))]
    pub count: u32,
    /// The earliest day touched.
    pub updated_from: Option<crate::Date>,
    /// The latest day touched.
    pub updated_to: Option<crate::Date>,
    /// When.
    pub updated_at: Timestamp,
    /// Its provider.
    pub providers: Vec<ProviderId>,
    /// The documents touched; only in DOCUMENTS_UPDATED.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, example = json!(["d-0192f0c1a2b37c4d8e5f60718293a4b5"])))]
    pub updated_ids: Option<Vec<String>>,
}
