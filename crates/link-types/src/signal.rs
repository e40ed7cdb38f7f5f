//! Signals: assessments of a person, computed from a mobile number, an email address or both (interface: "Signals
//! suite"; `resources.md`: "Signals, inputs and results").
//!
//! `items.rs` has the items of each signal. `docs/reference/signals.md` has the same tables.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    record::{RecordStatus, ResultCode},
    time::{Date, Timestamp},
};

mod consent;
mod id;
mod item;
mod items;
mod kind;
mod request;

pub use consent::SignalConsent;
pub use id::SignalId;
pub use item::{ItemSpec, ItemValues, ValueType};
pub use kind::SignalKind;
pub use request::{
    FootprintsRequest, IdType, IncomeEstimatorRequest, MobileSignalRequest, PersonId, RequestMeta,
    SignalRequest, SocialSecuritySignalsRequest, VerificationRequest,
};

/// Value of an item.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ItemValue {
    /// BOOLEAN.
    Boolean(bool),
    /// INTEGER.
    Integer(i64),
    /// NUMBER, with at most two decimals.
    Number(f64),
    /// DATE_LIST: dates, latest first.
    Dates(Vec<Date>),
    /// STRING (one of the item's values) or DATE (`YYYY-MM-DD`).
    Text(String),
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for ItemValue {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::schema::{AnyOfBuilder, ArrayBuilder, ObjectBuilder, SchemaType, Type};
        let one_of_types = SchemaType::from_iter([Type::Boolean, Type::Number, Type::String]);
        AnyOfBuilder::new()
            .item(ObjectBuilder::new().schema_type(one_of_types))
            .item(ArrayBuilder::new().items(Date::schema()))
            .description(Some("BOOLEAN, INTEGER, NUMBER, STRING, DATE, or DATE_LIST (dates, latest first)."))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for ItemValue {}

/// An item of a signal's result.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SignalItem {
    /// Name of the item.
    pub name: String,
    /// Value of the item. Null if it is unknown.
    pub value: Option<ItemValue>,
    /// Type of `value`.
    pub value_type: ValueType,
}

/// A signal.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Signal<R> {
    /// Unique identifier of the signal. Its prefix indicates the kind of signal.
    pub id: SignalId,
    /// Time at which the signal was created.
    pub created_at: Timestamp,
    /// Processing status.
    pub status: RecordStatus,
    /// Outcome of the signal. Null while PROCESSING.
    pub result_code: Option<ResultCode>,
    /// Human-readable description of `resultCode`. Null while PROCESSING.
    pub result_message: Option<String>,
    /// The request, including the consent.
    pub request_meta: R,
    /// Result: the signal's items, in a fixed order. Empty unless `resultCode` is SUCCESS.
    pub items: Vec<SignalItem>,
}

/// Response to a request for an asynchronous signal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SignalStarted {
    /// Identifier of the signal. A webhook event delivers its result.
    pub id: SignalId,
}

impl fmt::Debug for ItemValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ItemValue(…)")
    }
}

impl fmt::Debug for SignalItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignalItem").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<R> fmt::Debug for Signal<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signal").field("id", &self.id).field("status", &self.status).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
