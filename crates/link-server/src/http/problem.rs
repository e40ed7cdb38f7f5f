//! RFC 9457 problem documents: every answer that is not a success.

use std::borrow::Cow;

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_store::StoreError;
use link_types::archive::FileFault;
use link_types::format::FormatFault;
use link_types::problem::{FaultCode, FieldFault, Problem as Document, ProblemCode};

/// The status a code is answered with unless a problem says otherwise.
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

/// The short sentence that is the same for every problem of this code.
const fn title_of(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::Unauthorized => "Credentials are missing or not accepted",
        ProblemCode::TokenExpired => "The token has expired",
        ProblemCode::TokenUsed => "The link token was used already",
        ProblemCode::InvalidToken => "The link token is not valid here",
        ProblemCode::InvalidParameters => "The request has invalid parameters",
        ProblemCode::MissingResource => "Nothing is there",
        ProblemCode::MethodNotAllowed => "This address does not answer this method",
        ProblemCode::Conflict => "The resource's state forbids this",
        ProblemCode::IdempotencyKeyReused => "The idempotency key was used with another request",
        ProblemCode::PayloadTooLarge => "The body is too large",
        ProblemCode::UnsupportedType => "The body is of a type that is not read here",
        ProblemCode::RequestLimitExceeded => "Too many requests",
        ProblemCode::LoginLimitExceeded => "Too many tries to sign in failed",
        ProblemCode::ServiceUnavailable => "The service cannot do this right now",
        ProblemCode::SystemError => "The service failed",
    }
}

/// What is wrong with one field, without its value.
pub fn fault(field: impl Into<String>, code: FaultCode, message: impl Into<String>) -> FieldFault {
    FieldFault { field: field.into(), code, message: message.into(), file_fault: None }
}

/// What is wrong with a field of a form, by its own format.
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

/// The most faults that a problem document names.
pub const MAX_FAULTS: usize = 50;
/// The most bytes that a document's `errors` take, as JSON.
const MAX_ERRORS_BYTES: usize = 56 * 1024;
/// The most characters of one fault's `field`.
const MAX_FIELD: usize = 256;
/// The most characters of one fault's `message`.
const MAX_MESSAGE: usize = 2_000;

/// Whether more faults than a problem document names are found already: looking for others is of no use.
pub fn is_enough(faults: &[FieldFault]) -> bool {
    faults.len() > MAX_FAULTS
}

/// Cuts a text to a number of characters.
fn cut(text: &mut String, max: usize) {
    if let Some((end, _)) = text.char_indices().nth(max) {
        text.truncate(end);
        text.push('…');
    }
}

/// The first faults, as many as a problem document names; and whether there are more.
fn bounded(faults: Vec<FieldFault>) -> (Vec<FieldFault>, bool) {
    let (found, mut room) = (faults.len(), MAX_ERRORS_BYTES);
    let mut named = Vec::new();
    for mut fault in faults.into_iter().take(MAX_FAULTS) {
        cut(&mut fault.field, MAX_FIELD);
        cut(&mut fault.message, MAX_MESSAGE);
        let size = serde_json::to_vec(&fault).map_or(0, |it| it.len() + 1);
        match room.checked_sub(size) {
            Some(left) => room = left,
            None => break,
        }
        named.push(fault);
    }
    let truncated = named.len() < found;
    (named, truncated)
}

/// An answer that is not a success. The outermost layer writes it, with the request's id.
#[derive(Debug, Clone)]
pub struct Problem {
    code: ProblemCode,
    status: StatusCode,
    detail: Cow<'static, str>,
    errors: Vec<FieldFault>,
    /// Whether there are more faults than `errors` names.
    truncated: bool,
    headers: Vec<(HeaderName, HeaderValue)>,
    file_fault: Option<FileFault>,
    cause: Option<Box<Cause>>,
}

/// Why the service could not do its part: for the log alone.
#[derive(Debug, Clone)]
struct Cause {
    words: String,
    storage: Option<StorageFault>,
}

/// What a problem says of the database's health.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageFault {
    /// A write failed for lack of room, or because the device refused it.
    Unwritable,
    /// The database file is damaged.
    Damaged,
}

