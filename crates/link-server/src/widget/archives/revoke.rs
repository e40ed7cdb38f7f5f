//! `POST /link/archives/{id}/revoke`: revokes a submitted archive after the person's confirmation.

use axum::http::StatusCode;
use link_domain::linking::link::confirms;
use link_domain::tenancy::revoked_by::RevokedBy;
use link_domain::use_cases::revoke_archive;
use link_store::Label;
use link_types::id::ArchiveId;
use link_types::problem::FaultCode;
use link_types::uploading::ConfirmRevocation;

use super::own::revocable;
use crate::http::extract::body::Body;
use crate::http::extract::computer_caller::ComputerCaller;
use crate::http::extract::path::PathId;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Revokes an archive and erases its files and data.
///
/// The event ARCHIVE_REVOKED informs the tenant. A repeated request has no further effect.
#[utoipa::path(
    post, path = "/link/archives/{id}/revoke", tag = "link", operation_id = "revokeLinkArchive",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    request_body(content = ConfirmRevocation, example = json!({"confirmation": "AAZg2BTgfqS_uGqzSNF-uu8a3wWU8iWMlX8z8ZZTHZtnslZMUhlkjA"})),
    responses((status = 204, description = "The archive is revoked"), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    caller: ComputerCaller,
    PathId(id): PathId<ArchiveId>,
    Body(body): Body<ConfirmRevocation>,
) -> ApiResult<StatusCode> {
    let (session, reach, context) = (caller.session().clone(), caller.reach(), caller.context());
    caller
        .write(move |tx| -> ApiResult<_> {
            let now = context.now();
            let archive = revocable(tx.archives().get(&session.owner, &id)?, &reach)?;
            let key = tx.derived_key(Label::Confirmation);
            if !confirms(&key, &session.id, id.as_str(), &body.confirmation, now.wall()) {
                let form = "a confirmation that this session requested in the last 10 minutes";
                return Err(Problem::invalid_field("confirmation", FaultCode::Invalid, form));
            }
            Ok(tx.apply(&revoke_archive(archive, RevokedBy::User, &mut context.clone())?, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
