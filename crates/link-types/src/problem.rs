//! Errors of the REST API: RFC 9457 problem documents (`service.md`: "Answers").

use serde::{Deserialize, Serialize};

use crate::archive::FileFault;

words! {
    /// Stable code of a problem.
    ProblemCode {
        /// 401: credentials are missing or wrong.
        Unauthorized = "UNAUTHORIZED",
        /// 401: the API key has expired.
        KeyExpired = "KEY_EXPIRED",
        /// 403: the API key lacks a scope, which the `message` of the only entry in `errors` names.
        InsufficientScope = "INSUFFICIENT_SCOPE",
        /// 403: the operator has suspended or deleted the tenant.
        TenantSuspended = "TENANT_SUSPENDED",
        /// 401: the link token or session has expired.
        TokenExpired = "TOKEN_EXPIRED",
        /// 401: the link token has already been exchanged.
        TokenUsed = "TOKEN_USED",
        /// 401: the link token or session is unknown.
        InvalidToken = "INVALID_TOKEN",
        /// 422: the request has missing, mistyped, too long or unknown fields, which `errors` lists. 400: the request
        /// cannot be parsed.
        InvalidParameters = "INVALID_PARAMETERS",
        /// 404: the resource does not exist, or belongs to another tenant or environment.
        MissingResource = "MISSING_RESOURCE",
        /// 405: the URL does not support this method. The `Allow` header lists the supported methods.
        MethodNotAllowed = "METHOD_NOT_ALLOWED",
        /// 409: the current state of the resource does not allow this operation.
        Conflict = "CONFLICT",
        /// 409: the terms have changed since the person consented, or the person has not consented.
        ConsentRequired = "CONSENT_REQUIRED",
        /// 409: the login is for another account than the one to sign in to again.
        AccountMismatch = "ACCOUNT_MISMATCH",
        /// 422: this `Idempotency-Key` was already used with a different request.
        IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED",
        /// 413: the request body is larger than this URL accepts.
        PayloadTooLarge = "PAYLOAD_TOO_LARGE",
        /// 415: the content type is not supported at this URL.
        UnsupportedType = "UNSUPPORTED_TYPE",
        /// 429: too many requests. The `Retry-After` header says when to retry.
        RequestLimitExceeded = "REQUEST_LIMIT_EXCEEDED",
        /// 429: too many failed logins or answers. The `Retry-After` header says when to retry.
        LoginLimitExceeded = "LOGIN_LIMIT_EXCEEDED",
        /// 503: the service is temporarily unavailable.
        ServiceUnavailable = "SERVICE_UNAVAILABLE",
        /// 500: an internal error occurred in the service.
        SystemError = "SYSTEM_ERROR",
    }
}

words! {
    /// Reason why a field is invalid.
    FaultCode {
        /// The field is required.
        Missing = "MISSING",
        /// The field has the wrong JSON type.
        WrongType = "WRONG_TYPE",
        /// The value is too long or has too many items.
        TooLong = "TOO_LONG",
        /// The value is too short or has too few items.
        TooShort = "TOO_SHORT",
        /// The number is out of range.
        OutOfRange = "OUT_OF_RANGE",
        /// The value does not have the required format, or is not one of the allowed values.
        Invalid = "INVALID",
        /// The field does not exist.
        Unknown = "UNKNOWN",
    }
}

/// One error in a request. It never repeats the value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FieldFault {
    /// Path of the field, like `fields[2].name`, or the name of the query parameter or header.
    pub field: String,
    /// Reason why the field is invalid.
    pub code: FaultCode,
    /// Human-readable description of the error.
    pub message: String,
    /// Reason why the file in this field was rejected. Absent for other errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub file_fault: Option<FileFault>,
}

/// A problem document, `application/problem+json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// URL of the description of `code`.
    #[serde(rename = "type")]
    pub problem_type: String,
    /// Human-readable summary of `code`.
    pub title: String,
    /// HTTP status code.
    pub status: u16,
    /// Stable code to branch on.
    pub code: ProblemCode,
    /// The fault, and how to fix it.
    pub detail: String,
    /// Request identifier. Same as the `X-Request-Id` header.
    pub request_id: String,
    /// Errors in the request, at most 50. Empty if the request itself has no errors.
    pub errors: Vec<FieldFault>,
    /// True if the request has more errors than `errors` lists. Absent otherwise.
    // Optional, because the widget's decoder rejects a document that lacks any other field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub truncated: Option<bool>,
}
