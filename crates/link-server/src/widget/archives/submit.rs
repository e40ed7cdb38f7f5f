//! `POST /link/archives/{id}/submit`: submits an archive, so that its files are read.

use axum::Json;
use link_domain::archive::{ArchiveInput, IllegalTransition};
use link_types::id::ArchiveId;
use link_types::uploading::ArchiveProgress;

use super::own::own;
use crate::http::extract::caller::SessionCaller;
use crate::http::extract::query::{NoQuery, PathId, Query};
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
    let (session, context) = (caller.session().clone(), caller.context());
    let progress = caller
        .write(move |tx| -> ApiResult<_> {
            let (mut context, now) = (context.clone(), context.now());
            let archive = own(tx.archives().get(&session.owner, &id)?, &session.user_id)?;
            match archive.clone().apply(ArchiveInput::Submit, &mut context) {
                Ok((archive, change)) => {
                    tx.apply(&change, now)?;
                    Ok(archive.progress(now.tenant()))
                }
                // The response to the first request was lost.
                Err(IllegalTransition::AlreadySubmitted) => Ok(archive.progress(now.tenant())),
                Err(refused) => Err(refused.into()),
            }
        })
        .await?;
    Ok(Json(progress))
}
