//! `GET /linkTemplates`: lists the link templates of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_types::list::Page;
use link_types::template::LinkTemplate;

use super::with_urls;
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{PageQuery, Query};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Lists link templates, newest first.
///
/// The list contains the templates of the environment of the API key. Deleted templates are not listed.
#[utoipa::path(
    get, path = "/linkTemplates", tag = "linkTemplates", operation_id = "listLinkTemplates",
    params(Query<PageQuery>),
    responses((status = 200, description = "A page of link templates", body = Page<LinkTemplate>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> ApiResult<Json<Page<LinkTemplate>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> { Ok(reader.link_templates().list(&owner, &request)?) })
        .await?;
    Ok(Json(list::page(page, |it| with_urls(it.template, &app.settings().sdk_url))))
}
