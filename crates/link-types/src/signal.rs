//! Signals: what is computed of a person from a mobile number, an e-mail address or both (interface: "Signals
//! suite"; `resources.md`: "Signals, inputs and results").
//!
//! The items of each signal stand in a module of its own; `docs/reference/signals.md` shows the same tables.

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
    /// The nine signals.
    SignalKind {
        /// Whether lenders have the number on a list.
        Blacklist = "BLACKLIST",
        /// How the person treats loans.
        BorrowerBehavior = "BORROWER_BEHAVIOR",
        /// How the number itself looks to a lender.
        BorrowerScreening = "BORROWER_SCREENING",
        /// Where the person stands between first and last loan.
        CreditLifecycle = "CREDIT_LIFECYCLE",
        /// Services at which number and address are registered.
        Footprints = "FOOTPRINTS",
        /// How often the person applied for loans lately.
        MultipleApplicationWarning = "MULTIPLE_APPLICATION_WARNING",
        /// Whether the person is who they say; asynchronous.
        Verification = "VERIFICATION",
        /// What social security says of work and contributions.
        SocialSecuritySignals = "SOCIAL_SECURITY_SIGNAL",
        /// What the person is likely to earn.
        IncomeEstimator = "INCOME_ESTIMATOR",
    }
}

impl SignalKind {
    /// What the ids of this kind begin with.
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

    /// Its path, relative to the base address.
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

    /// Its items, in the order in which a result has them.
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

    /// Whether the answer to the request has the result already.
    pub const fn is_synchronous(self) -> bool {
        !matches!(self, Self::Verification)
    }

    /// Whether a signal that came to this is charged (interface: "Billing").
    pub const fn is_billed(self, code: ResultCode) -> bool {
        match code {
            ResultCode::Success => true,
            ResultCode::NoData => matches!(self, Self::Verification),
            ResultCode::InvalidParameters | ResultCode::ServiceUnavailable | ResultCode::SystemError => false,
        }
    }
}

/// The value of an item.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ItemValue {
    /// BOOLEAN.
    Boolean(bool),
    /// INTEGER.
    Integer(i64),
    /// NUMBER: at most two decimals.
    Number(f64),
    /// DATE_LIST: days, the latest first.
    Dates(Vec<Date>),
    /// STRING, one of the item's words; DATE, `YYYY-MM-DD`.
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
            .description(Some(
                "BOOLEAN, INTEGER, NUMBER, STRING, DATE, or DATE_LIST: days, the latest first.",
            ))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for ItemValue {}

/// One item of a result.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SignalItem {
    /// Its name, by the signal's table.
    pub name: String,
    /// Its value; null when it is not known.
    pub value: Option<ItemValue>,
    /// Of what type its value is.
    pub value_type: ValueType,
}

/// A signal. `R` is its request.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Signal<R> {
    /// Its prefix tells the kind.
    pub id: SignalId,
    /// Creation.
    pub created_at: Timestamp,
    /// How far it has come.
    pub status: RecordStatus,
    /// What it came to; null while PROCESSING.
    pub result_code: Option<ResultCode>,
    /// The code in words; null while PROCESSING.
    pub result_message: Option<String>,
    /// The request, consent included.
    pub request_meta: R,
    /// What was found: the items of the signal's table in their order; empty unless `resultCode` is SUCCESS.
    pub items: Vec<SignalItem>,
}

/// The answer to the request of an asynchronous signal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SignalStarted {
    /// The signal: its result comes with a webhook.
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
    /// The kind whose prefix the id has.
    ///
    /// # Errors
    ///
    /// [`UnknownWord`] never for an id that was parsed or made by [`SignalId::from_bytes`].
    pub fn kind(&self) -> Result<SignalKind, UnknownWord> {
        let kind = SignalKind::ALL.iter().find(|kind| self.as_str().starts_with(kind.prefix()));
        kind.copied().ok_or(UnknownWord)
    }
}

#[cfg(test)]
mod tests;
