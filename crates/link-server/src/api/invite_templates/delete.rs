//! `DELETE /inviteTemplates/{id}`: deletes an invite template.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::{Change, Deletion};
use link_types::id::InviteTemplateId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Deletes an invite template.
///
/// Invitations that refer to it keep its texts.
#[utoipa::path(
    delete, path = "/inviteTemplates/{id}", tag = "inviteTemplates", operation_id = "deleteInviteTemplate",
    params(("id" = InviteTemplateId, Path, description = "The invite template's id")),
    responses((status = 204, description = "The invite template is deleted"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<InviteTemplateId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    app.store()
        .write(move |tx| -> ApiResult<_> {
            tx.invite_templates().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let deletions = vec![Deletion::InviteTemplate(id.clone())];
            Ok(tx.apply(&Change { deletions, ..Change::default() }, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
