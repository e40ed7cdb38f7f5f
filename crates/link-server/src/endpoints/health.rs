//! `/health/live` and `/health/ready`, for whatever supervises the process.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::http::problem::Answer;
use crate::http::request_id::Finished;

/// The process runs.
pub async fn live() -> &'static str {
    "live\n"
}

/// The process can serve: its database answers and no stop is under way.
pub async fn ready(State(app): State<App>) -> Response {
    let answers = app.store().read(|reader| -> Answer<()> { Ok(reader.ping()?) }).await.is_ok();
    if answers && !app.is_stopping() {
        return "ready\n".into_response();
    }
    let mut response = (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response();
    response.extensions_mut().insert(Finished);
    response
}
