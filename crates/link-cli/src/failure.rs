//! Why a command failed, what to do, and the exit status.

use std::process::ExitCode;
use std::time::Duration;

use link_connectors::reach::ReachError;
use link_domain::notifications::webhook_sender::TlsError;
use link_types::problem::{Problem, ProblemCode};

use crate::shown::harmless;

/// The words of the service about an address that it does not have.
const NO_SUCH_URL: &str = "The URL does not exist";

/// The reason why a command of a tenant failed.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TenantCommandError {
    /// The arguments, the environment or a stored file are wrong.
    #[error("{0}")]
    Usage(String),
    /// The API key is missing, or the service does not accept it.
    #[error("{0}")]
    Credentials(String),
    /// The service does not respond, or cannot respond now.
    #[error("{0}")]
    Unavailable(String),
    /// The service refuses the request.
    #[error("{0}")]
    Refused(String),
}

impl TenantCommandError {
    /// Returns the exit status of the process.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Refused(_) => 1,
            Self::Usage(_) => 2,
            Self::Credentials(_) => 3,
            Self::Unavailable(_) => 4,
        })
    }
}

/// The reason why a request has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallError {
    /// There was no complete response.
    Unreached(ReachError),
    /// The service is busy or stopping.
    Busy {
        /// The status.
        status: u16,
        /// The words of the service, harmless in a terminal.
        detail: String,
        /// When to try again.
        retry_after: Option<Duration>,
    },
    /// The service refuses the request.
    Refused {
        /// The code.
        code: ProblemCode,
        /// The words of the service, with its faults on lines below, harmless in a terminal.
        detail: String,
        /// The fields and parameters that are wrong.
        fields: Vec<String>,
    },
    /// The address redirects to another one.
    Moved {
        /// The other address.
        to: String,
    },
    /// The response is not one of this service.
    Foreign {
        /// The status.
        status: u16,
    },
}

impl CallError {
    /// Returns whether a later attempt may succeed.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Unreached(error) => match error {
                ReachError::Malformed | ReachError::Tls(_) => false,
                ReachError::UnknownHost | ReachError::Refused | ReachError::TimedOut | ReachError::Broken => {
                    true
                }
            },
            Self::Busy { .. } => true,
            // A proxy responds like this while its service is away.
            Self::Foreign { status } => matches!(status, 429 | 500 | 502..=504),
            Self::Refused { .. } | Self::Moved { .. } => false,
        }
    }

    /// Returns why the request failed, without the address.
    #[must_use]
    pub fn cause(&self) -> String {
        match self {
            Self::Unreached(ReachError::TimedOut) => "no response came in time".to_owned(),
            Self::Unreached(error) => error.to_string(),
            Self::Busy { status, detail, .. } => format!("{status}: {detail}"),
            Self::Refused { detail, .. } => detail.clone(),
            Self::Moved { to } => format!("it redirects to {}", plain(to)),
            Self::Foreign { status } => format!("the response {status} is not one of a Linchpin service"),
        }
    }

    /// Adds the address and what to do.
    #[must_use]
    pub fn explain(self, base: &str) -> TenantCommandError {
        let cause = self.cause();
        match &self {
            Self::Unreached(ReachError::Tls(error)) => TenantCommandError::Unavailable(format!(
                "{base} cannot be trusted: {cause}. {}",
                remedy_of(*error)
            )),
            Self::Unreached(_) | Self::Busy { .. } => TenantCommandError::Unavailable(format!(
                "{base} does not respond: {cause}. Check the address and whether the service runs, and try again"
            )),
            Self::Foreign { .. } => TenantCommandError::Unavailable(format!(
                "{cause}: {base}. The address of a sandbox ends in /sandbox/v1, that of production in /v1"
            )),
            Self::Moved { to } => TenantCommandError::Usage(format!(
                "{base} redirects to {to}. Use the address of the service itself, with https"
            )),
            Self::Refused { code, .. } => refusal(*code, base, cause),
        }
    }
}

fn remedy_of(error: TlsError) -> &'static str {
    match error {
        TlsError::UnknownIssuer => {
            "If an authority of your own signed its certificate, name the authority's file in SSL_CERT_FILE"
        }
        TlsError::NotTls => {
            "If the service is on this machine and speaks plain http, begin the address with http://"
        }
        TlsError::Expired
        | TlsError::NotValidYet
        | TlsError::WrongName
        | TlsError::BadCertificate
        | TlsError::ClientCertificate
        | TlsError::NoCommonVersion
        | TlsError::Closed => "Its operator must renew or correct the certificate",
    }
}

fn refusal(code: ProblemCode, base: &str, cause: String) -> TenantCommandError {
    let is_of_key = matches!(
        code,
        ProblemCode::Unauthorized
            | ProblemCode::KeyExpired
            | ProblemCode::InsufficientScope
            | ProblemCode::TenantSuspended
    );
    if code == ProblemCode::Unauthorized {
        return TenantCommandError::Credentials(format!(
            "{base} does not accept the API key. Check the key, its secret, and the environment (/sandbox/v1 or /v1) to \
             which the key belongs, and run `linchpin login` again"
        ));
    }
    if code == ProblemCode::MissingResource && cause.starts_with(NO_SUCH_URL) {
        return TenantCommandError::Usage(format!(
            "{base} is not the address of an environment, or its service is older than this program. The address of a \
             sandbox ends in /sandbox/v1, that of production in /v1"
        ));
    }
    if is_of_key { TenantCommandError::Credentials(cause) } else { TenantCommandError::Refused(cause) }
}

/// Returns a text of the service that is harmless in a terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(harmless).collect()
}

/// Reads a response that is not a success.
pub(crate) fn read(
    status: u16,
    body: &[u8],
    retry_after: Option<u64>,
    location: Option<String>,
) -> CallError {
    if (300..400).contains(&status) {
        return CallError::Moved { to: location.unwrap_or_else(|| "another address".to_owned()) };
    }
    let Ok(problem) = serde_json::from_slice::<Problem>(body) else { return CallError::Foreign { status } };
    let faults = problem.errors.iter().map(|it| format!("{}: {}", it.field, it.message));
    let parts = std::iter::once(problem.detail.clone()).chain(faults);
    // The line breaks between the parts are ours.
    let detail = parts.map(|it| plain(&it)).collect::<Vec<_>>().join("\n  ");
    if matches!(status, 429 | 500 | 502..=504) {
        return CallError::Busy { status, detail, retry_after: retry_after.map(Duration::from_secs) };
    }
    let fields = problem.errors.into_iter().map(|it| it.field).collect();
    CallError::Refused { code: problem.code, detail, fields }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_on_lines_and_harmless_in_a_terminal() {
        let body = serde_json::json!({
            "type": "about:blank", "title": "x", "status": 422, "code": ProblemCode::InvalidParameters, "requestId": "x",
            "detail": "Wrong\n\u{1b}[2J", "errors": [{"field": "cursor", "code": "INVALID", "message": "is wrong"}],
        });
        let body = body.to_string();
        let error = read(422, body.as_bytes(), None, None);
        assert_eq!(error.cause(), "Wrong\u{fffd}\u{fffd}[2J\n  cursor: is wrong");
    }
}
