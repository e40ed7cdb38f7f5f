//! A JSON body, checked against its published schema before it becomes a type.

use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use link_types::problem::{FaultCode, ProblemCode};
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use super::depth::is_too_deep;
use super::idempotency::BodyDigest;
use super::problem::Problem;
use crate::app::App;

/// The largest JSON body of an address that sets no limit of its own.
pub const BODY_LIMIT: usize = 256 * 1024;

/// The request's body as a `T`, of at most `LIMIT` bytes. Every fault is answered at once and by name.
pub struct Body<T, const LIMIT: usize = BODY_LIMIT>(pub T);

impl<T: DeserializeOwned + ToSchema, const LIMIT: usize> FromRequest<App> for Body<T, LIMIT> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            return Err(Problem::new(ProblemCode::UnsupportedType, "Send `Content-Type: application/json`."));
        }
        let digest = request.extensions().get::<BodyDigest>().cloned();
        let bytes = to_bytes(request.into_body(), LIMIT)
            .await
            .map_err(|_| Problem::new(ProblemCode::PayloadTooLarge, "Send a smaller body."))?;
        if let Some(digest) = digest {
            digest.set(&bytes);
        }
        if is_too_deep(&bytes) {
            return Err(Problem::unparseable("The body is nested deeper than 64 levels."));
        }
        let value: serde_json::Value = serde_json::from_slice(&bytes)
            .map_err(|_| Problem::unparseable("The body is not valid JSON."))?;
        let faults = app.schemas().check(&T::name(), &value);
        if !faults.is_empty() {
            return Err(Problem::invalid(faults));
        }
        // What a schema cannot say (a date that exists, an identifier's shape) is left to the type itself. Its own
        // words may repeat the value, so only the place is told.
        serde_path_to_error::deserialize(value).map(Self).map_err(|error| {
            let path = error.path().to_string();
            let field = if path == "." { "" } else { &path };
            Problem::invalid_field(field, FaultCode::Invalid, "not of the required form")
        })
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let media = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    media.split(';').next().is_some_and(|it| it.trim().eq_ignore_ascii_case("application/json"))
}
