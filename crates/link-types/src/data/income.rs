//! Incomes (`resources.md`: Income).

use serde::{Deserialize, Serialize};

use crate::{id::IncomeId, money::Money, time::Date};

words! {
    /// How often an income is paid.
    IncomeFrequency {
        /// Every hour.
        Hourly = "HOURLY",
        /// Every day.
        Daily = "DAILY",
        /// Every week.
        Weekly = "WEEKLY",
        /// Every two weeks.
        Biweekly = "BIWEEKLY",
        /// Twice a month.
        Semimonthly = "SEMIMONTHLY",
        /// Every month.
        Monthly = "MONTHLY",
        /// Every year.
        Annual = "ANNUAL",
        /// The provider does not specify the frequency.
        Unspecified = "UNSPECIFIED",
    }
}

/// Pay for one period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Income {
    /// Unique identifier of the income, with the prefix `inc-`.
    pub id: IncomeId,
    /// Name of the employer.
    pub employer: Option<String>,
    /// First day of the pay period.
    pub start_date: Option<Date>,
    /// Last day of the pay period.
    pub end_date: Option<Date>,
    /// Currency, as an ISO 4217 code.
    pub currency: String,
    /// How often the income is paid.
    pub frequency: IncomeFrequency,
    /// Base pay.
    pub base_amount: Option<Money>,
    /// Gross pay, before deductions.
    pub gross_amount: Option<Money>,
    /// Net pay, after deductions.
    pub net_amount: Option<Money>,
}
