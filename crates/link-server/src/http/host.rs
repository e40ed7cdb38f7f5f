//! Refuses requests whose `Host` is not ours, so that a page that rebinds its name to loopback reaches nothing.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::Problem;

/// Lets through only the `Host` values of the settings.
pub async fn layer(allowed: Arc<[String]>, request: Request, next: Next) -> Response {
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|it| it.to_str().ok())
        .or_else(|| request.uri().authority().map(axum::http::uri::Authority::as_str))
        .map(str::to_ascii_lowercase);
    match host {
        Some(host) if allowed.contains(&host) => next.run(request).await,
        Some(_) | None => {
            Problem::unparseable("The Host header names none of this service's addresses.").into_response()
        }
    }
}
