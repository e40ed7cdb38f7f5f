//! Estimated incomes (interface: Estimated income).

use serde::{Deserialize, Serialize};

use super::Body;
use crate::{id::EstimatedIncomeId, money::Money, time::Month};

/// An estimate of the income in one month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct EstimatedIncome {
    /// Unique identifier of the estimated income, with the prefix `einc-`.
    pub id: EstimatedIncomeId,
    /// Month that the estimate is for.
    pub month: Month,
    /// Currency, as an ISO 4217 code.
    pub currency: String,
    /// Estimated monthly amount.
    pub amount: Money,
    /// Deprecated. Same as `amount`.
    #[cfg_attr(feature = "schema", schema(schema_with = deprecated_amount))]
    pub base_amount: Money,
}

/// Inlines the schema, because a reference to `Money` cannot be marked as deprecated.
#[cfg(feature = "schema")]
fn deprecated_amount() -> utoipa::openapi::schema::Object {
    utoipa::openapi::ObjectBuilder::new()
        .schema_type(utoipa::openapi::schema::Type::Number)
        .description(Some("Deprecated. Same as `amount`."))
        .deprecated(Some(utoipa::openapi::Deprecated::True))
        .examples([1234.5])
        .build()
}

impl Body for EstimatedIncome {
    #[cfg(feature = "schema")]
    const EXAMPLE: &str = r#"{
  "id": "einc-01a2020583f47000807aaac908dd6cff",
  "month": "2026-10",
  "currency": "MXN",
  "amount": 13200,
  "baseAmount": 13200,
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

    fn month(&self) -> Option<Month> {
        Some(self.month)
    }

    fn natural_key(&self) -> Vec<Option<String>> {
        vec![Some(self.month.to_string()), Some(self.currency.clone())]
    }
}
