//! `DELETE /link/uploads/{id}`: removes a file, complete or not, from its archive.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::documents::archive::ArchiveInput;
use link_types::id::FileId;

use super::own::{check_own, find};
use crate::app::App;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::http::tus::locked;
use crate::openapi::refusals;

/// Removes a file from an archive that was not submitted.
///
/// This is the termination extension of tus 1.0. The bytes that were received are deleted.
#[utoipa::path(
    delete, path = "/link/uploads/{id}", tag = "link", operation_id = "terminateUpload",
    params(
        ("id" = FileId, Path, description = "The file's id"),
        ("Tus-Resumable" = String, Header, description = "Version of tus", example = "1.0.0"),
    ),
    responses((status = 204, description = "The file is removed"), refusals::Upload),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<FileId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    check_own(&caller, &id).await?;
    let _lock = app.upload_locks().take(&id).await.ok_or_else(locked)?;
    let (owner, reach, context) = (caller.owner().clone(), caller.reach(), caller.context());
    caller
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let (archive, _) = find(tx, (&owner, &reach), &id)?;
            let archive = tx.archives().get(&archive.owner, &archive.id)?.ok_or_else(Problem::missing)?;
            let (_, change) =
                archive.apply(ArchiveInput::RemoveFile { file_id: id.clone() }, &mut context)?;
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
