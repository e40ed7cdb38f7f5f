//! Port to the sources of records and signals.

use std::time::Duration;

use link_types::Date;
use link_types::record::{ResultCode, SocialSecurityRequest, SocialSecurityResult};
use link_types::signal::{SignalItem, SignalRequest};
use serde::{Deserialize, Serialize};

use super::future::BoxFuture;

/// Source of records and signals. It is stateless between calls. Repeating a call must be safe, because a crash may
/// have lost the result.
pub trait RecordSource: Send + Sync {
    /// Queries the social security authority about a person. `today` is the date on the tenant's clock. The request is
    /// already validated: template, CURP, mobile number and email address are well-formed.
    fn social_security<'a>(
        &'a self,
        request: &'a SocialSecurityRequest,
        today: Date,
    ) -> BoxFuture<'a, Outcome<SocialSecurityResult>>;

    /// Queries the items of a signal. Items that are not available after `patience` are null. `today` is the date on
    /// the tenant's clock. The request is already validated: mobile number, email address and CURP are well-formed.
    fn signal<'a>(
        &'a self,
        request: &'a SignalRequest,
        patience: Duration,
        today: Date,
    ) -> BoxFuture<'a, Outcome<SignalFindings>>;
}

/// Items that a source found, in the order of the signal's table. `Debug` does not print them.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SignalFindings(pub Vec<SignalItem>);

impl std::fmt::Debug for SignalFindings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SignalFindings({} items)", self.0.len())
    }
}

/// Outcome of a query to a source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome<T> {
    /// Data was found.
    Success(T),
    /// The source has no data.
    NoData {},
    /// The source does not accept these parameters.
    InvalidParameters {},
    /// The source could not be reached, or returned an error.
    ServiceUnavailable {},
    /// An internal error occurred in the service.
    SystemError {},
}

impl<T> Outcome<T> {
    /// Returns the result code, as the interface defines it.
    pub const fn code(&self) -> ResultCode {
        match self {
            Self::Success(_) => ResultCode::Success,
            Self::NoData {} => ResultCode::NoData,
            Self::InvalidParameters {} => ResultCode::InvalidParameters,
            Self::ServiceUnavailable {} => ResultCode::ServiceUnavailable,
            Self::SystemError {} => ResultCode::SystemError,
        }
    }

    /// Returns the data that was found.
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
