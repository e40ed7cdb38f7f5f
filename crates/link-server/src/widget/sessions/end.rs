//! `DELETE /link/session`: ends the session. The widget calls it when it closes.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::linking::link::HandoffEnd;
use link_store::Tx;

use super::work::Found;
use crate::app::App;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Ends the session.
///
/// Accounts that are not linked yet and unfinished uploads remain in the attempt, so that the next session continues
/// them. The phone of a hand-off ends only its own access.
#[utoipa::path(
    delete, path = "/link/session", tag = "link", operation_id = "endSession",
    responses((status = 204, description = "The session is ended"), refusals::Read),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (id, now) = (caller.session().id.clone(), caller.now());
    if caller.handoff().is_some() {
        let left = move |tx: &mut Tx<'_>| -> ApiResult<_> {
            let handoff = tx.link_handoffs().get(&id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(&handoff.end(HandoffEnd::Left).1, now)?)
        };
        caller.report(left).await?;
        return Ok(StatusCode::NO_CONTENT);
    }
    app.store()
        .write(move |tx| -> ApiResult<_> {
            let session = tx.link_sessions().get(&id)?.ok_or_else(Problem::missing)?;
            let attempt = tx.link_attempts().get(&session.attempt_id)?.ok_or_else(Problem::missing)?;
            let found = Found::of(&attempt, tx)?;
            Ok(tx.apply(&attempt.close(session, found.work(), now.tenant()), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
