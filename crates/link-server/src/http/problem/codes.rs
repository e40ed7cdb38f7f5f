//! The status and the title of each code.

use axum::http::StatusCode;
use link_types::problem::ProblemCode;

/// Returns the default status of a code. A problem can override it.
pub(super) const fn status_of(code: ProblemCode) -> StatusCode {
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
pub(super) const fn title_of(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::Unauthorized => "Credentials are missing or invalid",
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
