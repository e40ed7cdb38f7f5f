//! `DELETE /link/session`: ends the session. The widget calls it when it closes.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::{Change, Row};
use link_domain::link::SessionEnd;

use super::work::Found;
use crate::app::App;
use crate::http::caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::http::query::{NoQuery, Query};
use crate::http::refusals;

/// Ends the session.
///
/// Accounts that are not linked yet and unfinished uploads remain in the attempt, so that the next session continues
/// them.
#[utoipa::path(
    delete, path = "/link/session", tag = "link", operation_id = "endSession",
    responses((status = 204, description = "The session is ended"), refusals::Read),
    security(("session" = []))
)]
pub(in super::super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (id, now) = (caller.session().id.clone(), caller.now());
    app.store()
        .write(move |tx| -> ApiResult<_> {
            let session = tx.link_sessions().get(&id)?.ok_or_else(Problem::missing)?;
            let attempt = tx.link_attempts().get(&session.attempt_id)?.ok_or_else(Problem::missing)?;
            let found = Found::of(&attempt, tx)?;
            let left = attempt.leave(found.work(), now.tenant());
            let rows = vec![Row::LinkSession(session.end(SessionEnd::Closed)), Row::Attempt(left)];
            Ok(tx.apply(&Change { rows, ..Change::default() }, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
