//! Contributions (interface: "Other data points", contribution item).

use serde::{Deserialize, Serialize};

use crate::{id::ContributionId, money::Money, time::Date};

/// A contribution to a fund.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Contribution {
    /// Prefix `con-`.
    pub id: ContributionId,
    /// Day or month it counts for.
    pub date: Option<Date>,
    /// ISO 4217 code.
    pub currency: String,
    /// The amount.
    pub amount: Money,
    /// The provider's own number.
    pub reference_id: Option<String>,
}
