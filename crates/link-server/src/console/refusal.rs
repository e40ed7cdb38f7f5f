//! The responses to a request without a session, and to one that is not allowed.

use axum::http::{HeaderValue, StatusCode, header};
use link_types::problem::ProblemCode;

use crate::http::problem::Problem;

/// Returns a 401. With the challenge `Basic`, the browser would ask for a name and a password.
pub(super) fn signed_out_problem(detail: &'static str) -> Problem {
    let challenge = HeaderValue::from_static("Bearer realm=\"linchpin console\"");
    Problem::invalid_credentials(detail).with_header(header::WWW_AUTHENTICATE, challenge)
}

/// Returns a 403.
pub(super) fn forbidden_problem(detail: &'static str) -> Problem {
    Problem::new(ProblemCode::Unauthorized, detail).with_status(StatusCode::FORBIDDEN)
}
