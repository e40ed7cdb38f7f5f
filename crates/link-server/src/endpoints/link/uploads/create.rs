//! `POST /link/uploads`: a new file of an archive, checked before a byte of it is sent.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_domain::archive::{ArchiveInput, NewFile, UploadingFile};
use link_types::id::FileId;

use super::receive::receive;
use super::standing;
use crate::app::App;
use crate::endpoints::link::archives::own;
use crate::http::caller::SessionCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, Query};
use crate::http::refusals;
use crate::http::tus::{Append, Creation, creation};

/// Announce a file. Its bytes may come with the request, or by PATCH at the `Location` that is answered. Who announces
/// a file without a digest twice, because the first answer was lost, gets the first one's `Location` again.
#[utoipa::path(
    post, path = "/link/uploads", tag = "link", operation_id = "createUpload",
    params(
        ("Tus-Resumable" = String, Header, description = "1.0.0", example = "1.0.0"),
        ("Upload-Length" = u32, Header, description = "Bytes in all", example = 1024),
        ("Upload-Metadata" = String, Header, description = "archiveId, slot, filename and sha256 in base64"),
    ),
    responses(
        (status = 201, description = "It is expected", headers(
            ("Location" = String, description = "Its address"),
            ("Upload-Offset" = u32, description = "Bytes that are there"),
            ("Upload-Expires" = String, description = "When it goes unless more comes"),
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
) -> Answer<Response> {
    let creation = creation(&headers)?;
    let with_upload = creation.with_upload;
    let (id, mut standing) = announce(&app, &caller, creation).await?;
    let location = format!("{}/link/uploads/{id}", crate::router::prefix(caller.owner().mode));
    if with_upload {
        let append = Append { offset: 0, announced: None };
        standing = receive(&app, caller, id, append, body).await?;
    }
    let location = [(header::LOCATION, HeaderValue::from_str(&location).map_err(Problem::system)?)];
    Ok((StatusCode::CREATED, location, standing).into_response())
}

/// Adds the file to its archive, unless the same announcement added it already.
async fn announce(app: &App, caller: &SessionCaller, creation: Creation) -> Answer<(FileId, HeaderMap)> {
    let (session, context, quota) =
        (caller.session().clone(), caller.context(), app.settings().upload_quota());
    let turns = app.upload_turns().clone();
    caller
        .write(move |tx| -> Answer<_> {
            let mut context = context.clone();
            let owner = &session.owner;
            // Two requests of one user that use up a quota together take turns here.
            tx.user(owner, &session.user_id)?.ok_or_else(Problem::missing)?;
            let usage = tx.upload_usage(owner, &session.user_id, context.now().wall())?;
            let archive = own(tx.archive(owner, &creation.metadata.archive_id)?, &session.user_id)?;
            let file = NewFile {
                name: creation.metadata.name.clone(),
                slot: creation.metadata.slot,
                size_bytes: u64::from(creation.length),
                sha256: creation.metadata.sha256.clone(),
            };
            // Who sends to a file got the answer that announced it.
            if let Some(twin) = archive.announced_by(&file).filter(|twin| !turns.is_wanted(twin.id())) {
                return Ok((twin.id().clone(), standing(&archive, twin)));
            }
            let before: Vec<FileId> = files_of(&archive);
            let input = ArchiveInput::AddFile { file, usage, quota };
            let (archive, change) = archive.apply(input, &mut context)?;
            tx.apply(&change, context.now())?;
            let id = files_of(&archive).into_iter().find(|id| !before.contains(id));
            let id = id.ok_or_else(|| Problem::system("an added file is not in its archive"))?;
            let file: UploadingFile = archive.uploading(&id).cloned().ok_or_else(Problem::missing)?;
            Ok((id, standing(&archive, &file)))
        })
        .await
}

fn files_of(archive: &link_domain::archive::Archive) -> Vec<FileId> {
    use link_domain::archive::ArchiveState;
    match &archive.state {
        ArchiveState::Uploading { files } => files.iter().map(|file| file.id().clone()).collect(),
        ArchiveState::Analyzing { .. }
        | ArchiveState::Analyzed { .. }
        | ArchiveState::Failed { .. }
        | ArchiveState::Revoked { .. } => Vec::new(),
    }
}
