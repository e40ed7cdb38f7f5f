//! The stored response of an earlier request with the same key.

use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use link_domain::tenancy::idempotency::Claim;
use link_types::problem::ProblemCode;

use super::response::response;
use crate::http::problem::{ApiResult, Problem};

/// The response header that is `true` if the response repeats an earlier one.
pub const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Marks a response as a repeat of an earlier one.
pub fn replayed(answer: impl IntoResponse) -> Response {
    let mut response = answer.into_response();
    response.headers_mut().insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    response
}

/// The state of a request whose key was used before.
pub(super) enum Met {
    Answered(Response),
    Open(Option<String>),
}

impl Met {
    /// Returns the response. Fails if the request is open, which cannot happen for a POST that uses `once`.
    pub(super) fn answered(self) -> ApiResult<Response> {
        match self {
            Self::Answered(response) => Ok(response),
            Self::Open(_) => Err(Problem::system("a POST with a single unit of work left its response open")),
        }
    }
}

/// Returns the state that a claim of the key found. `None` if the request is the first with its key.
pub(super) fn met(claim: Claim) -> ApiResult<Option<Met>> {
    match claim {
        Claim::Mine => Ok(None),
        Claim::Answered { status, body } => {
            let status = StatusCode::from_u16(status).map_err(Problem::system)?;
            Ok(Some(Met::Answered(replayed(response(status, body)))))
        }
        Claim::Open { subject } => Ok(Some(Met::Open(subject))),
        Claim::OtherRequest => Err(Problem::new(
            ProblemCode::IdempotencyKeyReused,
            "This `Idempotency-Key` was used for a different request. Send this request with a new key.",
        )),
    }
}
