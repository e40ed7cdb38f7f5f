//! What can go wrong between the service and a connector, and what becomes of it.
//!
//! No fault holds anything of a body: credentials and people's data pass here, and faults are logged.

use std::error::Error;
use std::time::Duration;

use link_types::LinkErrorCode;
use tokio_rustls::rustls::{self, CertificateError};

/// What went wrong with one try.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// No connection: nothing was sent.
    #[error("no connection could be made")]
    Unreachable,
    /// The connector's certificate is not one to trust: nothing was sent.
    #[error("the connector's certificate is refused: {why}")]
    Untrusted {
        /// Why, and what to do.
        why: &'static str,
    },
    /// The connection ended before the answer did.
    #[error("the connection ended before the answer did")]
    Broken,
    /// No answer in time.
    #[error("no answer came in time")]
    Late,
    /// The connector, or a proxy before it, has no capacity now: it did not take the request up.
    #[error("the connector answered {status}: later")]
    Busy {
        /// 429 or 503.
        status: u16,
        /// What it said in `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// A proxy before the connector did not get its answer.
    #[error("a gateway answered {status}")]
    Gateway {
        /// 502 or 504.
        status: u16,
    },
    /// The connector does not take requests of this service: secret or clock differ.
    #[error("the connector refused the signature (401): do secret and clock agree?")]
    SignatureRefused,
    /// Another status than the protocol knows.
    #[error("the connector answered {status}")]
    Status {
        /// The status.
        status: u16,
    },
    /// The answer is not signed as the protocol says.
    #[error("the answer's signature is missing or wrong")]
    Unsigned,
    /// The answer is larger than the operation allows.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// The answer is not what the protocol says.
    #[error("the answer is not as the protocol says, at {path}")]
    Malformed {
        /// Where: names of fields and positions, never a value.
        path: String,
    },
}

impl Fault {
    /// What became of a request that got no answer.
    pub(super) fn of(error: &hyper_util::client::legacy::Error) -> Self {
        match certificate_error(error) {
            Some(error) => Self::Untrusted { why: why(error) },
            None if error.is_connect() => Self::Unreachable,
            None => Self::Broken,
        }
    }

    /// A fault in what stands at this place of an answer.
    pub(super) fn at(path: impl Into<String>) -> Self {
        Self::Malformed { path: path.into() }
    }

    /// What the account's link or reading ends with.
    pub(super) const fn code(&self) -> LinkErrorCode {
        match self {
            Self::Unreachable | Self::Broken | Self::Late | Self::Busy { .. } | Self::Gateway { .. } => {
                LinkErrorCode::ServiceUnavailable
            }
            Self::Untrusted { .. }
            | Self::SignatureRefused
            | Self::Status { .. }
            | Self::Unsigned
            | Self::TooLarge { .. }
            | Self::Malformed { .. } => LinkErrorCode::SystemError,
        }
    }

    /// Whether an operator must mend something: a secret, a clock, the connector's program.
    pub(super) const fn is_operators(&self) -> bool {
        matches!(self.code(), LinkErrorCode::SystemError)
    }

    /// How long to wait before another try; null when there is none. What may have been taken up is tried again only
    /// where `repeatable`.
    pub(super) fn wait(&self, tries: u32, repeatable: bool) -> Option<Duration> {
        const FIRST: Duration = Duration::from_millis(250);
        const LONGEST: Duration = Duration::from_secs(5);
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
            | Self::Malformed { .. } => return None,
        };
        (tries < TRIES && wait <= LONGEST).then_some(wait)
    }
}

/// The certificate's fault below an error of the client, if that is what it is.
fn certificate_error<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e CertificateError> {
    if let Some(rustls::Error::InvalidCertificate(error)) = error.downcast_ref() {
        return Some(error);
    }
    // An I/O error does not name what it wraps as its source.
    let wrapped = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    match wrapped {
        Some(wrapped) => certificate_error(wrapped),
        None => certificate_error(error.source()?),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the library adds reasons as it learns to tell them")]
const fn why(error: &CertificateError) -> &'static str {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "it is not valid yet: is this machine's clock right?"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it is for another name than that of the url"
        }
        // An authority of the same name with another key signs what does not verify.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "its authority is neither among the system's nor in the ca-file of the settings"
        }
        CertificateError::Revoked => "it was revoked",
        _ => "it cannot be verified",
    }
}
