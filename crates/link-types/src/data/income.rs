//! Incomes (`resources.md`: Income).

use serde::{Deserialize, Serialize};

use super::Body;
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

impl Body for Income {
    #[cfg(feature = "schema")]
    const EXAMPLE: &str = r#"{
  "id": "inc-01a202058d6a700080146eab33408adb",
  "employer": "Alimentos Bahía Azul S.A. de C.V.",
  "startDate": "2025-12-01",
  "endDate": "2025-12-15",
  "currency": "MXN",
  "frequency": "SEMIMONTHLY",
  "baseAmount": 9160.67,
  "grossAmount": 9915.05,
  "netAmount": 8666.39,
  "metadata": {
    "createdAt": "2026-11-22T06:50:47.727Z",
    "itemCreatedAt": "2026-11-22T06:50:48.042Z",
    "accountId": "archive-01a202058c2f700080042bdf7189ceea",
    "sourceId": "archive-01a202058c2f700080042bdf7189ceea",
    "sourceType": "UPLOAD",
    "providerId": "tenant-provided",
    "userId": "demo-01a202058a57700080043129d40230b0"
  }
}"#;

    fn date(&self) -> Option<Date> {
        self.start_date
    }

    fn natural_key(&self) -> Vec<Option<String>> {
        vec![
            self.employer.clone(),
            self.start_date.map(|it| it.to_string()),
            Some(self.frequency.to_string()),
            Some(self.currency.clone()),
        ]
    }
}
