//! Ratings (interface: Rating).

use serde::{Deserialize, Serialize};

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
