//! `GET /tasks`: lists the tasks of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_store::{Created, PageRequest, TaskFilter};
use link_types::id::{SourceId, UserId};
use link_types::list::Page;
use link_types::task::{Task, TaskStatus};

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
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
            user_id: query.optional("userId", "Return only tasks of this user", "a user's id"),
            source_id: query.optional(
                "sourceId",
                "Return only tasks of this account or archive",
                "the id of an account or an archive",
            ),
            status: query.optional(
                "status",
                "Return only tasks with this status",
                "STARTED, SUCCEEDED, PARTIAL or FAILED",
            ),
            created: query.created(),
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
