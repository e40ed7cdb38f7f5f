//! `GET /clock`: shows the clock of the sandbox.

use axum::Json;
use axum::extract::State;
use link_types::clock::Clock;

use super::{check_sandbox, read};
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::ApiResult;
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves the clock of your sandbox.
///
/// Also shows the latest advance: its start, its end, and how often it has stopped. Sandbox only: returns 404 in
/// production.
#[utoipa::path(
    get, path = "/clock", tag = "sandbox", operation_id = "getClock",
    responses((status = 200, description = "The clock", body = Clock, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Clock>> {
    let owner = caller.owner().clone();
    check_sandbox(&owner)?;
    let now = caller.now();
    Ok(Json(app.store().read(move |reader| read(reader, &owner, now)).await?))
}
