//! `/console/api/sessions`: lists and ends sessions. An owner sees those of all members, others their own.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use link_domain::console::session::{ConsoleSession, IDLE_LIFE};
use link_domain::kernel::clock::ClockOffset;
use link_types::console::{self, Items, Permission};

use super::caller::ConsoleCaller;
use super::mailed_link::find_link_of;
use super::passkeys::confirmation_required;
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

/// Ends a session. It is rejected from now on. The last one of a member ends with their unused one-time address, and with the
/// unused link of their mailbox.
pub(super) async fn end(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: ConsoleCaller,
) -> ApiResult<StatusCode> {
    let found = visible(&app, caller.clone()).await?.into_iter().find(|it| it.id.as_str() == id);
    let session = found.ok_or_else(Problem::missing)?;
    if !caller.session.may_end(&session) {
        return Err(confirmation_required());
    }
    let now = app.now(ClockOffset::default());
    app.store
        .write(move |tx| -> ApiResult<_> {
            caller.check_again(tx, now.wall())?;
            let used_after = now.wall() - IDLE_LIFE;
            let mut others = tx.console_sessions().of_member_after(&session.member_id, used_after)?;
            others.retain(|it| it.lasts(now.wall()));
            let link = find_link_of(tx, &session.member_id)?;
            Ok(tx.apply(&session.end(&others, link), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the valid sessions that the caller may see and end.
async fn visible(app: &App, caller: ConsoleCaller) -> ApiResult<Vec<ConsoleSession>> {
    let (now, sees_all) = (app.wall(), caller.may(Permission::ManageMembers));
    let mut sessions = app
        .store
        .read(move |reader| {
            let used_after = now - IDLE_LIFE;
            if sees_all {
                reader.console_sessions().list_used_after(&caller.tenant.id, used_after)
            } else {
                reader.console_sessions().of_member_after(&caller.member.id, used_after)
            }
        })
        .await?;
    sessions.retain(|it| it.lasts(now));
    Ok(sessions)
}
