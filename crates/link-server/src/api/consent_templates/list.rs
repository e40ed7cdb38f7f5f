//! `GET /consentTemplates`: lists the consent templates of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_types::list::Page;
use link_types::template::ConsentTemplate;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{PageQuery, Query};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Lists consent templates, newest first.
///
/// The list contains the templates of the environment of the API key. Deleted templates are not listed.
#[utoipa::path(
    get, path = "/consentTemplates", tag = "consentTemplates", operation_id = "listConsentTemplates",
    params(Query<PageQuery>),
    responses((status = 200, description = "A page of consent templates", body = Page<ConsentTemplate>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> ApiResult<Json<Page<ConsentTemplate>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> { Ok(reader.consent_templates().list(&owner, &request)?) })
        .await?;
    Ok(Json(list::page(page, |it| it.template)))
}
