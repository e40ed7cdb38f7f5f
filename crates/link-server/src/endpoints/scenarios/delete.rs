//! `DELETE /scenarios/{id}`: takes a login of the tenant's own away.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::{Change, Deletion};
use link_types::id::ScenarioId;

use super::check_sandbox;
use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Delete a login of your own. Accounts that were linked with it stay as they are.
#[utoipa::path(
    delete, path = "/scenarios/{id}", tag = "sandbox", operation_id = "deleteScenario",
    params(("id" = ScenarioId, Path, description = "The scenario")),
    responses((status = 204, description = "Deleted"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ScenarioId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    check_sandbox(&owner)?;
    app.store()
        .write(move |tx| -> Answer<_> {
            tx.scenario(&owner, &id)?.ok_or_else(Problem::missing)?;
            let deletions = vec![Deletion::Scenario(id.clone())];
            Ok(tx.apply(&Change { deletions, ..Change::default() }, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
