//! `GET /users`: the users of the caller's environment, without tokens.

use axum::Json;
use axum::extract::State;
use link_store::{Created, PageRequest};
use link_types::list::Page;
use link_types::user::User;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::Answer;
use crate::http::query::{CreatedParams, FromQuery, PageParams, Query, QueryFields};
use crate::http::{list, refusals};

/// Which users to list.
pub(super) struct Wanted {
    reference: Option<String>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self { reference: query.text("reference", 200), created: query.created(), page: query.page() }
    }
}

/// List users, newest first.
#[utoipa::path(
    get, path = "/users", tag = "users", operation_id = "listUsers",
    params(("reference" = Option<String>, Query, description = "The user with this reference"), CreatedParams, PageParams),
    responses((status = 200, description = "A page of users", body = Page<User>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(wanted): Query<Wanted>,
) -> Answer<Json<Page<User>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> Answer<_> {
            Ok(reader.users(&owner, wanted.reference.as_deref(), wanted.created, &wanted.page)?)
        })
        .await?;
    Ok(Json(list::page(page, |user| user.view())))
}
