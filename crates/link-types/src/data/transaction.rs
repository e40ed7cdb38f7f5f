//! Transactions (`resources.md`: Transaction).

use serde::{Deserialize, Serialize};

use super::Body;
use crate::{id::TransactionId, money::Money, time::Date};

/// A movement of money.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Transaction {
    /// Unique identifier of the transaction, with the prefix `t-`.
    pub id: TransactionId,
    /// Date on which the transaction was booked.
    pub date: Option<Date>,
    /// Description of the transaction.
    pub description: Option<String>,
    /// Currency, as an ISO 4217 code.
    pub currency: String,
    /// Amount. Can be negative.
    pub amount: Money,
    /// Reference number at the provider.
    pub reference_id: Option<String>,
}

impl Body for Transaction {
    #[cfg(feature = "schema")]
    const EXAMPLE: &str = r#"{
  "id": "t-01a202058168700080ee7c04f5b77e27",
  "date": "2026-09-28",
  "description": "Service fee",
  "currency": "MXN",
  "amount": -413.85,
  "referenceId": "P20260928",
  "metadata": {
    "createdAt": "2026-11-22T06:50:44.787Z",
    "itemCreatedAt": "2026-11-22T06:50:44.968Z",
    "accountId": "a-01a2020580b370008004cf058e0bf96c",
    "sourceId": "a-01a2020580b370008004cf058e0bf96c",
    "sourceType": "ACCOUNT",
    "providerId": "mx_rapido_rides",
    "userId": "demo-01a202057f6370008007edd52c6d1c29"
  }
}"#;

    fn date(&self) -> Option<Date> {
        self.date
    }

    fn natural_key(&self) -> Vec<Option<String>> {
        let date = self.date.map(|it| it.to_string());
        match &self.reference_id {
            Some(reference) => vec![date, Some(reference.clone())],
            None => {
                let amount = self.amount.hundredths().to_string();
                vec![date, None, self.description.clone(), Some(self.currency.clone()), Some(amount)]
            }
        }
    }
}
