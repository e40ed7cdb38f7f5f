//! Transactions (`resources.md`: Transaction).

use serde::{Deserialize, Serialize};

use crate::{id::TransactionId, money::Money, time::Date};

/// A movement of money.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Transaction {
    /// Prefix `t-`.
    pub id: TransactionId,
    /// Day it was booked.
    pub date: Option<Date>,
    /// What it was for.
    pub description: Option<String>,
    /// ISO 4217 code.
    pub currency: String,
    /// May be negative.
    pub amount: Money,
    /// The provider's own number.
    pub reference_id: Option<String>,
}
