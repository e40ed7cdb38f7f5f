//! RFC 9457 problem documents, the body of every error response.

mod document;
mod transitions;

use std::borrow::Cow;

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use link_types::archive::FileFault;
use link_types::format::FormatError;
use link_types::problem::{FaultCode, FieldFault, ProblemCode};

use crate::app::readiness::StorageError;

pub use self::document::FileProblem;
pub use self::transitions::BAD_CURSOR;

/// An error response. The outermost layer writes its document and adds the request id.
#[derive(Debug, Clone)]
pub struct Problem {
    code: ProblemCode,
    status: StatusCode,
    detail: Cow<'static, str>,
    errors: Vec<FieldFault>,
    /// Whether there are more faults than `errors` lists.
    truncated: bool,
    headers: Vec<(HeaderName, HeaderValue)>,
    file_fault: Option<FileFault>,
    cause: Option<Box<Cause>>,
}

/// The internal cause of a 5xx problem. Only the log shows it.
#[derive(Debug, Clone)]
struct Cause {
    message: String,
    storage: Option<StorageError>,
    /// The database is away, which the store logs once.
    is_away: bool,
}

/// The `Retry-After` of a 503 in seconds, unless the cause has its own.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("2");

/// The detail of a 500.
const SYSTEM_DETAIL: &str = "Try again. If the error persists, send the requestId to the operator.";

/// A handler's result.
pub type ApiResult<T> = Result<T, Problem>;

