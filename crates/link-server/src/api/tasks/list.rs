//! `GET /tasks`: lists the tasks of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_store::{Created, PageRequest, TaskFilter};
use link_types::id::{SourceId, UserId};
use link_types::list::Page;
use link_types::task::{Task, TaskStatus};

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{CreatedParams, FromQuery, PageParams, Query, QueryFields};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Query of the list of tasks.
pub(super) struct ListTasksQuery {
    user_id: Option<UserId>,
    source_id: Option<SourceId>,
    status: Option<TaskStatus>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListTasksQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.optional("userId", "a user's id"),
            source_id: query.optional("sourceId", "the id of an account or an archive"),
            status: query.optional("status", "STARTED, SUCCEEDED, PARTIAL or FAILED"),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// Lists tasks, newest first.
#[utoipa::path(
    get, path = "/tasks", tag = "tasks", operation_id = "listTasks",
    params(
        ("userId" = Option<UserId>, Query, description = "Return only tasks of this user"),
        ("sourceId" = Option<SourceId>, Query, description = "Return only tasks of this account or archive"),
        ("status" = Option<TaskStatus>, Query, description = "Return only tasks with this status"),
        CreatedParams, PageParams,
    ),
    responses((status = 200, description = "A page of tasks", body = Page<Task>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListTasksQuery>,
) -> ApiResult<Json<Page<Task>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
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
