//! RFC 9457 problem documents, the body of every error response.

pub mod retry;

use std::borrow::Cow;

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_store::StoreError;
use link_types::archive::FileFault;
use link_types::format::FormatFault;
use link_types::problem::{FaultCode, FieldFault, Problem as Document, ProblemCode};

/// Returns the default status of a code. A problem can override it.
const fn status_of(code: ProblemCode) -> StatusCode {
    match code {
        ProblemCode::Unauthorized
        | ProblemCode::TokenExpired
        | ProblemCode::TokenUsed
        | ProblemCode::InvalidToken => StatusCode::UNAUTHORIZED,
        ProblemCode::InvalidParameters | ProblemCode::IdempotencyKeyReused => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        ProblemCode::MissingResource => StatusCode::NOT_FOUND,
        ProblemCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        ProblemCode::Conflict => StatusCode::CONFLICT,
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
        ProblemCode::TokenExpired => "The token has expired",
        ProblemCode::TokenUsed => "The link token was already used",
        ProblemCode::InvalidToken => "The token is not valid",
        ProblemCode::InvalidParameters => "The request has invalid parameters",
        ProblemCode::MissingResource => "Resource not found",
        ProblemCode::MethodNotAllowed => "Method not allowed",
        ProblemCode::Conflict => "The request conflicts with the resource's state",
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
pub fn format_fault(field: impl Into<String>, wrong: FormatFault) -> FieldFault {
    let code = match wrong {
        FormatFault::Empty => FaultCode::Missing,
        FormatFault::TooShort { .. } => FaultCode::TooShort,
        FormatFault::TooLong { .. } => FaultCode::TooLong,
        FormatFault::NotDigits
        | FormatFault::NotAlphanumeric
        | FormatFault::NotEmail
        | FormatFault::NotPhone
        | FormatFault::NotCurp
        | FormatFault::NotDate
        | FormatFault::NotAChoice => FaultCode::Invalid,
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
fn bounded(faults: Vec<FieldFault>) -> (Vec<FieldFault>, bool) {
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
    storage: Option<StorageFault>,
}

/// What a problem reveals about the health of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageFault {
    /// A write failed because the disk is full or the device rejected it.
    Unwritable,
    /// The database file is damaged.
    Damaged,
}

/// A problem document for a rejected file, with the reason.
#[derive(Debug, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileProblem {
    /// The problem.
    #[serde(flatten)]
    problem: Document,
    /// Why the file was rejected; absent if something else is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    file_fault: Option<FileFault>,
}

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

    /// Creates the problem for a rejected file: 413 if it is too large or over a quota, 460 (tus: Checksum Mismatch) if
    /// its bytes do not match the announced hash, and 422 otherwise.
    pub fn file(fault: FileFault) -> Self {
        let (code, detail) = match fault {
            FileFault::Empty => (ProblemCode::InvalidParameters, "The file is empty."),
            FileFault::TooLarge => {
                (ProblemCode::PayloadTooLarge, "A file may have at most 15,000,000 bytes.")
            }
            FileFault::UnsupportedFormat => {
                (ProblemCode::InvalidParameters, "The file's content is not a PDF, PNG, JPEG or TIFF.")
            }
            FileFault::Encrypted => {
                (ProblemCode::InvalidParameters, "The file is protected with a password.")
            }
            FileFault::Damaged => {
                (ProblemCode::InvalidParameters, "The file is incomplete or cannot be read.")
            }
            FileFault::TooManyPages => (ProblemCode::InvalidParameters, "A file may have at most 30 pages."),
            FileFault::TooManyPixels => {
                (ProblemCode::InvalidParameters, "A page may have at most 80,000,000 pixels.")
            }
            FileFault::TooManyFiles => {
                (ProblemCode::InvalidParameters, "The archive already has 10 files or a file in this slot.")
            }
            FileFault::QuotaExceeded => {
                (ProblemCode::PayloadTooLarge, "The user has reached the upload quota. Try again later.")
            }
            FileFault::HashMismatch => {
                (ProblemCode::InvalidParameters, "The uploaded bytes do not match `sha256`.")
            }
        };
        let mut problem = Self { file_fault: Some(fault), ..Self::new(code, detail) };
        if fault == FileFault::HashMismatch {
            problem.status = StatusCode::from_u16(460).unwrap_or(problem.status);
        }
        problem
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

    /// 401: credentials are missing or invalid. The response is the same for every cause.
    pub fn unauthorized(detail: &'static str) -> Self {
        Self::new(ProblemCode::Unauthorized, detail)
    }

    /// 404: the resource does not exist, or belongs to another tenant or environment.
    pub fn missing() -> Self {
        Self::new(
            ProblemCode::MissingResource,
            "The resource does not exist, or these credentials do not give access to it.",
        )
    }

    /// 400: the request cannot be parsed.
    pub fn unparseable(detail: &'static str) -> Self {
        let mut problem = Self::new(ProblemCode::InvalidParameters, detail);
        problem.status = StatusCode::BAD_REQUEST;
        problem
    }

    /// 422 with all faults, or the first 50.
    pub fn invalid(errors: Vec<FieldFault>) -> Self {
        Self::new(ProblemCode::InvalidParameters, "`errors` lists each invalid field.").with_errors(errors)
    }

    /// 413 with every field that is too large or over a quota.
    pub fn too_large(errors: Vec<FieldFault>) -> Self {
        Self::new(ProblemCode::PayloadTooLarge, "`errors` lists each field that is too large.")
            .with_errors(errors)
    }

    /// 422 with one fault.
    pub fn invalid_field(field: &str, code: FaultCode, message: impl Into<String>) -> Self {
        Self::invalid(vec![fault(field, code, message)])
    }

    /// 409.
    pub fn conflict(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ProblemCode::Conflict, detail)
    }

    /// 500. Only the log shows `cause`, which must not contain secrets.
    pub fn system(cause: impl std::fmt::Display) -> Self {
        Self::new(ProblemCode::SystemError, SYSTEM_DETAIL).with_cause(cause)
    }

    /// 503. Only the log shows `cause`, which must not contain secrets.
    pub fn unavailable(cause: impl std::fmt::Display) -> Self {
        Self::new(ProblemCode::ServiceUnavailable, "Try again in a few seconds.").with_cause(cause)
    }

    fn with_cause(self, cause: impl std::fmt::Display) -> Self {
        Self { cause: Some(Box::new(Cause { message: cause.to_string(), storage: None })), ..self }
    }

    fn with_storage_fault(mut self, fault: StorageFault) -> Self {
        if let Some(cause) = &mut self.cause {
            cause.storage = Some(fault);
        }
        self
    }

    /// Returns what the problem reveals about the health of the database.
    pub fn storage_fault(&self) -> Option<StorageFault> {
        self.cause.as_ref()?.storage
    }

    /// Logs the internal cause, if any.
    ///
    /// The layer that writes the response calls this, because it knows the request id. The problem itself may come from
    /// another thread, such as the database's.
    pub fn log(&self) {
        let Some(cause) = self.cause.as_deref() else { return };
        if self.code == ProblemCode::ServiceUnavailable {
            tracing::warn!(cause = %cause.message, "Request could not be served");
        } else {
            tracing::error!(cause = %cause.message, "Request failed");
        }
    }

    /// Sets the faults of the fields, at most 50.
    #[must_use]
    pub fn with_errors(self, errors: Vec<FieldFault>) -> Self {
        let (errors, truncated) = bounded(errors);
        Self { errors, truncated, ..self }
    }

    /// Sets another status.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// Adds a response header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
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

    /// Builds the response with the problem document and this request id.
    pub fn into_document(self, request_id: &str) -> Response {
        let problem = Document {
            problem_type: "about:blank".to_owned(),
            title: title_of(self.code).to_owned(),
            status: self.status.as_u16(),
            code: self.code,
            detail: self.detail.into_owned(),
            request_id: request_id.to_owned(),
            errors: self.errors,
            truncated: self.truncated.then_some(true),
        };
        let document = FileProblem { problem, file_fault: self.file_fault };
        let body = serde_json::to_vec(&document).unwrap_or_default();
        let mut response = (self.status, body).into_response();
        response.headers_mut().extend(self.headers);
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::UNAUTHORIZED {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge(self.code)));
        }
        response
    }
}

