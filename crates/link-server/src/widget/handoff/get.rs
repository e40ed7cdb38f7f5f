//! `GET /link/handoff`: returns the state of the session's latest hand-off.

use axum::Json;
use axum::extract::State;
use link_types::handoff::Handoff;

use super::state::state;
use crate::app::App;
use crate::http::extract::computer_caller::ComputerCaller;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves the state of the session's latest hand-off.
///
/// The widget asks every 2 seconds while it shows the code or waits for the phone.
#[utoipa::path(
    get, path = "/link/handoff", tag = "link", operation_id = "getHandoff",
    responses((status = 200, description = "The hand-off", body = Handoff, example = json!(shown(include_str!("get.json")))), refusals::Act),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: ComputerCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Handoff>> {
    let (id, now) = (caller.session().id.clone(), caller.now());
    let handoff = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let handoff = reader.link_handoffs().get(&id)?.ok_or_else(Problem::missing)?;
            state(reader, &handoff, None, now)
        })
        .await?;
    Ok(Json(handoff))
}
