//! Ratings (interface: Rating).

use serde::{Deserialize, Serialize};

use super::Body;
use crate::id::RatingId;

/// A rating on a platform.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Rating {
    /// Unique identifier of the rating, with the prefix `r-`.
    pub id: RatingId,
    /// Current rating.
    pub current_rating: Option<f64>,
    /// Highest possible rating.
    pub max_rating: Option<f64>,
    /// `currentRating / maxRating x 100`.
    pub calculated_percentage: Option<f64>,
    /// Number of reviews received.
    pub reviews_received: Option<f64>,
    /// Number of likes received.
    pub likes_received: Option<f64>,
    /// Number of jobs completed.
    pub jobs_completed: Option<f64>,
}

impl Body for Rating {
    #[cfg(feature = "schema")]
    const EXAMPLE: &str = r#"{
  "id": "r-01a20205816870008009c795cd5dafb3",
  "currentRating": 4.6,
  "maxRating": 5.0,
  "calculatedPercentage": 92.0,
  "reviewsReceived": 1561.0,
  "likesReceived": null,
  "jobsCompleted": 2603.0,
  "metadata": {
    "createdAt": "2026-11-22T06:50:44.787Z",
    "itemCreatedAt": "2026-11-22T06:50:44.968Z",
    "accountId": "a-01a2020580b370008004cf058e0bf96c",
    "sourceId": "a-01a2020580b370008004cf058e0bf96c",
    "sourceType": "ACCOUNT",
    "providerId": "mx_rapido_rides",
    "userId": "demo-01a202057f6370008007edd52c6d1c29"
  }
}"#;
}
