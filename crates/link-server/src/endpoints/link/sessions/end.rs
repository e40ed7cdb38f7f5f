//! `DELETE /link/session`: the widget closed.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::{Change, Row};
use link_domain::link::SessionEnd;

use crate::app::App;
use crate::http::caller::SessionCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, Query};
use crate::http::refusals;

/// End the session. An account that is not linked yet stays in its attempt.
#[utoipa::path(
    delete, path = "/link/session", tag = "link", operation_id = "endSession",
    responses((status = 204, description = "Ended"), refusals::Read),
    security(("session" = []))
)]
pub(in super::super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<StatusCode> {
    let (id, owner, now) = (caller.session().id.clone(), caller.owner().clone(), caller.now());
    app.store()
        .write(move |tx| -> Answer<_> {
            let session = tx.link_session_by_id(&id)?.ok_or_else(Problem::missing)?;
            let attempt = tx.link_attempt(&session.attempt_id)?.ok_or_else(Problem::missing)?;
            let account = match &attempt.account_id {
                Some(account) => tx.account(&owner, account)?,
                None => None,
            };
            let left = attempt.leave(account.as_ref(), now.tenant());
            let rows = vec![Row::LinkSession(session.end(SessionEnd::Closed)), Row::Attempt(left)];
            Ok(tx.apply(&Change { rows, ..Change::default() }, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
