//! `GET /linkTemplates/{id}`: returns one link template.

use axum::Json;
use axum::extract::State;
use link_types::id::LinkTemplateId;
use link_types::template::LinkTemplate;

use super::with_urls;
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves a link template.
///
/// The id of a link template is not a secret: your page passes it to the widget as `templateId`.
#[utoipa::path(
    get, path = "/linkTemplates/{id}", tag = "linkTemplates", operation_id = "getLinkTemplate",
    params(("id" = LinkTemplateId, Path, description = "The link template's id")),
    responses((status = 200, description = "The link template", body = LinkTemplate, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<LinkTemplateId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<LinkTemplate>> {
    let owner = caller.owner().clone();
    let found = app
        .store()
        .read(move |reader| -> ApiResult<_> { Ok(reader.link_templates().get(&owner, &id)?) })
        .await?;
    found.map(|it| Json(with_urls(it.template, &app.settings().sdk_url))).ok_or_else(Problem::missing)
}
