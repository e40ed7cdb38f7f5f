//! `POST /invites/{id}/resend`: sends the invitation's mail again.

use axum::extract::State;
use axum::response::Response;
use link_domain::invitations::invite::{AskedBy, InviteInput};
use link_domain::notifications::event::Subject;
use link_types::id::InviteId;
use link_types::invite::Invite;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Sends an invitation's mail again.
///
/// The link is new only if the previous one was used. Returns 409 after 20 mails.
#[utoipa::path(
    post, path = "/invites/{id}/resend", tag = "invites", operation_id = "resendInvite",
    params(("id" = InviteId, Path, description = "The invitation's id")),
    responses((status = 200, description = "The invitation. The mail is being sent", body = Invite), refusals::Act),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<InviteId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let (owner, hosted_url) = (caller.owner().clone(), app.settings().hosted_url.clone());
    caller
        .once(move |tx, context| {
            let invite = tx.invites().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (invite, change) = invite.apply(InviteInput::Resend(AskedBy::Tenant), context)?;
            Ok(IdempotentResponse::ok(&invite.view(&hosted_url), change)?.about(Subject::Invite(invite.id)))
        })
        .await
}
