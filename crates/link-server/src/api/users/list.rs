//! `GET /users`: lists the users of the caller's environment, without tokens.

use axum::Json;
use axum::extract::State;
use link_store::{Created, PageRequest};
use link_types::list::Page;
use link_types::user::User;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Query of the list of users.
pub(super) struct ListUsersQuery {
    reference: Option<String>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListUsersQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            reference: query.text("reference", "Return only the user with this reference", 200),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// Lists users, newest first.
///
/// The users are returned without link tokens.
#[utoipa::path(
    get, path = "/users", tag = "users", operation_id = "listUsers",
    params(Query<ListUsersQuery>),
    responses((status = 200, description = "A page of users", body = Page<User>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListUsersQuery>,
) -> ApiResult<Json<Page<User>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            Ok(reader.users().list(&owner, query.reference.as_deref(), query.created, &query.page)?)
        })
        .await?;
    Ok(Json(list::page(page, |user| user.view())))
}
