//! `GET /alpha/socialSecurities/{id}`: one record.

use axum::Json;
use axum::extract::State;
use link_types::id::RecordId;
use link_types::record::SocialSecurity;

use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// One social security record.
#[utoipa::path(
    get, path = "/alpha/socialSecurities/{id}", tag = "records", operation_id = "getAlphaSocialSecurity",
    params(("id" = RecordId, Path, description = "The record")),
    responses((status = 200, description = "The record", body = SocialSecurity, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn alpha(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<RecordId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Json<SocialSecurity>> {
    record(&app, &caller, id).await
}

/// One social security record, at the address without its maturity.
#[utoipa::path(
    get, path = "/socialSecurities/{id}", tag = "records", operation_id = "getSocialSecurity",
    params(("id" = RecordId, Path, description = "The record")),
    responses((status = 200, description = "The record", body = SocialSecurity, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn plain(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<RecordId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Json<SocialSecurity>> {
    record(&app, &caller, id).await
}

async fn record(app: &App, caller: &TenantCaller, id: RecordId) -> Answer<Json<SocialSecurity>> {
    let owner = caller.owner().clone();
    let found = app.store().read(move |reader| -> Answer<_> { Ok(reader.record(&owner, &id)?) }).await?;
    found.map(|record| Json(record.view())).ok_or_else(Problem::missing)
}
