//! `DELETE /alpha/socialSecurities/{id}`: erases a record.

use axum::extract::State;
use axum::http::StatusCode;
use link_types::id::RecordId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Erases a social security record.
///
/// Its events remain, with ids and codes only.
#[utoipa::path(
    delete, path = "/alpha/socialSecurities/{id}", tag = "records", operation_id = "deleteAlphaSocialSecurity",
    params(("id" = RecordId, Path, description = "The record's id")),
    responses((status = 204, description = "The record is erased"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn alpha(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<RecordId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    erase(&app, &caller, id).await
}

/// Erases a social security record. Same as `DELETE /alpha/socialSecurities/{id}`.
///
/// Its events remain, with ids and codes only.
#[utoipa::path(
    delete, path = "/socialSecurities/{id}", tag = "records", operation_id = "deleteSocialSecurity",
    params(("id" = RecordId, Path, description = "The record's id")),
    responses((status = 204, description = "The record is erased"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn plain(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<RecordId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    erase(&app, &caller, id).await
}

async fn erase(app: &App, caller: &TenantCaller, id: RecordId) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    app.store()
        .write(move |tx| -> ApiResult<_> {
            let record = tx.records().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(&record.erase(), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
