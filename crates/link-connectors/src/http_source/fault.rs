//! Errors between the service and a connector, and their consequences.
//!
//! Faults are logged, so they contain nothing of a body: bodies have credentials and personal data.

use std::error::Error;
use std::time::Duration;

use link_types::LinkErrorCode;
use tokio_rustls::rustls::{self, CertificateError};

/// The error of one try.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ExchangeError {
    /// No connection, so nothing was sent.
    #[error("no connection could be made")]
    Unreachable,
    /// The connector's certificate is not trusted, so nothing was sent.
    #[error("the connector's certificate is rejected: {why}")]
    Untrusted {
        /// The reason, and what to do.
        why: &'static str,
    },
    /// The connection ended before the response was complete.
    #[error("the connection ended before the response was complete")]
    Broken,
    /// No response in time.
    #[error("no response came in time")]
    Late,
    /// The connector, or a proxy in front of it, has no capacity. It did not process the request.
    #[error("the connector is busy and responded with {status}")]
    Busy {
        /// 429 or 503.
        status: u16,
        /// The value of `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// A proxy in front of the connector got no response from it.
    #[error("a gateway responded with {status}")]
    Gateway {
        /// 502 or 504.
        status: u16,
    },
    /// The connector rejects this service's signature: the secrets or clocks differ.
    #[error("the connector rejected the signature (401): do secret and clock agree?")]
    SignatureRefused,
    /// A status that the protocol does not define.
    #[error("the connector responded with {status}")]
    Status {
        /// The status.
        status: u16,
    },
    /// The response is not signed as the protocol requires.
    #[error("the response's signature is missing or wrong")]
    Unsigned,
    /// The response exceeds the operation's limit.
    #[error("the response is larger than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// The picture of a challenge could not be encoded, because the encoder is unavailable.
    #[error("the encoder of pictures is unavailable")]
    NoEncoder,
    /// The response does not follow the protocol.
    #[error("the response does not follow the protocol, at {path}")]
    Malformed {
        /// The location: field names and positions, never a value.
        path: String,
    },
}

impl ExchangeError {
    /// Converts the error of a request without a response.
    pub(super) fn from_client(error: &hyper_util::client::legacy::Error) -> Self {
        match certificate_error(error) {
            Some(error) => Self::Untrusted { why: why(error) },
            None if error.is_connect() => Self::Unreachable,
            None => Self::Broken,
        }
    }

    /// Creates a fault for a location in a response.
    pub(super) fn at(path: impl Into<String>) -> Self {
        Self::Malformed { path: path.into() }
    }

    /// Returns the code with which the account's link or reading ends.
    pub(super) const fn code(&self) -> LinkErrorCode {
        match self {
            Self::Unreachable
            | Self::Broken
            | Self::Late
            | Self::Busy { .. }
            | Self::Gateway { .. }
            | Self::NoEncoder => LinkErrorCode::ServiceUnavailable,
            Self::Untrusted { .. }
            | Self::SignatureRefused
            | Self::Status { .. }
            | Self::Unsigned
            | Self::TooLarge { .. }
            | Self::Malformed { .. } => LinkErrorCode::SystemError,
        }
    }

    /// Returns whether an operator must fix something: a secret, a clock, or the connector's program.
    pub(super) const fn is_operators(&self) -> bool {
        matches!(self.code(), LinkErrorCode::SystemError)
    }

    /// Returns how long to wait before another try, or `None` to stop. A request that may have been processed is
    /// retried only if it is `repeatable`.
    pub(super) fn wait(&self, tries: u32, repeatable: bool) -> Option<Duration> {
        const FIRST: Duration = Duration::from_millis(250);
        const MAX_WAIT: Duration = Duration::from_secs(5);
        const TRIES: u32 = 3;
        let usual = FIRST * 4_u32.pow(tries.saturating_sub(1).min(3));
        let wait = match self {
            Self::Unreachable => usual,
            Self::Busy { retry_after, .. } => retry_after.unwrap_or(usual),
            Self::Broken | Self::Gateway { .. } if repeatable => usual,
            Self::Broken
            | Self::Gateway { .. }
            | Self::Late
            | Self::Untrusted { .. }
            | Self::SignatureRefused
            | Self::Status { .. }
            | Self::Unsigned
            | Self::TooLarge { .. }
            | Self::NoEncoder
            | Self::Malformed { .. } => return None,
        };
        (tries < TRIES && wait <= MAX_WAIT).then_some(wait)
    }
}

/// Returns the certificate error among the causes of a client error, if there is one.
fn certificate_error<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e CertificateError> {
    if let Some(rustls::Error::InvalidCertificate(error)) = error.downcast_ref() {
        return Some(error);
    }
    // An I/O error does not return its inner error as its source.
    let wrapped = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    match wrapped {
        Some(wrapped) => certificate_error(wrapped),
        None => certificate_error(error.source()?),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the library may add reasons")]
const fn why(error: &CertificateError) -> &'static str {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "it is not valid yet: is this machine's clock right?"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its name differs from that of the url"
        }
        // A certificate from an authority with the same name but another key does not verify.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "its authority is neither in the system's trust store nor in the ca-file of the settings"
        }
        CertificateError::Revoked => "it was revoked",
        _ => "it cannot be verified",
    }
}
