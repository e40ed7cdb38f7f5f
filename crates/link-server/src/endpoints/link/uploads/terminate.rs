//! `DELETE /link/uploads/{id}`: the person takes a file out again, whether all of it came or not.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::archive::ArchiveInput;
use link_types::id::FileId;

use super::{check_own, find};
use crate::app::App;
use crate::http::caller::SessionCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;
use crate::http::tus::locked;

/// Take a file out of an archive that was not submitted.
#[utoipa::path(
    delete, path = "/link/uploads/{id}", tag = "link", operation_id = "terminateUpload",
    params(
        ("id" = FileId, Path, description = "The file"),
        ("Tus-Resumable" = String, Header, description = "1.0.0", example = "1.0.0"),
    ),
    responses((status = 204, description = "Gone"), refusals::Upload),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<FileId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<StatusCode> {
    check_own(&app, &caller, &id).await?;
    let _turn = app.upload_turns().take(&id).await.ok_or_else(locked)?;
    let (session, context) = (caller.session().clone(), caller.context());
    caller
        .write(move |tx| -> Answer<_> {
            let mut context = context.clone();
            let (archive, _) = find(tx, &session, &id)?;
            let archive = tx.archive(&archive.owner, &archive.id)?.ok_or_else(Problem::missing)?;
            let (_, change) =
                archive.apply(ArchiveInput::RemoveFile { file_id: id.clone() }, &mut context)?;
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