/// Returns the `WWW-Authenticate` value of a 401. Requests of the widget must not get `Basic`: a browser would ask the
/// person for a name and a password.
fn challenge(code: ProblemCode) -> &'static str {
    if code == ProblemCode::Unauthorized {
        "Basic realm=\"linchpin\""
    } else {
        "Bearer realm=\"linchpin\", error=\"invalid_token\""
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<StoreError> for Problem {
    #[expect(clippy::wildcard_enum_match_arm, reason = "any other store error is an internal error")]
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::BadCursor => {
                Self::invalid_field("cursor", FaultCode::Invalid, "a nextCursor of this list")
            }
            StoreError::Erased => Self::missing(),
            StoreError::Duplicate(_) | StoreError::Stale { .. } => {
                Self::conflict("Another request changed the same resource at the same time. Try again.")
            }
            StoreError::Busy => {
                Self::conflict("Another request for the same resource is still running. Try again.")
                    .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
            }
            StoreError::Closed => Self::unavailable("the store is closed"),
            away if away.is_away() => Self::unavailable(away),
            full if full.is_unwritable() => Self {
                detail: "The service cannot write to its database. Nothing was changed. Try again later."
                    .into(),
                ..Self::unavailable(full)
            }
            .with_storage_fault(StorageFault::Unwritable)
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("5")),
            damaged if damaged.is_damage() => Self::system(damaged).with_storage_fault(StorageFault::Damaged),
            other => Self::system(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(faults: Vec<FieldFault>) -> (usize, serde_json::Value) {
        let response = Problem::invalid(faults).into_document("req-1");
        let body =
            futures_util::FutureExt::now_or_never(axum::body::to_bytes(response.into_body(), usize::MAX));
        let body = body.unwrap().unwrap();
        (body.len(), serde_json::from_slice(&body).unwrap())
    }

    fn faults(count: usize, field: &str, message: &str) -> Vec<FieldFault> {
        (0..count).map(|_| fault(field, FaultCode::Invalid, message)).collect()
    }

    #[test]
    fn faults_above_fifty_are_cut_and_marked_truncated() {
        let (_, all) = document(faults(50, "name", "required"));
        assert_eq!((all["errors"].as_array().unwrap().len(), all.get("truncated")), (50, None));
        let (_, more) = document(faults(51, "name", "required"));
        assert_eq!((more["errors"].as_array().unwrap().len(), &more["truncated"]), (50, &true.into()));
    }

    #[test]
    fn problem_document_is_at_most_64_kb() {
        for (field, message) in [("a", "é"), ("\0", "\u{1}"), ("🦀", "x")] {
            let (size, document) = document(faults(60, &field.repeat(30_000), &message.repeat(30_000)));
            assert!(size <= 64 * 1024, "{size}");
            assert_eq!(document["truncated"], true);
            let first = &document["errors"][0];
            assert_eq!(first["field"].as_str().unwrap().chars().count(), 257);
            assert_eq!(first["message"].as_str().unwrap().chars().count(), 2_001);
        }
    }
}
