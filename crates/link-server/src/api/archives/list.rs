//! `GET /archives`: lists the archives of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_store::{ArchiveFilter, Created, Label, PageRequest};
use link_types::archive::Archive;
use link_types::id::{LinkSiteSessionId, UserId};
use link_types::list::Page;

use super::view::view;
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Query of the list of archives.
pub(super) struct ListArchivesQuery {
    user_id: Option<UserId>,
    link_site_session_id: Option<LinkSiteSessionId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListArchivesQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.optional("userId", "Return only archives of this user", "a user's id"),
            link_site_session_id: query.visit(),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// Lists archives, newest first.
///
/// The list contains submitted archives in every status, also revoked ones, which have no files.
#[utoipa::path(
    get, path = "/archives", tag = "archives", operation_id = "listArchives",
    params(Query<ListArchivesQuery>),
    responses((status = 200, description = "A page of archives", body = Page<Archive>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListArchivesQuery>,
) -> ApiResult<Json<Page<Archive>>> {
    let owner = caller.owner().clone();
    let (page, key) = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let filter = ArchiveFilter {
                user: query.user_id.as_ref(),
                visit: query.link_site_session_id.as_ref(),
                created: query.created,
            };
            Ok((reader.archives().list(&owner, filter, &query.page)?, reader.derived_key(Label::Export)))
        })
        .await?;
    let items = page.items.iter().filter_map(|archive| view(&app, &caller, &key, archive)).collect();
    Ok(Json(Page { items, next_cursor: page.next_cursor }))
}
