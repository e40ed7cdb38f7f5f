//! What each signal is asked with (`resources.md`: "Signals, inputs and results").

use serde::{Deserialize, Serialize};

use super::{SignalConsent, SignalKind};
use crate::{record::hidden_debug, time::Date};

/// Body of a signal that needs a mobile number alone.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MobileSignalRequest {
    /// Country code and number, digits without leading zeros; or the MD5 of them, 32 hex digits.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "525500000100"))]
    pub mobile_number: String,
    /// What the person consented to.
    pub consent: SignalConsent,
}

/// Body of `POST /alpha/footprints`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FootprintsRequest {
    /// Country code and number, digits without leading zeros; or the MD5 of them, 32 hex digits.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "525500000100"))]
    pub mobile_number: String,
    /// E-mail address.
    #[cfg_attr(
        feature = "schema",
        schema(min_length = 1, max_length = 254, example = "valeria@example.com")
    )]
    pub email_address: String,
    /// Seconds to wait for items, 10 when left out; what is not in by then is null.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 30))]
    pub timeout: Option<u8>,
    /// What the person consented to.
    pub consent: SignalConsent,
}

words! {
    /// The kind of an identification number.
    IdType {
        /// National population registry code (Mexico).
        Curp = "CURP",
        /// Taxpayer's number (Mexico).
        Rfc = "RFC",
        /// Social security number (Mexico).
        Nss = "NSS",
        /// Number of the voter's card (Mexico).
        VoterId = "VOTER_ID",
        /// Number of the passport.
        Passport = "PASSPORT",
    }
}

/// An identification number of the person.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PersonId {
    /// Its kind.
    #[serde(rename = "type")]
    pub id_type: IdType,
    /// The number.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "HEGG560427MVZRRL04"))]
    pub number: String,
}

/// Body of `POST /alpha/verifications`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VerificationRequest {
    /// Given name.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 100, example = "Valeria"))]
    pub first_name: String,
    /// Further given names.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 100))]
    pub middle_name: Option<String>,
    /// Family names.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 100, example = "Montelongo Olmedal"))]
    pub last_name: String,
    /// Date of birth.
    pub dob: Date,
    /// The person's identification numbers.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 5))]
    pub ids: Vec<PersonId>,
    /// Country code and number, digits without leading zeros; or the MD5 of them, 32 hex digits.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "525500000100"))]
    pub mobile_number: String,
    /// E-mail address.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 254))]
    pub email_address: Option<String>,
    /// Current employer.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub employer_name: Option<String>,
    /// What the person consented to.
    pub consent: SignalConsent,
}

/// Body of `POST /socialSecuritySignals`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SocialSecuritySignalsRequest {
    /// Country code and number, digits without leading zeros; or the MD5 of them, 32 hex digits.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "525500000100"))]
    pub mobile_number: String,
    /// National population registry code, 18 characters.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "HEGG560427MVZRRL04"))]
    pub curp: String,
    /// What the person consented to.
    pub consent: SignalConsent,
}

/// Body of `POST /incomeEstimators`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IncomeEstimatorRequest {
    /// E-mail address.
    #[cfg_attr(
        feature = "schema",
        schema(min_length = 1, max_length = 254, example = "success@example.com")
    )]
    pub email_address: String,
    /// What the person consented to.
    pub consent: SignalConsent,
}

hidden_debug!(
    MobileSignalRequest,
    FootprintsRequest,
    PersonId,
    VerificationRequest,
    SocialSecuritySignalsRequest,
    IncomeEstimatorRequest
);

/// The request of any signal, by kind: the form that is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "each variant is the request of the kind of its name")]
pub enum SignalRequest {
    Blacklist(MobileSignalRequest),
    BorrowerBehavior(MobileSignalRequest),
    BorrowerScreening(MobileSignalRequest),
    CreditLifecycle(MobileSignalRequest),
    Footprints(FootprintsRequest),
    MultipleApplicationWarning(MobileSignalRequest),
    Verification(Box<VerificationRequest>),
    SocialSecuritySignals(SocialSecuritySignalsRequest),
    IncomeEstimator(IncomeEstimatorRequest),
}

/// The request of any signal, as `requestMeta` shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each variant is the request of its name")]
pub enum RequestMeta<'a> {
    Mobile(&'a MobileSignalRequest),
    Footprints(&'a FootprintsRequest),
    Verification(&'a VerificationRequest),
    SocialSecuritySignals(&'a SocialSecuritySignalsRequest),
    IncomeEstimator(&'a IncomeEstimatorRequest),
}

impl SignalRequest {
    /// Which signal is asked for.
    pub const fn kind(&self) -> SignalKind {
        match self {
            Self::Blacklist(_) => SignalKind::Blacklist,
            Self::BorrowerBehavior(_) => SignalKind::BorrowerBehavior,
            Self::BorrowerScreening(_) => SignalKind::BorrowerScreening,
            Self::CreditLifecycle(_) => SignalKind::CreditLifecycle,
            Self::Footprints(_) => SignalKind::Footprints,
            Self::MultipleApplicationWarning(_) => SignalKind::MultipleApplicationWarning,
            Self::Verification(_) => SignalKind::Verification,
            Self::SocialSecuritySignals(_) => SignalKind::SocialSecuritySignals,
            Self::IncomeEstimator(_) => SignalKind::IncomeEstimator,
        }
    }

    /// The request as `requestMeta` shows it.
    pub fn meta(&self) -> RequestMeta<'_> {
        match self {
            Self::Blacklist(it)
            | Self::BorrowerBehavior(it)
            | Self::BorrowerScreening(it)
            | Self::CreditLifecycle(it)
            | Self::MultipleApplicationWarning(it) => RequestMeta::Mobile(it),
            Self::Footprints(it) => RequestMeta::Footprints(it),
            Self::Verification(it) => RequestMeta::Verification(it),
            Self::SocialSecuritySignals(it) => RequestMeta::SocialSecuritySignals(it),
            Self::IncomeEstimator(it) => RequestMeta::IncomeEstimator(it),
        }
    }

    /// What the person consented to.
    pub fn consent(&self) -> &SignalConsent {
        match self.meta() {
            RequestMeta::Mobile(it) => &it.consent,
            RequestMeta::Footprints(it) => &it.consent,
            RequestMeta::Verification(it) => &it.consent,
            RequestMeta::SocialSecuritySignals(it) => &it.consent,
            RequestMeta::IncomeEstimator(it) => &it.consent,
        }
    }

    /// The mobile number, or its MD5, where the signal takes one.
    pub fn mobile_number(&self) -> Option<&str> {
        match self.meta() {
            RequestMeta::Mobile(it) => Some(&it.mobile_number),
            RequestMeta::Footprints(it) => Some(&it.mobile_number),
            RequestMeta::Verification(it) => Some(&it.mobile_number),
            RequestMeta::SocialSecuritySignals(it) => Some(&it.mobile_number),
            RequestMeta::IncomeEstimator(_) => None,
        }
    }

    /// The e-mail address, where there is one.
    pub fn email_address(&self) -> Option<&str> {
        match self.meta() {
            RequestMeta::Mobile(_) | RequestMeta::SocialSecuritySignals(_) => None,
            RequestMeta::Footprints(it) => Some(&it.email_address),
            RequestMeta::Verification(it) => it.email_address.as_deref(),
            RequestMeta::IncomeEstimator(it) => Some(&it.email_address),
        }
    }
}
