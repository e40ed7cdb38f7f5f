//! The port to the sources of records and signals.

use std::time::Duration;

use link_types::Date;
use link_types::record::{ResultCode, SocialSecurityRequest, SocialSecurityResult};
use link_types::signal::{SignalItem, SignalRequest};
use serde::{Deserialize, Serialize};

use super::Answer;

/// Where records and signals come from. It keeps nothing between calls, and asking it the same again must be safe: a
/// crash may have lost the answer.
pub trait RecordSource: Send + Sync {
    /// What the social security authority has on a person. `today` is the day on the tenant's clock. What it is asked
    /// was checked: template, CURP, mobile number and e-mail address are well-formed.
    fn social_security<'a>(
        &'a self,
        request: &'a SocialSecurityRequest,
        today: Date,
    ) -> Answer<'a, Outcome<SocialSecurityResult>>;

    /// The items of a signal. Those that are not in after `patience` are left null. `today` is the day on the tenant's
    /// clock. What it is asked was checked: mobile number, e-mail address and CURP are well-formed.
    fn signal<'a>(
        &'a self,
        request: &'a SignalRequest,
        patience: Duration,
        today: Date,
    ) -> Answer<'a, Outcome<SignalFindings>>;
}

/// The items that a source found, in the order of the signal's table; never printed.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SignalFindings(pub Vec<SignalItem>);

impl std::fmt::Debug for SignalFindings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SignalFindings({} items)", self.0.len())
    }
}

/// What a question to a source came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome<T> {
    /// It was found.
    Success(T),
    /// The source has nothing.
    NoData {},
    /// The source does not take these parameters.
    InvalidParameters {},
    /// The source cannot be reached, or returned an error.
    ServiceUnavailable {},
    /// A fault of the service.
    SystemError {},
}

impl<T> Outcome<T> {
    /// The code in the interface's words.
    pub const fn code(&self) -> ResultCode {
        match self {
            Self::Success(_) => ResultCode::Success,
            Self::NoData {} => ResultCode::NoData,
            Self::InvalidParameters {} => ResultCode::InvalidParameters,
            Self::ServiceUnavailable {} => ResultCode::ServiceUnavailable,
            Self::SystemError {} => ResultCode::SystemError,
        }
    }

    /// What was found.
    pub const fn found(&self) -> Option<&T> {
        match self {
            Self::Success(found) => Some(found),
            Self::NoData {}
            | Self::InvalidParameters {}
            | Self::ServiceUnavailable {}
            | Self::SystemError {} => None,
        }
    }
}
