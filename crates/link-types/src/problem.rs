//! Errors of the REST interface: RFC 9457 problem documents (`service.md`: "Answers").

use serde::{Deserialize, Serialize};

words! {
    /// The stable code of a problem.
    ProblemCode {
        /// No or wrong credentials.
        Unauthorized = "UNAUTHORIZED",
        /// The link token or session has expired.
        TokenExpired = "TOKEN_EXPIRED",
        /// The link token was already exchanged.
        TokenUsed = "TOKEN_USED",
        /// The link token or session is not known.
        InvalidToken = "INVALID_TOKEN",
        /// Something in the request is missing or wrong; `errors` names each.
        InvalidParameters = "INVALID_PARAMETERS",
        /// Nothing is at this address for this caller.
        MissingResource = "MISSING_RESOURCE",
        /// The address knows other methods; `Allow` names them.
        MethodNotAllowed = "METHOD_NOT_ALLOWED",
        /// The resource's state does not permit this.
        Conflict = "CONFLICT",
        /// The idempotency key was used with another request.
        IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED",
        /// The body is larger than this address accepts.
        PayloadTooLarge = "PAYLOAD_TOO_LARGE",
        /// The body is of a type this address does not read.
        UnsupportedType = "UNSUPPORTED_TYPE",
        /// Too many requests; `Retry-After` says when to try again.
        RequestLimitExceeded = "REQUEST_LIMIT_EXCEEDED",
        /// The service cannot answer now.
        ServiceUnavailable = "SERVICE_UNAVAILABLE",
        /// A fault of the service.
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
    /// Every fault of the request; empty when it had none.
    pub errors: Vec<FieldFault>,
}
