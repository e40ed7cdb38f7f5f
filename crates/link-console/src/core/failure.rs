//! Why a request failed, from the status and the problem document of its response.

use link_types::problem::FieldFault;

use super::texts::{Language, faults};

/// Why a browser returned no credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrowserError {
    /// The browser does not support passkeys as this page needs them.
    Unsupported,
    /// The device has this passkey already.
    Exists,
    /// The member cancelled, or waited too long, or has no fitting passkey. Browsers do not say which.
    NotAllowed,
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The request has no session, or one that has ended.
    SignedOut,
    /// The role of the member does not allow the request.
    Denied,
    /// The member must confirm that it is them, and then repeat the request.
    Unconfirmed,
    /// The browser returned no passkey.
    Browser(BrowserError),
    /// Something does not exist any more.
    Gone,
    /// The service refuses the request as it is, or at present. The text is the service's.
    Refused(String),
    /// Too many requests. The number of seconds to wait.
    Busy(u32),
    /// Fields are not valid.
    Invalid(Vec<FieldFault>),
    /// The service was not reached.
    Offline,
    /// The service failed. The id is for its operator.
    Broken(String),
}

/// The parts of a problem document that the portal uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Problem {
    /// Code.
    pub code: String,
    /// Explanation for people.
    pub detail: String,
    /// Identifier of the request.
    pub request_id: String,
    /// Faults of fields.
    pub errors: Vec<FieldFault>,
}

impl Failure {
    /// Returns the failure that a response reports, in a language. `wait` is its `Retry-After`.
    pub fn from_response(status: u16, problem: Problem, wait: Option<u32>, language: Language) -> Self {
        match status {
            401 => Self::SignedOut,
            // The service has one code for both reasons.
            403 if problem.detail.is_empty() || problem.detail.starts_with("Your role") => Self::Denied,
            404 => Self::Gone,
            403 | 409 => Self::Refused(faults::translate_refusal(&problem.code, problem.detail, language)),
            429 => Self::Busy(wait.unwrap_or(1).max(1)),
            422 if !problem.errors.is_empty() => {
                let faults = problem.errors.into_iter();
                Self::Invalid(faults.map(|it| faults::translate(it, language)).collect())
            }
            _ => Self::Broken(problem.request_id),
        }
    }

    /// Returns the message about a field or one of its items, if the failure is about it.
    pub fn about_any(&self, field: &str) -> Option<&str> {
        let Self::Invalid(faults) = self else { return None };
        let is_about = |it: &&FieldFault| {
            it.field.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
        };
        faults.iter().find(is_about).map(|it| it.message.as_str())
    }

    /// Returns the message about a field, if the failure is about it.
    pub fn about(&self, field: &str) -> Option<&str> {
        match self {
            Self::Invalid(faults) => faults.iter().find(|it| it.field == field).map(|it| it.message.as_str()),
            Self::SignedOut
            | Self::Denied
            | Self::Unconfirmed
            | Self::Browser(_)
            | Self::Gone
            | Self::Refused(_)
            | Self::Busy(_)
            | Self::Offline
            | Self::Broken(_) => None,
        }
    }
}
