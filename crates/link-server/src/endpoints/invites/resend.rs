//! `POST /invites/{id}/resend`: sends the invitation once more, with a new link when the last was used.

use axum::extract::State;
use axum::response::Response;
use link_domain::event::Subject;
use link_domain::invite::{AskedBy, InviteInput};
use link_types::id::InviteId;
use link_types::invite::Invite;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Send an invitation once more.
#[utoipa::path(
    post, path = "/invites/{id}/resend", tag = "invites", operation_id = "resendInvite",
    params(("id" = InviteId, Path, description = "The invitation")),
    responses((status = 200, description = "The mail is on its way", body = Invite), refusals::Act),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<InviteId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Response> {
    let (owner, hosted_url) = (caller.owner().clone(), app.settings().hosted_url.clone());
    caller
        .once(move |tx, context| {
            let invite = tx.invite(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (invite, change) = invite.apply(InviteInput::Resend(AskedBy::Tenant), context)?;
            Ok(Effect::ok(&invite.view(&hosted_url), change)?.about(Subject::Invite(invite.id)))
        })
        .await
}
