//! Links (`resources.md`: Link): how often and when the person linked the same provider.

use serde::{Deserialize, Serialize};

use crate::{
    id::LinkId,
    time::{Date, Timestamp},
};

/// History of links of one account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkRecord {
    /// Number of times the account was linked.
    pub count: u32,
    /// Times at which the account was linked, oldest first.
    pub linked_at: Vec<Timestamp>,
}

/// Earlier links of the same person to the same provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Unique identifier of the link, with the prefix `link-`.
    pub id: LinkId,
    /// Date of the first link.
    pub start_date: Option<Date>,
    /// Date of the latest link.
    pub end_date: Option<Date>,
    /// One entry per account.
    pub records: Vec<LinkRecord>,
}
