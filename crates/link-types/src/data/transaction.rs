//! Transactions (`resources.md`: Transaction).

use serde::{Deserialize, Serialize};

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
