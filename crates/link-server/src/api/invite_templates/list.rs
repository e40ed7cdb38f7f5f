//! `GET /inviteTemplates`: lists the invite templates of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_types::invite_template::InviteTemplate;
use link_types::list::Page;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{PageQuery, Query};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Lists invite templates, newest first.
///
/// The list contains the templates of the environment of the API key. Deleted templates are not listed.
#[utoipa::path(
    get, path = "/inviteTemplates", tag = "inviteTemplates", operation_id = "listInviteTemplates",
    params(Query<PageQuery>),
    responses((status = 200, description = "A page of invite templates", body = Page<InviteTemplate>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> ApiResult<Json<Page<InviteTemplate>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> { Ok(reader.invite_templates().list(&owner, &request)?) })
        .await?;
    Ok(Json(list::page(page, |it| it.template)))
}
