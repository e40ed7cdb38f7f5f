//! Insights (`resources.md`: Insight).

use serde::{Deserialize, Serialize};

use std::collections::BTreeMap;

use super::Body;
use crate::{
    id::InsightId,
    time::{Date, Timestamp},
};

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

impl Body for Insight {
    #[cfg(feature = "schema")]
    const EXAMPLE: &str = r#"{
  "id": "insight-01a2020583f470008080e5bbf177f2ad",
  "cutoffTime": "2026-11-22T06:50:45.620Z",
  "features": {
    "contributionRegularity12Months": 1.0,
    "contributionRegularity3Months": 1.0,
    "contributionRegularity6Months": 1.0,
    "employmentGapCount": 0.0,
    "incomeMean12Months": 13157.67,
    "incomeMean3Months": 13200.0,
    "incomeMean6Months": 13200.0,
    "incomeTrend12Months": 0.0015,
    "incomeTrend3Months": 0.0,
    "incomeTrend6Months": 0.0,
    "incomeVariability12Months": 0.0107,
    "incomeVariability3Months": 0.0,
    "incomeVariability6Months": 0.0,
    "liabilityBalanceToAnnualIncome": 2.9261,
    "liabilityPaymentsToIncome": 0.2128,
    "longestEmploymentGapDays": 0.0,
    "tenureMonths": 47.0
  },
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
        Some(self.cutoff_time.date())
    }
}