impl Problem {
    /// Creates a problem with this code. `detail` is for people and must not contain the caller's input.
    pub fn new(code: ProblemCode, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            status: status_of(code),
            detail: detail.into(),
            errors: Vec::new(),
            truncated: false,
            headers: Vec::new(),
            file_fault: None,
            cause: None,
        }
    }

    /// Returns the code, which callers branch on.
    pub fn code(&self) -> ProblemCode {
        self.code
    }

    /// Returns the status of the response.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the explanation for people.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Returns the response's additional headers.
    #[cfg(test)]
    pub fn headers(&self) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        self.headers.iter().cloned()
    }

    /// Returns the faults of the fields.
    pub fn errors(&self) -> &[FieldFault] {
        &self.errors
    }

    /// Returns why a file was rejected.
    pub fn file_fault(&self) -> Option<FileFault> {
        self.file_fault
    }

    /// Returns a 401: credentials are missing or invalid. The response is the same for every cause.
    pub fn invalid_credentials(detail: &'static str) -> Self {
        Self::new(ProblemCode::Unauthorized, detail)
    }

    /// Returns a 404: the resource does not exist, or belongs to another tenant or environment.
    pub fn missing() -> Self {
        Self::new(
            ProblemCode::MissingResource,
            "The resource does not exist, or these credentials do not give access to it.",
        )
    }

    /// Returns a 400: the request cannot be parsed.
    pub fn unparseable(detail: impl Into<Cow<'static, str>>) -> Self {
        let mut problem = Self::new(ProblemCode::InvalidParameters, detail);
        problem.status = StatusCode::BAD_REQUEST;
        problem
    }

    /// Returns a 422 with all faults, or the first 50.
    pub fn invalid(errors: Vec<FieldFault>) -> Self {
        Self::new(ProblemCode::InvalidParameters, "`errors` lists each invalid field.").with_errors(errors)
    }

    /// Returns a 413 with every field that is too large or over a quota.
    pub fn too_large(errors: Vec<FieldFault>) -> Self {
        Self::new(ProblemCode::PayloadTooLarge, "`errors` lists each field that is too large.")
            .with_errors(errors)
    }

    /// Returns a 422 with one fault.
    pub fn invalid_field(field: &str, code: FaultCode, message: impl Into<String>) -> Self {
        Self::invalid(vec![fault(field, code, message)])
    }

    /// Returns a 409.
    pub fn conflict(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ProblemCode::Conflict, detail)
    }

    /// Returns a 500. Only the log shows `cause`, which must not contain secrets.
    pub fn system(cause: impl std::fmt::Display) -> Self {
        Self::new(ProblemCode::SystemError, SYSTEM_DETAIL).with_cause(cause)
    }

    /// Returns a 503 with `Retry-After`. Only the log shows `cause`, which must not contain secrets.
    pub fn unavailable(cause: impl std::fmt::Display) -> Self {
        Self::new(ProblemCode::ServiceUnavailable, "Try again in a few seconds.")
            .with_cause(cause)
            .with_header(header::RETRY_AFTER, RETRY_AFTER)
    }

    /// Marks a 503 whose cause the store logs once, so that not each request logs it.
    fn with_away_database(mut self) -> Self {
        if let Some(cause) = &mut self.cause {
            cause.is_away = true;
        }
        self
    }

    /// Returns whether the cause is that the database is away.
    pub fn is_away(&self) -> bool {
        self.cause.as_ref().is_some_and(|it| it.is_away)
    }

    fn with_cause(self, cause: impl std::fmt::Display) -> Self {
        Self {
            cause: Some(Box::new(Cause { message: cause.to_string(), storage: None, is_away: false })),
            ..self
        }
    }

    fn with_storage_fault(mut self, fault: StorageError) -> Self {
        if let Some(cause) = &mut self.cause {
            cause.storage = Some(fault);
        }
        self
    }

    /// Returns what the problem reveals about the health of the database.
    pub fn storage_fault(&self) -> Option<StorageError> {
        self.cause.as_ref()?.storage
    }

    /// Logs the internal cause, if any.
    ///
    /// The layer that writes the response calls this, because it knows the request id. The problem itself may come from
    /// another thread, such as the database's.
    pub fn log(&self) {
        let Some(cause) = self.cause.as_deref() else { return };
        if cause.is_away {
            tracing::debug!(cause = %cause.message, "Request could not be served");
        } else if self.code == ProblemCode::ServiceUnavailable {
            tracing::warn!(cause = %cause.message, "Request could not be served");
        } else {
            tracing::error!(cause = %cause.message, "Request failed");
        }
    }

    /// Sets the faults of the fields, at most 50.
    #[must_use]
    pub fn with_errors(self, errors: Vec<FieldFault>) -> Self {
        let (errors, truncated) = truncate_faults(errors);
        Self { errors, truncated, ..self }
    }

    /// Sets another status.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// Sets a response header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.retain(|(other, _)| *other != name);
        self.headers.push((name, value));
        self
    }

    /// Creates the problem for an error response without a document, from the router or from axum's extractors.
    pub fn of_status(status: StatusCode) -> Self {
        let (code, detail) = match status {
            StatusCode::NOT_FOUND => (ProblemCode::MissingResource, "The URL does not exist."),
            StatusCode::METHOD_NOT_ALLOWED => {
                (ProblemCode::MethodNotAllowed, "`Allow` lists the allowed methods.")
            }
            StatusCode::PAYLOAD_TOO_LARGE => (ProblemCode::PayloadTooLarge, "Send a smaller body."),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                (ProblemCode::UnsupportedType, "Send `Content-Type: application/json`.")
            }
            other if other.is_client_error() => (ProblemCode::InvalidParameters, "The request is malformed."),
            _ => (ProblemCode::SystemError, SYSTEM_DETAIL),
        };
        let mut problem = Self::new(code, detail);
        problem.status = status;
        problem
    }
}

