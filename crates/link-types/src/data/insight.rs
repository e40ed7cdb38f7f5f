//! Insights (`resources.md`: Insight).

use serde::{Deserialize, Serialize};

use std::collections::BTreeMap;

use crate::{id::InsightId, time::Timestamp};

/// Features computed from the other data points of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Insight {
    /// Unique identifier of the insight, with the prefix `insight-`.
    pub id: InsightId,
    /// Point in time that the features describe.
    pub cutoff_time: Timestamp,
    /// Feature values by name. Null if there is not enough data.
    pub features: BTreeMap<String, Option<f64>>,
}
