//! `GET /alpha/socialSecurities/{id}`: returns one record.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use link_domain::lookups::record::Record;
use link_store::Watched;
use link_types::Mode;
use link_types::id::RecordId;
use link_types::record::SocialSecurity;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::polling::long_polls::Poller;
use crate::http::polling::news;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// How long a request in the sandbox waits for the record to be complete.
///
/// The first request thus already gets the result.
const SANDBOX_TIMEOUT: Duration = Duration::from_secs(5);

/// Retrieves a social security record.
///
/// In the sandbox, the response waits until the record is complete, for at most 5 seconds.
#[utoipa::path(
    get, path = "/alpha/socialSecurities/{id}", tag = "records", operation_id = "getAlphaSocialSecurity",
    params(("id" = RecordId, Path, description = "The record's id")),
    responses((status = 200, description = "The record", body = SocialSecurity, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn alpha(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<RecordId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<SocialSecurity>> {
    record(&app, &caller, id).await
}

/// Retrieves a social security record. Same as `GET /alpha/socialSecurities/{id}`.
///
/// In the sandbox, the response waits until the record is complete, for at most 5 seconds.
#[utoipa::path(
    get, path = "/socialSecurities/{id}", tag = "records", operation_id = "getSocialSecurity",
    params(("id" = RecordId, Path, description = "The record's id")),
    responses((status = 200, description = "The record", body = SocialSecurity, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn plain(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<RecordId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<SocialSecurity>> {
    record(&app, &caller, id).await
}

async fn record(app: &App, caller: &TenantCaller, id: RecordId) -> ApiResult<Json<SocialSecurity>> {
    let owner = caller.owner();
    let timeout = match owner.mode {
        Mode::Sandbox => SANDBOX_TIMEOUT,
        Mode::Production => Duration::ZERO,
    };
    let whose = Poller { tenant: owner.tenant.clone(), session: None };
    let waits = (whose, Watched::Record(id.clone()), timeout);
    let is_complete = |record: &Record| !record.is_processing();
    let look = async || -> ApiResult<Record> {
        let (owner, id) = (owner.clone(), id.clone());
        let found = app
            .store()
            .read(move |reader| -> ApiResult<_> { Ok(reader.records().get(&owner, &id)?) })
            .await?;
        found.ok_or_else(Problem::missing)
    };
    let record = news::awaited(app, waits, |record| record.version, is_complete, look).await?;
    Ok(Json(record.view()))
}