/// What is answered for a file that is refused: a problem document with its reason.
#[derive(Debug, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileProblem {
    /// The problem.
    #[serde(flatten)]
    problem: Document,
    /// Why the file was refused; absent when something else is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    file_fault: Option<FileFault>,
}

/// A handler's result.
pub type Answer<T> = Result<T, Problem>;

impl Problem {
    /// A problem of this code; `detail` is for a person and never holds what the caller sent.
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

    /// A file that is refused: 413 when there is too much of it, 460 (tus: Checksum Mismatch) when its bytes are not
    /// those announced, else 422.
    pub fn file(fault: FileFault) -> Self {
        let (code, detail) = match fault {
            FileFault::Empty => (ProblemCode::InvalidParameters, "The file has no bytes."),
            FileFault::TooLarge => (ProblemCode::PayloadTooLarge, "A file may have 15,000,000 bytes."),
            FileFault::UnsupportedFormat => {
                (ProblemCode::InvalidParameters, "By its content the file is no PDF, PNG, JPEG or TIFF.")
            }
            FileFault::Encrypted => (ProblemCode::InvalidParameters, "The file is locked with a password."),
            FileFault::Damaged => (ProblemCode::InvalidParameters, "The file ends early or cannot be read."),
            FileFault::TooManyPages => (ProblemCode::InvalidParameters, "A file may have 30 pages."),
            FileFault::TooManyPixels => {
                (ProblemCode::InvalidParameters, "A page may have 80,000,000 pixels.")
            }
            FileFault::TooManyFiles => {
                (ProblemCode::InvalidParameters, "The archive has 10 files, or this slot is taken.")
            }
            FileFault::QuotaExceeded => {
                (ProblemCode::PayloadTooLarge, "The user has uploaded as much as is allowed for now.")
            }
            FileFault::HashMismatch => {
                (ProblemCode::InvalidParameters, "The bytes are not those that `sha256` announced.")
            }
        };
        let mut problem = Self { file_fault: Some(fault), ..Self::new(code, detail) };
        if fault == FileFault::HashMismatch {
            problem.status = StatusCode::from_u16(460).unwrap_or(problem.status);
        }
        problem
    }

    /// What is wrong, to branch on.
    pub fn code(&self) -> ProblemCode {
        self.code
    }

