//! `/console/api/sessions`: lists and ends sessions. An owner sees those of all members, others their own.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use link_domain::change::{Change, Deletion};
use link_domain::console::session::{ConsoleSession, IDLE_LIFE};
use link_domain::kernel::clock::ClockOffset;
use link_types::console::{self, Items, Permission};

use super::caller::ConsoleCaller;
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// Lists the sessions that are valid, the last used one first.
pub(super) async fn list(
    State(app): State<App>,
    caller: ConsoleCaller,
) -> ApiResult<Json<Items<console::ConsoleSession>>> {
    let current = caller.session.id.clone();
    let items = visible(&app, caller).await?.iter().map(|it| it.view(&current)).collect();
    Ok(Json(Items { items }))
}

/// Ends a session. It is rejected from now on.
pub(super) async fn end(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: ConsoleCaller,
) -> ApiResult<StatusCode> {
    let found = visible(&app, caller).await?.into_iter().find(|it| it.id.as_str() == id);
    let session = found.ok_or_else(Problem::missing)?;
    let end = Change { deletions: vec![Deletion::ConsoleSession(session.id)], ..Change::default() };
    let now = app.now(ClockOffset::default());
    app.store.write(move |tx| tx.apply(&end, now)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the valid sessions that the caller may see and end.
async fn visible(app: &App, caller: ConsoleCaller) -> ApiResult<Vec<ConsoleSession>> {
    let (now, sees_all) = (app.wall(), caller.may(Permission::ManageMembers));
    let tenant = caller.tenant.id.clone();
    let mut sessions =
        app.store.read(move |it| it.console_sessions().used_after(&tenant, now - IDLE_LIFE)).await?;
    sessions.retain(|it| it.lasts(now) && (sees_all || it.member_id == caller.member.id));
    Ok(sessions)
}
