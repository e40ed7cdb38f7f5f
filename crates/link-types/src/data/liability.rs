//! Liabilities (interface: "Other data points", liability item).

use serde::{Deserialize, Serialize};

use super::Body;
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

impl Body for Liability {
    #[cfg(feature = "schema")]
    const EXAMPLE: &str = r#"{
  "id": "lia-01a2020583f47000804acb8ff2bdcf9c",
  "type": "HOUSING_LOAN",
  "referenceId": "HL-1106635",
  "startDate": "2020-08-01",
  "endDate": "2040-08-01",
  "firstAmortizationDate": "2020-09-01",
  "amortizationFrequency": "MONTHLY",
  "currency": "MXN",
  "loanAmount": 672000,
  "amortizationAmount": 2800,
  "outstandingBalance": 462000,
  "nextPaymentAmount": 2800,
  "overduePaymentAmount": 0,
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
        self.start_date
    }

    fn natural_key(&self) -> Vec<Option<String>> {
        match &self.reference_id {
            Some(reference) => vec![self.liability_type.clone(), Some(reference.clone())],
            None => {
                let start_date = self.start_date.map(|it| it.to_string());
                vec![self.liability_type.clone(), None, start_date, Some(self.currency.clone())]
            }
        }
    }
}
