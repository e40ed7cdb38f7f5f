//! Liabilities (interface: "Other data points", liability item).

use serde::{Deserialize, Serialize};

use crate::{id::LiabilityId, money::Money, time::Date};

/// A loan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Liability {
    /// Prefix `lia-`.
    pub id: LiabilityId,
    /// Like HOUSING_LOAN.
    #[serde(rename = "type")]
    pub liability_type: Option<String>,
    /// The provider's own number.
    pub reference_id: Option<String>,
    /// First day.
    pub start_date: Option<Date>,
    /// Last day.
    pub end_date: Option<Date>,
    /// Day of the first payment.
    pub first_amortization_date: Option<Date>,
    /// Like MONTHLY.
    pub amortization_frequency: Option<String>,
    /// ISO 4217 code.
    pub currency: String,
    /// What was lent.
    pub loan_amount: Option<Money>,
    /// One payment.
    pub amortization_amount: Option<Money>,
    /// What is still owed.
    pub outstanding_balance: Option<Money>,
    /// The next payment.
    pub next_payment_amount: Option<Money>,
    /// What should have been paid already.
    pub overdue_payment_amount: Option<Money>,
}
