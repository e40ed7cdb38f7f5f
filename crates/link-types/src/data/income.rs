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
        /// The provider does not say.
        Unspecified = "UNSPECIFIED",
    }
}

/// A pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Income {
    /// Prefix `inc-`.
    pub id: IncomeId,
    /// Who pays.
    pub employer: Option<String>,
    /// First day of the period.
    pub start_date: Option<Date>,
    /// Last day of the period.
    pub end_date: Option<Date>,
    /// ISO 4217 code.
    pub currency: String,
    /// How often it is paid.
    pub frequency: IncomeFrequency,
    /// Base pay.
    pub base_amount: Option<Money>,
    /// Before deductions.
    pub gross_amount: Option<Money>,
    /// After deductions.
    pub net_amount: Option<Money>,
}
