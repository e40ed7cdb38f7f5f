//! Estimated incomes (interface: Estimated income).

use serde::{Deserialize, Serialize};

use crate::{id::EstimatedIncomeId, money::Money, time::Month};

/// An estimate of one month's income.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct EstimatedIncome {
    /// Prefix `einc-`.
    pub id: EstimatedIncomeId,
    /// The month.
    pub month: Month,
    /// ISO 4217 code.
    pub currency: String,
    /// Monthly amount.
    pub amount: Money,
    /// Deprecated; the same as `amount`.
    #[cfg_attr(feature = "schema", schema(schema_with = deprecated_amount))]
    pub base_amount: Money,
}

/// A reference to `Money` could not be marked.
#[cfg(feature = "schema")]
fn deprecated_amount() -> utoipa::openapi::schema::Object {
    utoipa::openapi::ObjectBuilder::new()
        .schema_type(utoipa::openapi::schema::Type::Number)
        .description(Some("Deprecated; the same as `amount`."))
        .deprecated(Some(utoipa::openapi::Deprecated::True))
        .examples([1234.5])
        .build()
}
