//! Help for a developer: `/console/api/{environment}/requests`, the latest requests to the REST interface of this process, and
//! `/console/api/{environment}/examples/{type}`, an example of an event, which is neither stored nor sent.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use link_store::StoreError;
use link_types::console::LoggedRequests;
use link_types::event::EventType;

use super::caller::ConsoleCaller;
use crate::api::events::invent;
use crate::api::payload::EventLinks;
use crate::app::App;
use crate::http::list::json_bytes;
use crate::http::problem::{ApiResult, Problem};

/// Lists the latest requests of the environment, newest first.
pub(super) async fn list_requests(State(app): State<App>, caller: ConsoleCaller) -> Json<LoggedRequests> {
    let log = &app.reports.request_log;
    Json(LoggedRequests { since: log.since(), items: log.list(&caller.owner()) })
}

/// Returns the body of an event of this type about a fictional resource.
pub(super) async fn example(
    State(app): State<App>,
    Path((_, event_type)): Path<(String, String)>,
    caller: ConsoleCaller,
) -> ApiResult<Response> {
    let event_type: EventType = event_type.parse().map_err(|_| Problem::missing())?;
    let (owner, mut context) = (caller.owner(), app.context(caller.offset()));
    let store = app.store.clone();
    let event = store
        .read(move |reader| -> Result<_, StoreError> {
            let links = EventLinks::for_invented(&app, reader, &owner, context.now().wall());
            Ok(invent(&links, &owner, event_type, None, &mut context))
        })
        .await??;
    Ok(json_bytes(event.0.body(false).to_vec()))
}
