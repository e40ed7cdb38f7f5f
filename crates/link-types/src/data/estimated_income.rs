//! Estimated incomes (interface: Estimated income).

use serde::{Deserialize, Serialize};

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
