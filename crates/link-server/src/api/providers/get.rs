//! `GET /providers/{id}`: returns one provider with its login options.

use axum::Json;
use axum::extract::State;
use link_types::id::ProviderId;
use link_types::provider::Provider;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves a provider with its login options.
///
/// `supported` lists the kinds of data points that an account at this provider can have.
#[utoipa::path(
    get, path = "/providers/{id}", tag = "providers", operation_id = "getProvider",
    params(("id" = ProviderId, Path, description = "The provider's id")),
    responses((status = 200, description = "The provider", body = Provider, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ProviderId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Provider>> {
    let providers = app.source(caller.owner().mode).providers();
    providers.iter().find(|it| it.id == id).cloned().map(Json).ok_or_else(Problem::missing)
}
