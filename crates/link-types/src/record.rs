//! Records, and the types they share with signals (interface: "Social security record", "Consent object").

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    id::{ConsentTemplateId, RecordId, UserId},
    money::Money,
    time::{Date, Timestamp},
};

words! {
    /// Type of a record.
    RecordType {
        /// Data that Mexico's national social security authority holds about a person.
        SocialSecurity = "SOCIAL_SECURITY",
    }
}

words! {
    /// Processing status of a record or signal.
    RecordStatus {
        /// The source is being queried.
        Processing = "PROCESSING",
        /// The source responded. `resultCode` has the outcome.
        Completed = "COMPLETED",
        /// The source could not be queried, or it failed.
        Error = "ERROR",
    }
}

words! {
    /// Outcome of a record or signal (interface: "Record result codes").
    ResultCode {
        /// Data was found and is in `result`.
        Success = "SUCCESS",
        /// The query was valid, but the source has no data.
        NoData = "NO_DATA",
        /// The parameters were rejected.
        InvalidParameters = "INVALID_PARAMETERS",
        /// The source could not be reached, or returned an error.
        ServiceUnavailable = "SERVICE_UNAVAILABLE",
        /// An internal error occurred in the service.
        SystemError = "SYSTEM_ERROR",
    }
}

impl ResultCode {
    /// Returns the status of a record or signal that ended with this code.
    pub const fn status(self) -> RecordStatus {
        match self {
            Self::Success | Self::NoData | Self::InvalidParameters => RecordStatus::Completed,
            Self::ServiceUnavailable | Self::SystemError => RecordStatus::Error,
        }
    }

    /// Describes the code in words, for `resultMessage`.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Success => "data was found",
            Self::NoData => "the source has no data about this person",
            Self::InvalidParameters => {
                "the parameters were rejected: one is malformed, or the template does not accept them"
            }
            Self::ServiceUnavailable => "the source could not be reached, or returned an error",
            Self::SystemError => "an internal error occurred in the service",
        }
    }
}

/// Implements `Debug` without printing any of a type's personal data.
macro_rules! hidden_debug {
    ($($name:ident),+) => {
        $(impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(concat!(stringify!($name), "(…)"))
            }
        })+
    };
}
pub(crate) use hidden_debug;

/// Template of social security records in Mexico.
pub const SOCIAL_SECURITY_TEMPLATE: &str = "tpl-sss003001";

/// Consent that a person gave for a record. The time and the text are required.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordConsent {
    /// Time of the consent, in UTC.
    pub consented_at: Timestamp,
    /// Consent template that was shown. It must belong to the same environment.
    #[serde(default)]
    pub consent_template_id: Option<ConsentTemplateId>,
    /// Label for the kind of consent, like `TERMS_AND_CONDITIONS`.
    #[serde(rename = "type", default)]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub consent_type: Option<String>,
    /// Version of the consent document.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub version: Option<String>,
    /// Text that was shown and accepted.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 65535))]
    pub consented_with: String,
}

/// Body of `POST /alpha/socialSecurities`. The request does not check whether the source accepts the values. If the
/// source would reject them, the record ends with INVALID_PARAMETERS.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SocialSecurityRequest {
    /// `tpl-sss003001` (Mexico).
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 100, example = "tpl-sss003001"))]
    pub template_id: String,
    /// Consent that the person gave.
    pub consent: RecordConsent,
    /// Country code and number, as digits without leading zeros, or the MD5 of those digits as 32 hex digits.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "525500000100"))]
    pub mobile_number: String,
    /// Full name as registered with the authority.
    #[cfg_attr(
        feature = "schema",
        schema(min_length = 1, max_length = 200, example = "Valeria Montelongo Olmedal")
    )]
    pub full_name: String,
    /// National population registry code (CURP), 18 characters.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "HEGG560427MVZRRL04"))]
    pub curp: String,
    /// Email address.
    #[cfg_attr(
        feature = "schema",
        schema(min_length = 1, max_length = 254, example = "valeria@example.com")
    )]
    pub email_address: String,
    /// User whom the record is about. The user must be in the same environment. `null` if the request names none.
    #[serde(default)]
    pub user_id: Option<UserId>,
}

