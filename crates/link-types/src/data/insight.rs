//! Insights (`resources.md`: Insight).

use serde::{Deserialize, Serialize};

use std::collections::BTreeMap;

use crate::{id::InsightId, time::Timestamp};

/// Features computed from the other data points of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Insight {
    /// Prefix `insight-`.
    pub id: InsightId,
    /// The moment the features speak of.
    pub cutoff_time: Timestamp,
    /// Values by name; null when there is not enough data.
    pub features: BTreeMap<String, Option<f64>>,
}
