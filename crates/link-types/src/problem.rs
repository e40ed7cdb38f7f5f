//! Errors of the REST interface: RFC 9457 problem documents (`service.md`: "Answers").

use serde::{Deserialize, Serialize};

use crate::archive::FileFault;

words! {
    /// The stable code of a problem.
    ProblemCode {
        /// 401: no or wrong credentials.
        Unauthorized = "UNAUTHORIZED",
        /// 401: the link token or session has expired.
        TokenExpired = "TOKEN_EXPIRED",
        /// 401: the link token was already exchanged.
        TokenUsed = "TOKEN_USED",
        /// 401: the link token or session is not known.
        InvalidToken = "INVALID_TOKEN",
        /// 422: something in the request is missing, mistyped, too long or unknown; `errors` names each. 400: it cannot be read.
        InvalidParameters = "INVALID_PARAMETERS",
        /// 404: nothing is at this address for this caller; so are another tenant's and the other environment's.
        MissingResource = "MISSING_RESOURCE",
        /// 405: the address knows other methods; `Allow` names them.
        MethodNotAllowed = "METHOD_NOT_ALLOWED",
        /// 409: the resource's state does not permit this.
        Conflict = "CONFLICT",
        /// 422: another request was sent with this `Idempotency-Key`.
        IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED",
        /// 413: the body is larger than this address accepts.
        PayloadTooLarge = "PAYLOAD_TOO_LARGE",
        /// 415: the body is of a type this address does not read.
        UnsupportedType = "UNSUPPORTED_TYPE",
        /// 429: too many requests; `Retry-After` says when to try again.
        RequestLimitExceeded = "REQUEST_LIMIT_EXCEEDED",
        /// 429: too many logins or answers failed; `Retry-After` says when to try again.
        LoginLimitExceeded = "LOGIN_LIMIT_EXCEEDED",
        /// 503: the service cannot answer now.
        ServiceUnavailable = "SERVICE_UNAVAILABLE",
        /// 500: a fault of the service.
        SystemError = "SYSTEM_ERROR",
    }
}

words! {
    /// What is wrong with one field.
    FaultCode {
        /// It is required.
        Missing = "MISSING",
        /// It is of another JSON type.
        WrongType = "WRONG_TYPE",
        /// It is too long or has too many items.
        TooLong = "TOO_LONG",
        /// It is too short or has too few items.
        TooShort = "TOO_SHORT",
        /// It is a number outside its limits.
        OutOfRange = "OUT_OF_RANGE",
        /// It is not of the required form or none of the known values.
        Invalid = "INVALID",
        /// There is no such field.
        Unknown = "UNKNOWN",
    }
}

/// One fault of a request. It never repeats the value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FieldFault {
    /// Path of the field, like `fields[2].name`; the query parameter's or header's name.
    pub field: String,
    /// What is wrong.
    pub code: FaultCode,
    /// The same in words.
    pub message: String,
    /// Why the file was refused that the field holds; absent when something else is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub file_fault: Option<FileFault>,
}

/// A problem document, `application/problem+json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Address of the code's description.
    #[serde(rename = "type")]
    pub problem_type: String,
    /// The code in words.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// The stable code to branch on.
    pub code: ProblemCode,
    /// What happened and what to do.
    pub detail: String,
    /// Same as the `X-Request-Id` header.
    pub request_id: String,
    /// The faults of the request, at most 50; empty when it had none.
    pub errors: Vec<FieldFault>,
    /// True when the request has more faults than `errors` names; absent otherwise.
    // An option, because the widget's decoder refuses a document in which any other field is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub truncated: Option<bool>,
}
