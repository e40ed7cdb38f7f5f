//! Ratings (interface: Rating).

use serde::{Deserialize, Serialize};

use crate::id::RatingId;

/// A rating on a platform.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Rating {
    /// Prefix `r-`.
    pub id: RatingId,
    /// The rating.
    pub current_rating: Option<f64>,
    /// The best rating possible.
    pub max_rating: Option<f64>,
    /// `currentRating / maxRating x 100`.
    pub calculated_percentage: Option<f64>,
    /// Number of reviews.
    pub reviews_received: Option<f64>,
    /// Number of likes.
    pub likes_received: Option<f64>,
    /// Number of jobs.
    pub jobs_completed: Option<f64>,
}
