//! Links (`resources.md`: Link): how often and when the person linked the same provider.

use serde::{Deserialize, Serialize};

use super::Body;
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

impl Body for Link {
    #[cfg(feature = "schema")]
    const EXAMPLE: &str = r#"{
  "id": "link-01a2020583f47000807dc8f6337b4c59",
  "startDate": "2026-11-22",
  "endDate": "2026-11-22",
  "records": [
    {
      "count": 1,
      "linkedAt": [
        "2026-11-22T06:50:45.572Z"
      ]
    }
  ],
  "metadata": {
    "createdAt": "2026-11-22T06:50:45.512Z",
    "itemCreatedAt": "2026-11-22T06:50:45.620Z",
    "accountId": "a-01a20205838870008005ffa570fb2d04",
    "sourceId": "a-01a20205838870008005ffa570fb2d04",
    "sourceType": "ACCOUNT",
    "providerId": "mx_social_security",
    "userId": "demo-01a20205827370008007f9c82889d3e4"
  }
}"#;

    fn date(&self) -> Option<Date> {
        self.start_date
    }
}
