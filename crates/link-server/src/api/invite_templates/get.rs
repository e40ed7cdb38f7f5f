//! `GET /inviteTemplates/{id}`: returns one invite template.

use axum::Json;
use axum::extract::State;
use link_types::id::InviteTemplateId;
use link_types::invite_template::InviteTemplate;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves an invite template.
///
/// The response includes the texts of the mail, the landing page and the success page, with their variables.
#[utoipa::path(
    get, path = "/inviteTemplates/{id}", tag = "inviteTemplates", operation_id = "getInviteTemplate",
    params(("id" = InviteTemplateId, Path, description = "The invite template's id")),
    responses((status = 200, description = "The invite template", body = InviteTemplate, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<InviteTemplateId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<InviteTemplate>> {
    let owner = caller.owner().clone();
    let found = app
        .store()
        .read(move |reader| -> ApiResult<_> { Ok(reader.invite_templates().get(&owner, &id)?) })
        .await?;
    found.map(|it| Json(it.template)).ok_or_else(Problem::missing)
}
