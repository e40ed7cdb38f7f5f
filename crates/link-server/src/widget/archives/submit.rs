//! `POST /link/archives/{id}/submit`: submits an archive, so that its files are read.

use axum::Json;
use link_domain::use_cases::submit_archive;
use link_types::id::ArchiveId;
use link_types::uploading::ArchiveProgress;

use super::own::own;
use crate::http::extract::query::{NoQuery, PathId, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Submits an archive.
///
/// All its files must be complete. The event ARCHIVE_STARTED informs the tenant. A repeated request has
/// no further effect.
#[utoipa::path(
    post, path = "/link/archives/{id}/submit", tag = "link", operation_id = "submitLinkArchive",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 200, description = "The archive's progress", body = ArchiveProgress), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    caller: SessionCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<ArchiveProgress>> {
    let (session, reach, context) = (caller.session().clone(), caller.reach(), caller.context());
    let is_phone = caller.handoff().is_some();
    let progress = caller
        .write(move |tx| -> ApiResult<_> {
            let archive = own(tx.archives().get(&session.owner, &id)?, &reach)?;
            let invite = match &session.visit {
                Some(visit) => tx.invites().get(&session.owner, &visit.invite_id)?,
                None => None,
            };
            let phone = if is_phone { tx.link_handoffs().get(&session.id)? } else { None };
            let (archive, change) = submit_archive(archive, invite, phone, &mut context.clone())?;
            tx.apply(&change, context.now())?;
            Ok(archive.progress(context.now().tenant()))
        })
        .await?;
    Ok(Json(progress))
}
