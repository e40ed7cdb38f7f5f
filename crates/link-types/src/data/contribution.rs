//! Contributions (interface: "Other data points", contribution item).

use serde::{Deserialize, Serialize};

use super::Body;
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

impl Body for Contribution {
    #[cfg(feature = "schema")]
    const EXAMPLE: &str = r#"{
  "id": "con-01a2020583f47000801ab4dfe1ad6fb3",
  "date": "2025-11-01",
  "currency": "MXN",
  "amount": 1459.58,
  "referenceId": "C202511",
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
        self.date
    }

    fn natural_key(&self) -> Vec<Option<String>> {
        vec![self.date.map(|it| it.to_string()), self.reference_id.clone(), Some(self.currency.clone())]
    }
}
