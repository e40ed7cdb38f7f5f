//! Requests for signals (`resources.md`: "Signals, inputs and results").

use serde::{Deserialize, Serialize};

use super::{SignalConsent, SignalKind};
use crate::{record::hidden_debug, time::Date};

/// Body of a request for a signal that needs only a mobile number.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MobileSignalRequest {
    /// Country code and number, as digits without leading zeros, or the MD5 of those digits as 32 hex digits.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "525500000100"))]
    pub mobile_number: String,
    /// Consent that the person gave.
    pub consent: SignalConsent,
}

/// Body of `POST /alpha/footprints`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FootprintsRequest {
    /// Country code and number, as digits without leading zeros, or the MD5 of those digits as 32 hex digits. Required
    /// without `emailAddress`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "525500000100"))]
    pub mobile_number: Option<String>,
    /// Email address. Required without `mobileNumber`.
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schema(min_length = 1, max_length = 254, example = "valeria@example.com")
    )]
    pub email_address: Option<String>,
    /// Seconds to wait for items. Defaults to 10. Items that are not available by then are null.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 30))]
    pub timeout: Option<u8>,
    /// Consent that the person gave.
    pub consent: SignalConsent,
}

words! {
    /// Kind of identification number.
    IdType {
        /// National population registry code (Mexico).
        Curp = "CURP",
        /// Taxpayer number (Mexico).
        Rfc = "RFC",
        /// Social security number (Mexico).
        Nss = "NSS",
        /// Number of the voter card (Mexico).
        VoterId = "VOTER_ID",
        /// Passport number.
        Passport = "PASSPORT",
    }
}

/// Identification number of the person.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PersonId {
    /// Kind of identification number.
    #[serde(rename = "type")]
    pub id_type: IdType,
    /// Identification number.
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
    /// Other given names.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 100))]
    pub middle_name: Option<String>,
    /// Family names.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 100, example = "Montelongo Olmedal"))]
    pub last_name: String,
    /// Date of birth.
    pub dob: Date,
    /// Identification numbers of the person.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 5))]
    pub ids: Vec<PersonId>,
    /// Country code and number, as digits without leading zeros, or the MD5 of those digits as 32 hex digits. Required
    /// without `emailAddress`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "525500000100"))]
    pub mobile_number: Option<String>,
    /// Email address. Required without `mobileNumber`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 254))]
    pub email_address: Option<String>,
    /// Current employer.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub employer_name: Option<String>,
    /// Consent that the person gave.
    pub consent: SignalConsent,
}

/// Body of `POST /socialSecuritySignals`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SocialSecuritySignalsRequest {
    /// Country code and number, as digits without leading zeros, or the MD5 of those digits as 32 hex digits.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "525500000100"))]
    pub mobile_number: String,
    /// National population registry code (CURP), 18 characters.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "HEGG560427MVZRRL04"))]
    pub curp: String,
    /// Consent that the person gave.
    pub consent: SignalConsent,
}

/// Body of `POST /incomeEstimators`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IncomeEstimatorRequest {
    /// Email address.
    #[cfg_attr(
        feature = "schema",
        schema(min_length = 1, max_length = 254, example = "success@example.com")
    )]
    pub email_address: String,
    /// Consent that the person gave.
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

/// Request for any kind of signal. This is the form that is stored.
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

/// Request for any kind of signal, as `requestMeta` contains it.
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
    /// Returns the kind of signal that is requested.
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

    /// Returns the request in the form of `requestMeta`.
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

    /// Returns the consent that the person gave.
    pub fn consent(&self) -> &SignalConsent {
        match self.meta() {
            RequestMeta::Mobile(it) => &it.consent,
            RequestMeta::Footprints(it) => &it.consent,
            RequestMeta::Verification(it) => &it.consent,
            RequestMeta::SocialSecuritySignals(it) => &it.consent,
            RequestMeta::IncomeEstimator(it) => &it.consent,
        }
    }

    /// Returns the mobile number or its MD5, if the signal takes one.
    pub fn mobile_number(&self) -> Option<&str> {
        match self.meta() {
            RequestMeta::Mobile(it) => Some(&it.mobile_number),
            RequestMeta::Footprints(it) => it.mobile_number.as_deref(),
            RequestMeta::Verification(it) => it.mobile_number.as_deref(),
            RequestMeta::SocialSecuritySignals(it) => Some(&it.mobile_number),
            RequestMeta::IncomeEstimator(_) => None,
        }
    }

    /// Returns whether the request says whom it is about: by number, by address, or both.
    pub fn names_somebody(&self) -> bool {
        self.mobile_number().or(self.email_address()).is_some()
    }

    /// Returns the email address, if the request has one.
    pub fn email_address(&self) -> Option<&str> {
        match self.meta() {
            RequestMeta::Mobile(_) | RequestMeta::SocialSecuritySignals(_) => None,
            RequestMeta::Footprints(it) => it.email_address.as_deref(),
            RequestMeta::Verification(it) => it.email_address.as_deref(),
            RequestMeta::IncomeEstimator(it) => Some(&it.email_address),
        }
    }
}
