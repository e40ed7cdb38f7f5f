//! `DELETE /alpha/socialSecurities/{id}`: erases a record.

use axum::extract::State;
use axum::http::StatusCode;
use link_types::id::RecordId;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Erase a social security record: it is gone, and its events keep ids and codes alone.
#[utoipa::path(
    delete, path = "/alpha/socialSecurities/{id}", tag = "records", operation_id = "deleteAlphaSocialSecurity",
    params(("id" = RecordId, Path, description = "The record")),
    responses((status = 204, description = "Erased"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn alpha(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<RecordId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<StatusCode> {
    erase(&app, &caller, id).await
}

/// Erase a social security record, at the address without its maturity.
#[utoipa::path(
    delete, path = "/socialSecurities/{id}", tag = "records", operation_id = "deleteSocialSecurity",
    params(("id" = RecordId, Path, description = "The record")),
    responses((status = 204, description = "Erased"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn plain(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<RecordId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<StatusCode> {
    erase(&app, &caller, id).await
}

async fn erase(app: &App, caller: &TenantCaller, id: RecordId) -> Answer<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    app.store()
        .write(move |tx| -> Answer<_> {
            let record = tx.record(&owner, &id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(&record.erase(), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
