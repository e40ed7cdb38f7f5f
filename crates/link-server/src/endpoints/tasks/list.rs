//! `GET /tasks`: the tasks of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_store::{Created, PageRequest, TaskFilter};
use link_types::id::{SourceId, UserId};
use link_types::list::Page;
use link_types::task::{Task, TaskStatus};

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::Answer;
use crate::http::query::{CreatedParams, FromQuery, PageParams, Query, QueryFields};
use crate::http::{list, refusals};

/// Which tasks to list.
pub(super) struct Wanted {
    user_id: Option<UserId>,
    source_id: Option<SourceId>,
    status: Option<TaskStatus>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.optional("userId", "a user's id"),
            source_id: query.optional("sourceId", "an account's id, or an archive's"),
            status: query.optional("status", "STARTED, SUCCEEDED, PARTIAL or FAILED"),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// List tasks, newest first.
#[utoipa::path(
    get, path = "/tasks", tag = "tasks", operation_id = "listTasks",
    params(
        ("userId" = Option<UserId>, Query, description = "Only this user's"),
        ("sourceId" = Option<SourceId>, Query, description = "Only of this account or archive"),
        ("status" = Option<TaskStatus>, Query, description = "Only those that have come so far"),
        CreatedParams, PageParams,
    ),
    responses((status = 200, description = "A page of tasks", body = Page<Task>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(wanted): Query<Wanted>,
) -> Answer<Json<Page<Task>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> Answer<_> {
            let filter = TaskFilter {
                user: wanted.user_id.as_ref(),
                source: wanted.source_id.as_ref().map(SourceId::as_str),
                status: wanted.status,
                created: wanted.created,
            };
            Ok(reader.tasks(&owner, filter, &wanted.page)?)
        })
        .await?;
    Ok(Json(list::page(page, |task| task.view())))
}
