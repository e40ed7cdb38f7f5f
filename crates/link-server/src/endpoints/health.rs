//! `/health/live` and `/health/ready`, for whatever supervises the process.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::http::request_id::Finished;

/// The process can serve, and an operator has something to see to.
const PAUSED: &str = "ready\nretention is paused: the clock jumped. `linchpin retention show` says more\n";

/// The process runs.
pub async fn live() -> &'static str {
    "live\n"
}

/// The process can serve: its database reads and writes, and no stop is under way. Cheap however often it is asked.
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
