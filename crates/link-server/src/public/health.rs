//! `/health/live` and `/health/ready`, for process supervisors and load balancers.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::http::middleware::request_id::Finished;

/// Path of the liveness check.
pub const LIVE: &str = "/health/live";
/// Path of the readiness check.
pub const READY: &str = "/health/ready";

/// The body if the process can serve, but retention is paused until an operator acts.
const PAUSED: &str = "ready\nretention is paused because the clock jumped: run `linchpin retention show`\n";

/// Returns 200 while the process runs.
pub async fn live() -> &'static str {
    "live\n"
}

/// Returns 200 while the process can serve: its database reads and writes, and no stop is in progress. Otherwise 503.
///
/// The cost does not depend on how often the endpoint is called.
pub async fn ready(State(app): State<App>) -> Response {
    if !app.is_stopping() && app.readiness().is_ready(app.store()).await {
        return match app.known_jump().get() {
            None => "ready\n".into_response(),
            Some(_) => PAUSED.into_response(),
        };
    }
    let mut response = (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response();
    response.extensions_mut().insert(Finished);
    response
}