/// Data that the authority holds about the person.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SocialSecurityResult {
    /// Name as recorded by the authority.
    pub full_name: String,
    /// National population registry code (CURP).
    pub curp: String,
    /// Social security number.
    pub nss: String,
    /// Date on which the report was generated.
    pub report_date: Date,
    /// Current employer.
    pub employer_name: String,
    /// Registration number of the employer.
    pub employer_registration: String,
    /// Mexican state where contributions are made.
    pub state: String,
    /// Number of days with contributions.
    pub contribution_days: u32,
    /// Base salary for contributions.
    pub contribution_base_amount: Money,
    /// Always MXN.
    pub currency: String,
}

/// A social security record.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SocialSecurity {
    /// Unique identifier of the record, with the prefix `ss-`.
    pub id: RecordId,
    /// Time at which the record was created.
    pub created_at: Timestamp,
    /// Processing status.
    pub status: RecordStatus,
    /// Outcome. Null while PROCESSING.
    pub result_code: Option<ResultCode>,
    /// Human-readable description of `resultCode`. Null while PROCESSING.
    pub result_message: Option<String>,
    /// Data that was found. Null unless `resultCode` is SUCCESS.
    pub result: Option<SocialSecurityResult>,
    /// The request, including the consent.
    pub request_meta: SocialSecurityRequest,
}

/// A record as RECORD_COMPLETED sends it. Its result also has the person's name as `name`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RecordPayload {
    /// Unique identifier of the record, with the prefix `ss-`.
    pub id: RecordId,
    /// Time at which the record was created.
    pub created_at: Timestamp,
    /// Processing status.
    pub status: RecordStatus,
    /// Outcome of the record.
    pub result_code: Option<ResultCode>,
    /// Human-readable description of `resultCode`.
    pub result_message: Option<String>,
    /// Data that was found. Null unless `resultCode` is SUCCESS.
    pub result: Option<PayloadResult>,
    /// The request, including the consent.
    pub request_meta: SocialSecurityRequest,
}

/// Result of a record in RECORD_COMPLETED.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PayloadResult {
    /// The same fields as in the REST resource.
    #[serde(flatten)]
    pub result: SocialSecurityResult,
    /// Same as `fullName`.
    pub name: String,
}

hidden_debug!(SocialSecurityRequest, SocialSecurityResult, PayloadResult);

impl fmt::Debug for SocialSecurity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SocialSecurity")
            .field("id", &self.id)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for RecordPayload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordPayload")
            .field("id", &self.id)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

impl From<SocialSecurity> for RecordPayload {
    fn from(record: SocialSecurity) -> Self {
        Self {
            id: record.id,
            created_at: record.created_at,
            status: record.status,
            result_code: record.result_code,
            result_message: record.result_message,
            result: record.result.map(|result| PayloadResult { name: result.full_name.clone(), result }),
            request_meta: record.request_meta,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_source_failures_give_record_status_error() {
        let errors: Vec<_> =
            ResultCode::ALL.iter().filter(|code| code.status() == RecordStatus::Error).collect();
        assert_eq!(errors, [&ResultCode::ServiceUnavailable, &ResultCode::SystemError]);
    }

    #[test]
    fn debug_output_hides_the_request_fields() {
        let request = SocialSecurityRequest {
            template_id: SOCIAL_SECURITY_TEMPLATE.to_owned(),
            consent: RecordConsent {
                consented_at: Timestamp::from_micros(0),
                consent_template_id: None,
                consent_type: None,
                version: None,
                consented_with: "I agree".to_owned(),
            },
            mobile_number: "525500000100".to_owned(),
            full_name: "Valeria".to_owned(),
            curp: "HEGG560427MVZRRL04".to_owned(),
            email_address: "valeria@example.com".to_owned(),
            user_id: None,
        };
        assert_eq!(format!("{request:?}"), "SocialSecurityRequest(…)");
    }
}
