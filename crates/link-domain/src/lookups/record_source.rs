//! Port to the sources of records and signals.

use std::time::Duration;

use link_types::id::RecordId;
use link_types::record::{ResultCode, SocialSecurityRequest, SocialSecurityResult};
use link_types::signal::{SignalId, SignalItem, SignalRequest};
use serde::{Deserialize, Serialize};

use crate::kernel::clock::TenantTime;
use crate::kernel::system::BoxFuture;

/// Source of records and signals. It is stateless between calls. Repeating a call must be safe, because a crash may
/// have lost the result.
pub trait RecordSource: Send + Sync {
    /// Queries the social security authority about a person. The request is already validated: template, CURP, mobile
    /// number and email address are well-formed.
    fn social_security<'a>(&'a self, query: RecordQuery<'a>) -> BoxFuture<'a, Queried<SocialSecurityResult>>;

    /// Queries the items of a signal. The request is already validated: mobile number, email address and CURP are
    /// well-formed.
    fn signal<'a>(&'a self, query: SignalQuery<'a>) -> BoxFuture<'a, Queried<SignalFindings>>;
}

/// A query for a record.
#[derive(Clone, Copy, Debug)]
pub struct RecordQuery<'a> {
    /// The record. Every repetition of the query has the same one.
    pub id: &'a RecordId,
    /// Values that the tenant sent.
    pub request: &'a SocialSecurityRequest,
    /// The source's task for this record, if an earlier query started one.
    pub task: Option<&'a SourceTask>,
    /// The time on the tenant's clock.
    pub at: TenantTime,
}

/// A query for a signal.
#[derive(Clone, Copy, Debug)]
pub struct SignalQuery<'a> {
    /// The signal. Every repetition of the query has the same one.
    pub id: &'a SignalId,
    /// Values that the tenant sent.
    pub request: &'a SignalRequest,
    /// The source's task for this signal, if an earlier query started one.
    pub task: Option<&'a SourceTask>,
    /// Items that are not available after this time are null.
    pub timeout: Duration,
    /// The time on the tenant's clock.
    pub at: TenantTime,
}

/// A source's name for a query that it has accepted and not finished. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceTask(String);

impl SourceTask {
    /// The maximum length, in characters.
    const MAX_LENGTH: usize = 128;

    /// Returns the task with this name, or `None` if it is not 1 to 128 letters, digits, `-` and `_`. A name is part of
    /// a path.
    pub fn new(name: impl Into<String>) -> Option<Self> {
        let name = name.into();
        let fits = (1..=Self::MAX_LENGTH).contains(&name.len())
            && name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_'));
        fits.then_some(Self(name))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for SourceTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SourceTask(…)")
    }
}

/// Response of a source to a query.
#[derive(Clone, Debug, PartialEq)]
pub enum Queried<T> {
    /// The query has ended.
    Ended(Outcome<T>),
    /// The source works on the query. Query it again with this task.
    Waiting {
        /// The source's task.
        task: SourceTask,
        /// How long to wait before the next query, at least.
        after: Duration,
    },
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

/// A parameter of a record or signal that was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "each variant is the parameter of its name")]
pub enum RejectedParameter {
    TemplateId,
    MobileNumber,
    EmailAddress,
    Curp,
}

impl RejectedParameter {
    /// Names the parameter and describes its form.
    const fn message(self) -> &'static str {
        match self {
            Self::TemplateId => {
                "the source does not accept `templateId`: send a template for these parameters, like tpl-sss003001"
            }
            Self::MobileNumber => {
                "the source does not accept `mobileNumber`: send a country code and number of 8 to 15 digits without + and \
                 leading zeros, or their MD5"
            }
            Self::EmailAddress => {
                "the source does not accept `emailAddress`: send an email address, like name@example.com"
            }
            Self::Curp => {
                "the source does not accept `curp`: send a CURP of 18 characters with a valid check digit"
            }
        }
    }
}

/// The words for a record or signal that no source serves.
const NO_SOURCE: &str = "no source is configured for it: the operator of the service must connect one, and a retry changes nothing";

/// Outcome of a query to a source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome<T> {
    /// Data was found.
    Success(T),
    /// The source has no data.
    NoData {},
    /// The source does not accept these parameters.
    InvalidParameters {
        /// The rejected parameters. Empty if the source did not name them.
        #[serde(default)]
        rejected: Vec<RejectedParameter>,
    },
    /// The source could not be reached, or returned an error.
    ServiceUnavailable {},
    /// The operator has not configured a source.
    NoSource {},
    /// An internal error occurred in the service.
    SystemError {},
}

impl<T> Outcome<T> {
    /// Returns the result code, as the interface defines it.
    pub const fn code(&self) -> ResultCode {
        match self {
            Self::Success(_) => ResultCode::Success,
            Self::NoData {} => ResultCode::NoData,
            Self::InvalidParameters { .. } => ResultCode::InvalidParameters,
            Self::ServiceUnavailable {} | Self::NoSource {} => ResultCode::ServiceUnavailable,
            Self::SystemError {} => ResultCode::SystemError,
        }
    }

    /// Describes the outcome in words, for `resultMessage`. The words never repeat a value.
    pub fn message(&self) -> String {
        match self {
            Self::InvalidParameters { rejected } if !rejected.is_empty() => {
                let each: Vec<_> = rejected.iter().map(|it| it.message()).collect();
                format!("the parameters were rejected: {}", each.join("; "))
            }
            Self::NoSource {} => NO_SOURCE.to_owned(),
            Self::Success(_)
            | Self::NoData {}
            | Self::InvalidParameters { .. }
            | Self::ServiceUnavailable {}
            | Self::SystemError {} => self.code().message().to_owned(),
        }
    }

    /// Returns the data that was found.
    pub const fn as_found(&self) -> Option<&T> {
        match self {
            Self::Success(found) => Some(found),
            Self::NoData {}
            | Self::InvalidParameters { .. }
            | Self::ServiceUnavailable {}
            | Self::NoSource {}
            | Self::SystemError {} => None,
        }
    }
}
