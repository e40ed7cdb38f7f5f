//! Liabilities (interface: "Other data points", liability item).

use serde::{Deserialize, Serialize};

use crate::{id::LiabilityId, money::Money, time::Date};

/// A loan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Liability {
    /// Unique identifier of the liability, with the prefix `lia-`.
    pub id: LiabilityId,
    /// Type of loan, like HOUSING_LOAN.
    #[serde(rename = "type")]
    pub liability_type: Option<String>,
    /// Reference number at the provider.
    pub reference_id: Option<String>,
    /// First day of the loan.
    pub start_date: Option<Date>,
    /// Last day of the loan.
    pub end_date: Option<Date>,
    /// Date of the first payment.
    pub first_amortization_date: Option<Date>,
    /// Payment frequency, like MONTHLY.
    pub amortization_frequency: Option<String>,
    /// Currency, as an ISO 4217 code.
    pub currency: String,
    /// Amount of the loan.
    pub loan_amount: Option<Money>,
    /// Amount of one installment.
    pub amortization_amount: Option<Money>,
    /// Amount still owed.
    pub outstanding_balance: Option<Money>,
    /// Amount of the next payment.
    pub next_payment_amount: Option<Money>,
    /// Amount that is overdue.
    pub overdue_payment_amount: Option<Money>,
}