    /// The status it is answered with.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// What is wrong, for a person.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The headers that it is answered with.
    #[cfg(test)]
    pub fn headers(&self) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        self.headers.iter().cloned()
    }

    /// What is wrong with each field.
    pub fn errors(&self) -> &[FieldFault] {
        &self.errors
    }

    /// Why a file was refused.
    pub fn file_fault(&self) -> Option<FileFault> {
        self.file_fault
    }

    /// 401 of callers whose credentials are missing or not accepted: one answer for every cause.
    pub fn unauthorized(detail: &'static str) -> Self {
        Self::new(ProblemCode::Unauthorized, detail)
    }

    /// 404: absent, another tenant's or the other environment's.
    pub fn missing() -> Self {
        Self::new(ProblemCode::MissingResource, "No such resource is visible to these credentials.")
    }

    /// 400: the bytes could not be parsed at all.
    pub fn unparseable(detail: &'static str) -> Self {
        let mut problem = Self::new(ProblemCode::InvalidParameters, detail);
        problem.status = StatusCode::BAD_REQUEST;
        problem
    }

    /// 422 with every fault found, or the first 50.
    pub fn invalid(errors: Vec<FieldFault>) -> Self {
        Self::new(ProblemCode::InvalidParameters, "Each entry of `errors` names a field.").with_errors(errors)
    }

    /// 413 with everything that is too large, or over a quota.
    pub fn too_large(errors: Vec<FieldFault>) -> Self {
        Self::new(ProblemCode::PayloadTooLarge, "Each entry of `errors` names a field.").with_errors(errors)
    }

    /// 422 with one fault.
    pub fn invalid_field(field: &str, code: FaultCode, message: impl Into<String>) -> Self {
        Self::invalid(vec![fault(field, code, message)])
    }

    /// 409.
    pub fn conflict(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ProblemCode::Conflict, detail)
    }

    /// 500. `cause` goes to the log alone; it must hold no secret.
    pub fn system(cause: impl std::fmt::Display) -> Self {
        Self::new(ProblemCode::SystemError, "Try again; if it persists, quote the requestId to the operator.")
            .with_cause(cause)
    }

    /// 503. `cause` goes to the log alone; it must hold no secret.
    pub fn unavailable(cause: impl std::fmt::Display) -> Self {
        Self::new(ProblemCode::ServiceUnavailable, "Try again in a moment.").with_cause(cause)
    }

    fn with_cause(self, cause: impl std::fmt::Display) -> Self {
        Self { cause: Some(Box::new(Cause { words: cause.to_string(), storage: None })), ..self }
    }

    fn with_storage_fault(mut self, fault: StorageFault) -> Self {
        if let Some(cause) = &mut self.cause {
            cause.storage = Some(fault);
        }
        self
    }

    /// What it says of the database's health.
    pub fn storage_fault(&self) -> Option<StorageFault> {
        self.cause.as_ref()?.storage
    }

    /// Logs why the service could not do its part. Whoever answers with the problem calls this where the request's id is
    /// known: a problem is made on whatever thread met it, the database's own among them.
    pub fn log(&self) {
        let Some(cause) = self.cause.as_deref() else { return };
        if self.code == ProblemCode::ServiceUnavailable {
            tracing::warn!(cause = %cause.words, "a request could not be served");
        } else {
            tracing::error!(cause = %cause.words, "a request failed");
        }
    }

    /// The same problem with what is wrong with each field, at most 50 of them.
    #[must_use]
    pub fn with_errors(self, errors: Vec<FieldFault>) -> Self {
        let (errors, truncated) = bounded(errors);
        Self { errors, truncated, ..self }
    }

    /// The same problem under another status.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// The same problem with a header beside it.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The problem that stands for a bare refusal of the router or of axum's own extractors.
    pub fn of_status(status: StatusCode) -> Self {
        let (code, detail) = match status {
            StatusCode::NOT_FOUND => (ProblemCode::MissingResource, "No such address."),
            StatusCode::METHOD_NOT_ALLOWED => {
                (ProblemCode::MethodNotAllowed, "`Allow` lists the methods that work.")
            }
            StatusCode::PAYLOAD_TOO_LARGE => (ProblemCode::PayloadTooLarge, "Send a smaller body."),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                (ProblemCode::UnsupportedType, "Send `Content-Type: application/json`.")
            }
            other if other.is_client_error() => {
                (ProblemCode::InvalidParameters, "The request could not be understood.")
            }
            _ => {
                (ProblemCode::SystemError, "Try again; if it persists, quote the requestId to the operator.")
            }
        };
        let mut problem = Self::new(code, detail);
        problem.status = status;
        problem
    }

    /// The document's bytes under this request id.
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

/// How the caller that was refused authenticates. Where a page's own request is challenged to send `Basic`, a browser asks the
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
    #[expect(clippy::wildcard_enum_match_arm, reason = "whatever else goes wrong in the store is our fault")]
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::BadCursor => {
                Self::invalid_field("cursor", FaultCode::Invalid, "a nextCursor of this very list")
            }
            StoreError::Erased => Self::missing(),
            StoreError::Duplicate(_) | StoreError::Stale { .. } => {
                Self::conflict("Something else changed the same resource at that moment; try again.")
            }
            StoreError::Busy => {
                Self::conflict("Another request is still at work on the same; try again in a moment.")
                    .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
            }
            StoreError::Closed => Self::unavailable("the store is closed"),
            away if away.is_away() => Self::unavailable(away),
            full if full.is_unwritable() => Self {
                detail:
                    "The service cannot store anything right now. Nothing was changed; try again in a moment."
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
    fn problem_names_fifty_faults_and_says_that_there_are_more() {
        let (_, all) = document(faults(50, "name", "required"));
        assert_eq!((all["errors"].as_array().unwrap().len(), all.get("truncated")), (50, None));
        let (_, more) = document(faults(51, "name", "required"));
        assert_eq!((more["errors"].as_array().unwrap().len(), &more["truncated"]), (50, &true.into()));
    }

    #[test]
    fn problem_is_at_most_64_kb_whatever_its_faults_hold() {
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
