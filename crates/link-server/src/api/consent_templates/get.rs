//! `GET /consentTemplates/{id}`: returns one consent template.

use axum::Json;
use axum::extract::State;
use link_types::id::ConsentTemplateId;
use link_types::template::ConsentTemplate;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves a consent template.
///
/// The response includes all translations. Returns 404 for a deleted template, even if a consent still refers to it.
#[utoipa::path(
    get, path = "/consentTemplates/{id}", tag = "consentTemplates", operation_id = "getConsentTemplate",
    params(("id" = ConsentTemplateId, Path, description = "The consent template's id")),
    responses((status = 200, description = "The consent template", body = ConsentTemplate, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ConsentTemplateId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<ConsentTemplate>> {
    let owner = caller.owner().clone();
    let found = app
        .store()
        .read(move |reader| -> ApiResult<_> { Ok(reader.consent_templates().get(&owner, &id)?) })
        .await?;
    found.map(|it| Json(it.template)).ok_or_else(Problem::missing)
}
