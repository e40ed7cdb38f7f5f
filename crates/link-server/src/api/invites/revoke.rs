//! `DELETE /invites/{id}`: revokes an invitation and erases the person's data. Its history remains for 60 days.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::use_cases::revoke_invite;
use link_types::id::InviteId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Revokes an invitation.
///
/// Its link stops working, and the names and the email address are erased.
#[utoipa::path(
    delete, path = "/invites/{id}", tag = "invites", operation_id = "revokeInvite",
    params(("id" = InviteId, Path, description = "The invitation's id")),
    responses((status = 204, description = "The invitation is revoked"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<InviteId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    app.store()
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let invite = tx.invites().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(&revoke_invite(invite, &mut context)?, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
