//! Records and what they share with signals (interface: "Social security record", "Consent object").

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    id::{ConsentTemplateId, RecordId},
    money::Money,
    time::{Date, Timestamp},
};

words! {
    /// The type of a record.
    RecordType {
        /// What the national social security authority of Mexico has on a person.
        SocialSecurity = "SOCIAL_SECURITY",
    }
}

words! {
    /// How far a record or a signal has come.
    RecordStatus {
        /// The source is being asked.
        Processing = "PROCESSING",
        /// The source answered: the outcome is in `resultCode`.
        Completed = "COMPLETED",
        /// The source could not be asked, or failed.
        Error = "ERROR",
    }
}

words! {
    /// What a record or a signal came to (interface: "Record result codes").
    ResultCode {
        /// Data was found and is in the result.
        Success = "SUCCESS",
        /// The query was valid and the source has nothing.
        NoData = "NO_DATA",
        /// The parameters were rejected.
        InvalidParameters = "INVALID_PARAMETERS",
        /// The source could not be reached, or returned an error.
        ServiceUnavailable = "SERVICE_UNAVAILABLE",
        /// A fault of the service.
        SystemError = "SYSTEM_ERROR",
    }
}

impl ResultCode {
    /// The status of what ended with this code.
    pub const fn status(self) -> RecordStatus {
        match self {
            Self::Success | Self::NoData | Self::InvalidParameters => RecordStatus::Completed,
            Self::ServiceUnavailable | Self::SystemError => RecordStatus::Error,
        }
    }

    /// The code in words: `resultMessage`.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Success => "data was found",
            Self::NoData => "the source has nothing on this person",
            Self::InvalidParameters => {
                "the parameters were rejected: one is malformed, or the template does not take them"
            }
            Self::ServiceUnavailable => "the source cannot be reached or returned an error",
            Self::SystemError => "a fault of the service",
        }
    }
}

/// Hides a type of personal data from `Debug`.
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

/// The template of social security records in Mexico.
pub const SOCIAL_SECURITY_TEMPLATE: &str = "tpl-sss003001";

/// The consent a person gave to a record: at least when, and the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordConsent {
    /// When the person consented, UTC.
    pub consented_at: Timestamp,
    /// The consent template that was shown, of this environment.
    #[serde(default)]
    pub consent_template_id: Option<ConsentTemplateId>,
    /// A label of the kind of consent, like `TERMS_AND_CONDITIONS`.
    #[serde(rename = "type", default)]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub consent_type: Option<String>,
    /// Version of the consent document.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub version: Option<String>,
    /// The text that was shown and accepted.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 65535))]
    pub consented_with: String,
}

/// Body of `POST /alpha/socialSecurities`. Content is not refused here: what the source would reject ends in
/// INVALID_PARAMETERS.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SocialSecurityRequest {
    /// `tpl-sss003001` (Mexico).
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 100, example = "tpl-sss003001"))]
    pub template_id: String,
    /// What the person consented to.
    pub consent: RecordConsent,
    /// Country code and number, digits without leading zeros; or the MD5 of them, 32 hex digits.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "525500000100"))]
    pub mobile_number: String,
    /// Full name as registered with the authority.
    #[cfg_attr(
        feature = "schema",
        schema(min_length = 1, max_length = 200, example = "Valeria Montelongo Olmedal")
    )]
    pub full_name: String,
    /// National population registry code, 18 characters.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64, example = "HEGG560427MVZRRL04"))]
    pub curp: String,
    /// E-mail address.
    #[cfg_attr(
        feature = "schema",
        schema(min_length = 1, max_length = 254, example = "valeria@example.com")
    )]
    pub email_address: String,
}

/// What the authority has on the person.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SocialSecurityResult {
    /// Name as recorded by the authority.
    pub full_name: String,
    /// National population registry code.
    pub curp: String,
    /// Social security number.
    pub nss: String,
    /// Day the report was generated.
    pub report_date: Date,
    /// Current employer.
    pub employer_name: String,
    /// Employer's registration number.
    pub employer_registration: String,
    /// Mexican state where contributions are made.
    pub state: String,
    /// Days of contributions.
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
    /// Prefix `ss-`.
    pub id: RecordId,
    /// Creation.
    pub created_at: Timestamp,
    /// How far it has come.
    pub status: RecordStatus,
    /// What it came to; null while PROCESSING.
    pub result_code: Option<ResultCode>,
    /// The code in words; null while PROCESSING.
    pub result_message: Option<String>,
    /// What was found; null unless `resultCode` is SUCCESS.
    pub result: Option<SocialSecurityResult>,
    /// The request, consent included.
    pub request_meta: SocialSecurityRequest,
}

/// A record as RECORD_COMPLETED carries it: the result names the person in `name` too.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RecordPayload {
    /// Prefix `ss-`.
    pub id: RecordId,
    /// Creation.
    pub created_at: Timestamp,
    /// How far it has come.
    pub status: RecordStatus,
    /// What it came to.
    pub result_code: Option<ResultCode>,
    /// The code in words.
    pub result_message: Option<String>,
    /// What was found; null unless `resultCode` is SUCCESS.
    pub result: Option<PayloadResult>,
    /// The request, consent included.
    pub request_meta: SocialSecurityRequest,
}

/// The result in RECORD_COMPLETED.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PayloadResult {
    /// The result as REST shows it.
    #[serde(flatten)]
    pub result: SocialSecurityResult,
    /// The same as `fullName`.
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
    fn errors_of_the_source_end_in_error_and_its_answers_in_completed() {
        let errors: Vec<_> =
            ResultCode::ALL.iter().filter(|code| code.status() == RecordStatus::Error).collect();
        assert_eq!(errors, [&ResultCode::ServiceUnavailable, &ResultCode::SystemError]);
    }

    #[test]
    fn debug_shows_nothing_of_a_request() {
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
        };
        assert_eq!(format!("{request:?}"), "SocialSecurityRequest(…)");
    }
}
