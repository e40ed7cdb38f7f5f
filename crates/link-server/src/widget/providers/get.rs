//! `GET /link/providers/{id}`: returns one provider with its login forms.

use axum::Json;
use axum::extract::State;
use link_types::id::ProviderId;
use link_types::provider::Provider;

use crate::app::App;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves a provider with its login forms.
///
/// Labels and help texts are in the language of the request. Returns 404 for a provider that the link template does not
/// offer.
#[utoipa::path(
    get, path = "/link/providers/{id}", tag = "link", operation_id = "getLinkProvider",
    params(("id" = ProviderId, Path, description = "The provider's id")),
    responses((status = 200, description = "The provider", body = Provider, example = json!(shown(include_str!("../../api/providers/get.json")))), refusals::Read),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<ProviderId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Provider>> {
    let (owner, template) = (caller.owner().clone(), caller.session().template_id.clone());
    let template = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            reader.link_templates().get(&owner, &template)?.ok_or_else(Problem::missing)
        })
        .await?;
    let providers = app.source(caller.owner().mode).providers();
    let found = providers.iter().find(|it| it.id == id && it.enabled && template.offers(&it.id));
    found.map(|it| Json(caller.worded(it))).ok_or_else(Problem::missing)
}
