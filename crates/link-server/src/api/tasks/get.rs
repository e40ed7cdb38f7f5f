//! `GET /tasks/{id}`: returns one task.

use axum::Json;
use axum::extract::State;
use link_types::id::TaskId;
use link_types::task::Task;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves a task.
///
/// While a task runs, its status is STARTED and `finishedAt` is null. `errorCode` says why data is missing.
#[utoipa::path(
    get, path = "/tasks/{id}", tag = "tasks", operation_id = "getTask",
    params(("id" = TaskId, Path, description = "The task's id")),
    responses((status = 200, description = "The task", body = Task, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<TaskId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Task>> {
    let owner = caller.owner().clone();
    let task =
        app.store().read(move |reader| -> ApiResult<_> { Ok(reader.tasks().get(&owner, &id)?) }).await?;
    task.map(|it| Json(it.view())).ok_or_else(Problem::missing)
}
