//! `/console/api/{environment}/requests`: the latest requests to the REST interface of this process.

use axum::Json;
use axum::extract::State;
use link_types::console::LoggedRequests;

use super::caller::ConsoleCaller;
use crate::app::App;

/// Lists the latest requests of the environment, newest first.
pub(super) async fn list(State(app): State<App>, caller: ConsoleCaller) -> Json<LoggedRequests> {
    let log = &app.request_log;
    Json(LoggedRequests { since: log.since(), items: log.list(&caller.owner()) })
}
