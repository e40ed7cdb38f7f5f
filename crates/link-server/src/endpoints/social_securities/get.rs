//! `GET /alpha/socialSecurities/{id}`: one record.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use link_domain::record::Record;
use link_store::Watched;
use link_types::Mode;
use link_types::id::RecordId;
use link_types::record::SocialSecurity;

use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::http::caller::TenantCaller;
use crate::http::long_polls::Poller;
use crate::http::news;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// How long the sandbox lets a look wait for its record: there the first one already finds it complete.
const SANDBOX_PATIENCE: Duration = Duration::from_secs(5);

/// One social security record. In the sandbox the answer waits until the record is complete, for 5 seconds at most.
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
    let owner = caller.owner();
    let patience = match owner.mode {
        Mode::Sandbox => SANDBOX_PATIENCE,
        Mode::Production => Duration::ZERO,
    };
    let whose = Poller { tenant: owner.tenant.clone(), session: None };
    let waits = (whose, Watched::Record(id.clone()), patience);
    let is_complete = |record: &Record| !record.is_processing();
    let look = async || -> Answer<Record> {
        let (owner, id) = (owner.clone(), id.clone());
        let found = app.store().read(move |reader| -> Answer<_> { Ok(reader.record(&owner, &id)?) }).await?;
        found.ok_or_else(Problem::missing)
    };
    let record = news::awaited(app, waits, |record| record.version, is_complete, look).await?;
    Ok(Json(record.view()))
}
