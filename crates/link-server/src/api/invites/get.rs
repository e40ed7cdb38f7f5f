//! `GET /invites/{id}`: returns one invitation.

use axum::Json;
use axum::extract::State;
use link_types::id::InviteId;
use link_types::invite::Invite;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves an invitation.
///
/// `logs` contains each status that the invitation reached, with its time. The link in `landingPageUrl` works once.
#[utoipa::path(
    get, path = "/invites/{id}", tag = "invites", operation_id = "getInvite",
    params(("id" = InviteId, Path, description = "The invitation's id")),
    responses((status = 200, description = "The invitation", body = Invite, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<InviteId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Invite>> {
    let owner = caller.owner().clone();
    let found =
        app.store().read(move |reader| -> ApiResult<_> { Ok(reader.invites().get(&owner, &id)?) }).await?;
    let invite = found.ok_or_else(Problem::missing)?;
    Ok(Json(invite.view(&app.settings().hosted_url)))
}
