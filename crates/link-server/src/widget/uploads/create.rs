//! `POST /link/uploads`: creates an upload, which is one file of an archive.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_domain::documents::archive::{ArchiveInput, NewFile, UploadingFile};
use link_types::id::FileId;

use super::own::standing;
use super::receive::receive;
use crate::app::App;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::http::tus::{Append, Creation, creation};
use crate::openapi::refusals;
use crate::widget::archives::own::own;

/// Creates an upload for one file of an archive.
///
/// Send the file's bytes with this request, or with PATCH requests to the returned `Location`. A repeated request for a
/// file without a digest, for example after a lost response, returns the first `Location`.
#[utoipa::path(
    post, path = "/link/uploads", tag = "link", operation_id = "createUpload",
    params(
        ("Tus-Resumable" = String, Header, description = "Version of tus", example = "1.0.0"),
        ("Upload-Length" = u32, Header, description = "Size of the file in bytes", example = 1024),
        ("Upload-Metadata" = String, Header, description = "archiveId, slot, filename and optionally sha256, each value in base64"),
    ),
    responses(
        (status = 201, description = "The upload is created", headers(
            ("Location" = String, description = "URL of the upload"),
            ("Upload-Offset" = u32, description = "Number of bytes received"),
            ("Upload-Expires" = String, description = "When the upload is removed if no more bytes arrive"),
        )),
        refusals::Upload
    ),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let creation = creation(&headers)?;
    let with_upload = creation.with_upload;
    let (id, mut standing) = announce(&app, &caller, creation).await?;
    let location = format!("{}/link/uploads/{id}", crate::http::prefix::prefix(caller.owner().mode));
    if with_upload {
        let append = Append { offset: 0, announced: None };
        standing = receive(&app, caller, id, append, body).await?;
    }
    let location = [(header::LOCATION, HeaderValue::from_str(&location).map_err(Problem::system)?)];
    Ok((StatusCode::CREATED, location, standing).into_response())
}

/// Adds the file to its archive, or returns the file that the same request already added.
async fn announce(app: &App, caller: &SessionCaller, creation: Creation) -> ApiResult<(FileId, HeaderMap)> {
    let (session, reach) = (caller.session().clone(), caller.reach());
    let (context, quota) = (caller.context(), app.settings().upload_quota());
    let locks = app.upload_locks().clone();
    caller
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let owner = &session.owner;
            // Locks the user, so that concurrent requests of one user cannot exceed a quota together.
            tx.users().get(owner, &session.user_id)?.ok_or_else(Problem::missing)?;
            let usage = tx.upload_uses().usage(owner, &session.user_id, context.now().wall())?;
            let archive = own(tx.archives().get(owner, &creation.metadata.archive_id)?, &reach)?;
            let file = NewFile {
                name: creation.metadata.name.clone(),
                slot: creation.metadata.slot,
                size_bytes: u64::from(creation.length),
                sha256: creation.metadata.sha256.clone(),
            };
            // If another request uses the file, its client received the first response: this is not a repeated request.
            if let Some(known) = archive.announced_by(&file).filter(|known| !locks.is_wanted(known.id())) {
                return Ok((known.id().clone(), standing(&archive, known)));
            }
            let before: Vec<FileId> = files_of(&archive);
            let input = ArchiveInput::AddFile { file, usage, quota };
            let (archive, change) = archive.apply(input, &mut context)?;
            tx.apply(&change, context.now())?;
            let id = files_of(&archive).into_iter().find(|id| !before.contains(id));
            let id = id.ok_or_else(|| Problem::system("An added file is not in its archive"))?;
            let file: UploadingFile = archive.uploading(&id).cloned().ok_or_else(Problem::missing)?;
            Ok((id, standing(&archive, &file)))
        })
        .await
}

fn files_of(archive: &link_domain::documents::archive::Archive) -> Vec<FileId> {
    use link_domain::documents::archive::ArchiveState;
    match &archive.state {
        ArchiveState::Uploading { files } => files.iter().map(|file| file.id().clone()).collect(),
        ArchiveState::Analyzing { .. }
        | ArchiveState::Analyzed { .. }
        | ArchiveState::Failed { .. }
        | ArchiveState::Revoked { .. } => Vec::new(),
    }
}
