//! The response to a request that is not allowed.

use axum::http::StatusCode;
use link_types::problem::ProblemCode;

use crate::http::problem::Problem;

/// Returns a 403.
pub(super) fn forbidden(detail: &'static str) -> Problem {
    Problem::new(ProblemCode::Unauthorized, detail).with_status(StatusCode::FORBIDDEN)
}
