//! `POST /link/archives/{id}/submit`: the person is done; the files are to be read.

use axum::Json;
use link_domain::archive::{ArchiveInput, IllegalTransition};
use link_types::id::ArchiveId;
use link_types::uploading::ArchiveProgress;

use super::own;
use crate::http::caller::SessionCaller;
use crate::http::problem::Answer;
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Submit an archive's files, all of which are there: the tenant hears of it once, by ARCHIVE_STARTED. Repeatable.
#[utoipa::path(
    post, path = "/link/archives/{id}/submit", tag = "link", operation_id = "submitLinkArchive",
    params(("id" = ArchiveId, Path, description = "The archive")),
    responses((status = 200, description = "The archive under way", body = ArchiveProgress), refusals::Write),
    security(("session" = []))
)]
pub(in super::super) async fn handler(
    caller: SessionCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Json<ArchiveProgress>> {
    let (session, context) = (caller.session().clone(), caller.context());
    let progress = caller
        .write(move |tx| -> Answer<_> {
            let (mut context, now) = (context.clone(), context.now());
            let archive = own(tx.archive(&session.owner, &id)?, &session.user_id)?;
            match archive.clone().apply(ArchiveInput::Submit, &mut context) {
                Ok((archive, change)) => {
                    tx.apply(&change, now)?;
                    Ok(archive.progress(now.tenant()))
                }
                // The answer to the first submit was lost.
                Err(IllegalTransition::AlreadySubmitted) => Ok(archive.progress(now.tenant())),
                Err(refused) => Err(refused.into()),
            }
        })
        .await?;
    Ok(Json(progress))
}
