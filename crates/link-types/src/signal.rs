//! Signals: assessments of a person, computed from a mobile number, an email address or both (interface: "Signals
//! suite"; `resources.md`: "Signals, inputs and results").
//!
//! The items of each signal are in a separate module. `docs/reference/signals.md` has the same tables.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    UnknownWord,
    id::SignalId,
    record::{RecordStatus, ResultCode},
    time::{Date, Timestamp},
};

mod blacklist;
mod borrower_behavior;
mod borrower_screening;
mod consent;
mod credit_lifecycle;
mod footprints;
mod income_estimator;
mod item;
mod multiple_application_warning;
mod request;
mod social_security_signals;
mod verification;

pub use consent::SignalConsent;
pub use item::{ItemSpec, ItemValues, ValueType};
pub use request::{
    FootprintsRequest, IdType, IncomeEstimatorRequest, MobileSignalRequest, PersonId, RequestMeta,
    SignalRequest, SocialSecuritySignalsRequest, VerificationRequest,
};

words! {
    /// Kind of signal.
    SignalKind {
        /// Whether lenders have blacklisted the number.
        Blacklist = "BLACKLIST",
        /// How well the person handles loans.
        BorrowerBehavior = "BORROWER_BEHAVIOR",
        /// How trustworthy the number looks to a lender.
        BorrowerScreening = "BORROWER_SCREENING",
        /// The stage of the person's credit history.
        CreditLifecycle = "CREDIT_LIFECYCLE",
        /// Services where the number and the email address are registered.
        Footprints = "FOOTPRINTS",
        /// How often the person applied for loans recently.
        MultipleApplicationWarning = "MULTIPLE_APPLICATION_WARNING",
        /// Whether the person is who they claim to be. Asynchronous.
        Verification = "VERIFICATION",
        /// Employment and contributions according to social security.
        SocialSecuritySignals = "SOCIAL_SECURITY_SIGNAL",
        /// Estimate of the person's income.
        IncomeEstimator = "INCOME_ESTIMATOR",
    }
}

impl SignalKind {
    /// Returns the prefix of this kind's ids.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Blacklist => "bl-",
            Self::BorrowerBehavior => "bb-",
            Self::BorrowerScreening => "bs-",
            Self::CreditLifecycle => "cl-",
            Self::Footprints => "fp-",
            Self::MultipleApplicationWarning => "maw-",
            Self::Verification => "vf-",
            Self::SocialSecuritySignals => "sss-",
            Self::IncomeEstimator => "ie-",
        }
    }

    /// Returns the path of this kind, relative to the base URL.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Blacklist => "/alpha/blacklists",
            Self::BorrowerBehavior => "/beta/borrowerBehaviors",
            Self::BorrowerScreening => "/beta/borrowerScreenings",
            Self::CreditLifecycle => "/beta/creditLifecycles",
            Self::Footprints => "/alpha/footprints",
            Self::MultipleApplicationWarning => "/beta/multipleApplicationWarnings",
            Self::Verification => "/alpha/verifications",
            Self::SocialSecuritySignals => "/socialSecuritySignals",
            Self::IncomeEstimator => "/incomeEstimators",
        }
    }

    /// Returns the items of this kind, in the order of a result.
    pub const fn items(self) -> &'static [ItemSpec] {
        match self {
            Self::Blacklist => blacklist::ITEMS,
            Self::BorrowerBehavior => borrower_behavior::ITEMS,
            Self::BorrowerScreening => borrower_screening::ITEMS,
            Self::CreditLifecycle => credit_lifecycle::ITEMS,
            Self::Footprints => footprints::ITEMS,
            Self::MultipleApplicationWarning => multiple_application_warning::ITEMS,
            Self::Verification => verification::ITEMS,
            Self::SocialSecuritySignals => social_security_signals::ITEMS,
            Self::IncomeEstimator => income_estimator::ITEMS,
        }
    }

    /// Returns whether the response to the request already contains the result.
    pub const fn is_synchronous(self) -> bool {
        !matches!(self, Self::Verification)
    }

    /// Returns whether a signal of this kind with this result is charged (interface: "Billing").
    pub const fn is_billed(self, code: ResultCode) -> bool {
        match code {
            ResultCode::Success => true,
            ResultCode::NoData => matches!(self, Self::Verification),
            ResultCode::InvalidParameters | ResultCode::ServiceUnavailable | ResultCode::SystemError => false,
        }
    }
}

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

impl SignalId {
    /// Returns the kind of signal that the id's prefix belongs to.
    ///
    /// # Errors
    ///
    /// [`UnknownWord`] if the prefix is unknown. Ids that were parsed or built by [`SignalId::from_bytes`] never cause
    /// it.
    pub fn kind(&self) -> Result<SignalKind, UnknownWord> {
        let kind = SignalKind::ALL.iter().find(|kind| self.as_str().starts_with(kind.prefix()));
        kind.copied().ok_or(UnknownWord)
    }
}

#[cfg(test)]
mod tests;
