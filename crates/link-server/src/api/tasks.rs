//! `/tasks`: the runs that read data from an account or an archive.

use axum::Json;
use axum::extract::State;
use link_store::{Created, PageRequest, TaskFilter};
use link_types::id::{SourceId, TaskId, UserId};
use link_types::list::Page;
use link_types::task::{Task, TaskStatus};

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of tasks.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list => read)).routes(routes!(get => read))
}

/// Query of the list of tasks.
struct ListTasksQuery {
    user_id: Option<UserId>,
    source_id: Option<SourceId>,
    status: Option<TaskStatus>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListTasksQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.take_optional("userId", "Return only tasks of this user", "a user's id"),
            source_id: query.take_optional(
                "sourceId",
                "Return only tasks of this account or archive",
                "the id of an account or an archive",
            ),
            status: query.take_optional(
                "status",
                "Return only tasks with this status",
                "STARTED, SUCCEEDED, PARTIAL or FAILED",
            ),
            created: query.take_creation_range(),
            page: query.page(),
        }
    }
}

/// Lists tasks, newest first.
///
/// A task is one run of reading an account or analyzing an archive. The filters can be combined.
#[utoipa::path(
    get, path = "/tasks", tag = "tasks", operation_id = "listTasks",
    params(Query<ListTasksQuery>),
    responses((status = 200, description = "A page of tasks", body = Page<Task>), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListTasksQuery>,
) -> ApiResult<Json<Page<Task>>> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let filter = TaskFilter {
                user: query.user_id.as_ref(),
                source: query.source_id.as_ref().map(SourceId::as_str),
                status: query.status,
                created: query.created,
            };
            Ok(reader.tasks().list(&owner, filter, &query.page)?)
        })
        .await?;
    Ok(Json(list::page(page, |task| task.view())))
}

/// Retrieves a task.
///
/// While a task runs, its status is STARTED and `finishedAt` is null. `errorCode` says why data is missing.
#[utoipa::path(
    get, path = "/tasks/{id}", tag = "tasks", operation_id = "getTask",
    params(("id" = TaskId, Path, description = "The task's id")),
    responses((status = 200, description = "The task", body = Task, example = json!(parse_example(include_str!("tasks/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<TaskId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Task>> {
    let owner = caller.owner().clone();
    let task = app.store.read(move |reader| -> ApiResult<_> { Ok(reader.tasks().get(&owner, &id)?) }).await?;
    task.map(|it| Json(it.view())).ok_or_else(Problem::missing)
}