/// Returns the default status of a code. A problem can override it.
const fn status_of(code: ProblemCode) -> StatusCode {
    match code {
        ProblemCode::Unauthorized
        | ProblemCode::KeyExpired
        | ProblemCode::TokenExpired
        | ProblemCode::TokenUsed
        | ProblemCode::InvalidToken => StatusCode::UNAUTHORIZED,
        ProblemCode::InvalidParameters | ProblemCode::IdempotencyKeyReused => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        ProblemCode::InsufficientScope | ProblemCode::TenantSuspended => StatusCode::FORBIDDEN,
        ProblemCode::MissingResource => StatusCode::NOT_FOUND,
        ProblemCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        ProblemCode::Conflict | ProblemCode::ConsentRequired | ProblemCode::AccountMismatch => {
            StatusCode::CONFLICT
        }
        ProblemCode::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ProblemCode::UnsupportedType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ProblemCode::RequestLimitExceeded | ProblemCode::LoginLimitExceeded => StatusCode::TOO_MANY_REQUESTS,
        ProblemCode::ServiceUnavailable => StatusCode::SERVICE_UNAVAILABLE,
        ProblemCode::SystemError => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Returns the title of a code. It is the same for every problem with this code.
const fn title_of(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::Unauthorized => "Credentials are missing or invalid",
        ProblemCode::KeyExpired => "The API key has expired",
        ProblemCode::InsufficientScope => "The API key lacks a scope",
        ProblemCode::TenantSuspended => "The tenant is suspended",
        ProblemCode::TokenExpired => "The token has expired",
        ProblemCode::TokenUsed => "The link token was already used",
        ProblemCode::InvalidToken => "The token is not valid",
        ProblemCode::InvalidParameters => "The request has invalid parameters",
        ProblemCode::MissingResource => "Resource not found",
        ProblemCode::MethodNotAllowed => "Method not allowed",
        ProblemCode::Conflict => "The request conflicts with the resource's state",
        ProblemCode::ConsentRequired => "The person must consent to the current terms",
        ProblemCode::AccountMismatch => "The login is for another account",
        ProblemCode::IdempotencyKeyReused => "The idempotency key was used for a different request",
        ProblemCode::PayloadTooLarge => "The body is too large",
        ProblemCode::UnsupportedType => "The body's media type is not supported",
        ProblemCode::RequestLimitExceeded => "Too many requests",
        ProblemCode::LoginLimitExceeded => "Too many failed sign-in attempts",
        ProblemCode::ServiceUnavailable => "The service is temporarily unavailable",
        ProblemCode::SystemError => "The service could not handle the request",
    }
}

/// Creates a fault for one field. `message` must not contain the field's value.
pub fn fault(field: impl Into<String>, code: FaultCode, message: impl Into<String>) -> FieldFault {
    FieldFault { field: field.into(), code, message: message.into(), file_fault: None }
}

/// Creates a fault for a form field whose value does not match its format.
pub fn format_fault(field: impl Into<String>, wrong: FormatError) -> FieldFault {
    let code = match wrong {
        FormatError::Empty => FaultCode::Missing,
        FormatError::TooShort { .. } => FaultCode::TooShort,
        FormatError::TooLong { .. } => FaultCode::TooLong,
        FormatError::NotDigits
        | FormatError::NotAlphanumeric
        | FormatError::NotEmail
        | FormatError::NotPhone
        | FormatError::NotCurp
        | FormatError::NotDate
        | FormatError::NotAChoice => FaultCode::Invalid,
    };
    fault(field, code, wrong.to_string())
}

/// The maximum number of faults in a problem document.
pub const MAX_FAULTS: usize = 50;
/// The maximum size of a document's `errors` as JSON, in bytes.
const MAX_ERRORS_BYTES: usize = 56 * 1024;
/// The maximum length of a fault's `field`, in characters.
const MAX_FIELD: usize = 256;
/// The maximum length of a fault's `message`, in characters.
const MAX_MESSAGE: usize = 2_000;

/// Returns true if there are more faults than a problem document can hold, so that a check can stop early.
pub fn is_enough(faults: &[FieldFault]) -> bool {
    faults.len() > MAX_FAULTS
}

/// Cuts a text to `max` characters and marks the cut with an ellipsis.
fn cut(text: &mut String, max: usize) {
    if let Some((end, _)) = text.char_indices().nth(max) {
        text.truncate(end);
        text.push('…');
    }
}

/// Returns the first faults, as many as a problem document can hold, and whether there are more.
fn truncate_faults(faults: Vec<FieldFault>) -> (Vec<FieldFault>, bool) {
    let (found, mut room) = (faults.len(), MAX_ERRORS_BYTES);
    let mut kept = Vec::new();
    for mut fault in faults.into_iter().take(MAX_FAULTS) {
        cut(&mut fault.field, MAX_FIELD);
        cut(&mut fault.message, MAX_MESSAGE);
        let size = serde_json::to_vec(&fault).map_or(0, |it| it.len() + 1);
        match room.checked_sub(size) {
            Some(left) => room = left,
            None => break,
        }
        kept.push(fault);
    }
    let truncated = kept.len() < found;
    (kept, truncated)
}
