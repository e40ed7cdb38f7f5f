//! `DELETE /scenarios/{id}`: deletes a tenant's own login.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::{Change, Deletion};
use link_types::id::ScenarioId;

use super::own::check_sandbox;
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Deletes one of your own logins.
///
/// Accounts that were linked with it are unchanged.
#[utoipa::path(
    delete, path = "/scenarios/{id}", tag = "sandbox", operation_id = "deleteScenario",
    params(("id" = ScenarioId, Path, description = "The scenario's id")),
    responses((status = 204, description = "The login is deleted"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ScenarioId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    check_sandbox(&owner)?;
    app.store()
        .write(move |tx| -> ApiResult<_> {
            tx.scenarios().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let deletions = vec![Deletion::Scenario(id.clone())];
            Ok(tx.apply(&Change { deletions, ..Change::default() }, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
