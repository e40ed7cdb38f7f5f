//! `DELETE /clock/advance`: stops the advance of the sandbox's clock.

use axum::Json;
use axum::extract::State;
use link_domain::change::Change;
use link_domain::kernel::clock::Now;
use link_domain::kernel::owner::Owner;
use link_store::Tx;
use link_types::clock::Clock;

use super::{check_sandbox, view};
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Stops the advance of your sandbox's clock. Sandbox only: returns 404 in production.
///
/// The clock stays where it is, and work due at that time still runs. If no advance is in progress, nothing changes.
#[utoipa::path(
    delete, path = "/clock/advance", tag = "sandbox", operation_id = "stopClock",
    responses((status = 200, description = "The clock", body = Clock, example = json!(shown(include_str!("stop.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Clock>> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    check_sandbox(&owner)?;
    app.store()
        .write(move |tx| -> ApiResult<_> {
            let (clock, change) = stop(tx, &owner, now)?;
            tx.apply(&change, now)?;
            Ok(Json(clock))
        })
        .await
}

/// Stops the advance of a sandbox's clock, if one is in progress. Returns the clock, and the change that stops the
/// advance.
///
/// # Errors
/// 404 if the tenant does not exist.
pub(crate) fn stop(tx: &mut Tx<'_>, owner: &Owner, now: Now) -> ApiResult<(Clock, Change)> {
    // Locks the tenant, as each step of an advance does.
    let tenant = tx.tenants().get(&owner.tenant)?.ok_or_else(Problem::missing)?;
    let now = Now::new(now.wall(), tenant.offset(owner.mode));
    let (advance, change) = match tx.clock_advances().get(&owner.tenant)? {
        Some(advance) => {
            let (advance, change) = advance.stop();
            (Some(advance), change)
        }
        None => (None, Change::default()),
    };
    Ok((view(now, advance.as_ref()), change))
}
