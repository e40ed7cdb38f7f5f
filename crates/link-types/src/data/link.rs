//! Links (`resources.md`: Link): how often and when the person linked the same provider.

use serde::{Deserialize, Serialize};

use crate::{
    id::LinkId,
    time::{Date, Timestamp},
};

/// Links of one account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkRecord {
    /// How often.
    pub count: u32,
    /// When, oldest first.
    pub linked_at: Vec<Timestamp>,
}

/// Earlier links of the same person to the same provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Prefix `link-`.
    pub id: LinkId,
    /// The first.
    pub start_date: Option<Date>,
    /// The latest.
    pub end_date: Option<Date>,
    /// One entry an account.
    pub records: Vec<LinkRecord>,
}
