//! Contributions (interface: "Other data points", contribution item).

use serde::{Deserialize, Serialize};

use crate::{id::ContributionId, money::Money, time::Date};

/// A contribution to a fund.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Contribution {
    /// Unique identifier of the contribution, with the prefix `con-`.
    pub id: ContributionId,
    /// Day or month that the contribution counts for.
    pub date: Option<Date>,
    /// Currency, as an ISO 4217 code.
    pub currency: String,
    /// Amount of the contribution.
    pub amount: Money,
    /// Reference number at the provider.
    pub reference_id: Option<String>,
}
