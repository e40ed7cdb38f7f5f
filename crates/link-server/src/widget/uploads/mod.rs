//! Uploads by tus 1.0. An upload is one file of an archive of the attempt.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{options as on_options, post as on_post};
use link_domain::documents::archive::{
    Archive, ArchiveInput, FileHolder, NewFile, UPLOAD_LIFE, UploadingFile,
};
use link_domain::kernel::owner::Owner;
use link_domain::linking::reach::Reach;
use link_store::Reader;
use link_types::archive::MAX_FILE_BYTES;
use link_types::id::FileId;
use link_types::problem::ProblemCode;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::http::tus::{
    self, Append, Creation, EXTENSIONS, Metadata, TUS_EXTENSION, TUS_MAX_SIZE, TUS_VERSION, UPLOAD_EXPIRES,
    UPLOAD_LENGTH, UPLOAD_OFFSET, VERSION, append, creation, http_date, meant_method, upload_in_use,
};
use crate::openapi::refusals;
use crate::uploads::{UploadWriter, Uploader, Uploading, receive};
use crate::widget::archives::own;

/// Returns the routes of uploads. Routes that only tus defines (OPTIONS, overridden methods) are not in the document.
pub(super) fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create => person))
        .routes(routes!(head => read, append_bytes => person, terminate => person))
        .route("/link/uploads", on_options(async || respond_to_options("POST,OPTIONS")))
        .route(
            "/link/uploads/{id}",
            on_post(run_override).options(async || respond_to_options("HEAD,PATCH,DELETE,POST,OPTIONS")),
        )
        .layer(from_fn(tus::layer))
}

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
async fn create(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let creation = creation(&headers)?;
    let with_upload = creation.with_upload;
    let (id, mut standing) = announce(&app, &caller, creation).await?;
    let location = format!("{}/link/uploads/{id}", crate::http::prefix(caller.owner().mode));
    if with_upload {
        let append = Append { offset: 0, announced: None };
        standing = receive(&app, caller, id, append, body).await?;
    }
    let location = [(header::LOCATION, HeaderValue::from_str(&location).map_err(Problem::system)?)];
    Ok((StatusCode::CREATED, location, standing).into_response())
}

/// Adds the file to its archive, or returns the file that the same request already added.
async fn announce(
    app: &App,
    caller: &SessionCaller,
    creation: Creation<Metadata>,
) -> ApiResult<(FileId, HeaderMap)> {
    let (session, reach) = (caller.session().clone(), caller.reach());
    let (context, quota) = (caller.context(), app.settings.upload_quota());
    let locks = app.limits.upload_locks.clone();
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
            if let Some(known) = archive.find_announced(&file).filter(|known| !locks.is_wanted(known.id())) {
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

/// Retrieves how many bytes of an upload have been received.
///
/// A request that is still sending bytes is ended first, so that the response is final.
#[utoipa::path(
    head, path = "/link/uploads/{id}", tag = "link", operation_id = "getUploadOffset",
    params(
        ("id" = FileId, Path, description = "The file's id"),
        ("Tus-Resumable" = String, Header, description = "Version of tus", example = "1.0.0"),
    ),
    responses(
        (status = 200, description = "The upload's progress", headers(
            ("Upload-Offset" = u32, description = "Number of bytes received"),
            ("Upload-Length" = u32, description = "Size of the file in bytes"),
            ("Upload-Expires" = String, description = "When the upload is removed if no more bytes arrive"),
        )),
        refusals::Upload
    ),
    security(("session" = []))
)]
async fn head(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<FileId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    check_own(&caller, &id).await?;
    let _lock = app.limits.upload_locks.take(&id).await.ok_or_else(upload_in_use)?;
    let (owner, reach) = (caller.owner().clone(), caller.reach());
    let headers = caller
        .read(move |reader| -> ApiResult<_> {
            let (archive, file) = find(reader, (&owner, &reach), &id)?;
            Ok(standing(&archive, &file))
        })
        .await?;
    let uncached = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((StatusCode::OK, uncached, headers).into_response())
}

/// Returns the allowed methods, the version and extensions of tus, and the maximum size of an upload.
///
/// Like any preflight request, it needs no credentials.
fn respond_to_options(allowed: &'static str) -> Response {
    let headers = [
        (header::ALLOW, HeaderValue::from_static(allowed)),
        (TUS_VERSION, HeaderValue::from_static(VERSION)),
        (TUS_EXTENSION, HeaderValue::from_static(EXTENSIONS)),
        (TUS_MAX_SIZE, HeaderValue::from(MAX_FILE_BYTES)),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// The maximum number of concurrent append requests of a session. The widget sends fewer. Each one holds a connection.
const MAX_AT_ONCE: usize = 10;

/// The schema of a binary body, so that generated clients send a file instead of a list of numbers.
enum Bytes {}

impl PartialSchema for Bytes {
    fn schema() -> RefOr<Schema> {
        let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
        ObjectBuilder::new().schema_type(Type::String).format(Some(format)).into()
    }
}

impl ToSchema for Bytes {}

/// Appends bytes to a file.
///
/// Bytes are durable as they arrive: an interrupted request loses at most the last 256 KB. After the last byte of the
/// file, the service inspects it. The response then says whether the file is accepted.
#[utoipa::path(
    patch, path = "/link/uploads/{id}", tag = "link", operation_id = "appendUpload",
    request_body(content = inline(Bytes), content_type = "application/offset+octet-stream", description = "The bytes to append"),
    params(
        ("id" = FileId, Path, description = "The file's id"),
        ("Tus-Resumable" = String, Header, description = "Version of tus", example = "1.0.0"),
        ("Upload-Offset" = u32, Header, description = "Offset of the first byte in the file", example = 0),
    ),
    responses(
        (status = 204, description = "The bytes are stored", headers(
            ("Upload-Offset" = u32, description = "Number of bytes received"),
            ("Upload-Expires" = String, description = "When the upload is removed if no more bytes arrive"),
        )),
        refusals::Upload
    ),
    security(("session" = []))
)]
async fn append_bytes(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<FileId>,
    Query(NoQuery): Query<NoQuery>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let append = append(&headers)?;
    let _counted = app.limits.appends.admit(&caller.session().id, MAX_AT_ONCE).ok_or_else(|| {
        let detail = "The session has 10 concurrent append requests. Wait until one of them ends.";
        Problem::new(ProblemCode::RequestLimitExceeded, detail)
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    })?;
    check_own(&caller, &id).await?;
    let progress = receive(&app, caller, id, append, body).await?;
    Ok((StatusCode::NO_CONTENT, progress).into_response())
}

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
async fn terminate(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<FileId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    check_own(&caller, &id).await?;
    let _lock = app.limits.upload_locks.take(&id).await.ok_or_else(upload_in_use)?;
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

/// Finds a file in the caller's reach and its archive, which is not submitted yet.
///
/// # Errors
/// 404 for an unknown file.
fn find(
    reader: &mut Reader<'_>,
    (owner, reach): (&Owner, &Reach),
    id: &FileId,
) -> ApiResult<(Archive, UploadingFile)> {
    let Some(FileHolder::Archive(archive)) = reader.files().holder_of(id)? else {
        return Err(Problem::missing());
    };
    let archive = own(reader.archives().get(owner, &archive)?, reach)?;
    let file = archive.uploading(id).cloned().ok_or_else(Problem::missing)?;
    Ok((archive, file))
}

impl Uploader for SessionCaller {
    async fn progress(&self, id: &FileId) -> ApiResult<Uploading> {
        let (owner, reach, id) = (self.owner().clone(), self.reach(), id.clone());
        self.read(move |reader| {
            let (archive, file) = find(reader, (&owner, &reach), &id)?;
            Ok(Uploading {
                headers: standing(&archive, &file),
                received_bytes: file.received_bytes(),
                size_bytes: file.size_bytes(),
                is_complete: file.stored_file().is_some(),
            })
        })
        .await
    }

    async fn writer(&self, id: &FileId) -> ApiResult<UploadWriter> {
        let (owner, reach, file) = (self.owner().clone(), self.reach(), id.clone());
        let archive = self.read(move |reader| Ok(find(reader, (&owner, &reach), &file)?.0.id)).await?;
        UploadWriter::open(self.app(), self.owner(), &archive, id).await
    }

    fn time_left(&self) -> Duration {
        self.session().time_left(self.now().wall()).1
    }

    async fn uses_again(&self) -> ApiResult<Duration> {
        Self::uses_again(self).await
    }
}

/// Checks that the file is in the caller's reach.
///
/// Call this before taking the upload's lock. Otherwise a request could interrupt another person's upload.
async fn check_own(caller: &SessionCaller, id: &FileId) -> ApiResult<()> {
    let (owner, reach, id) = (caller.owner().clone(), caller.reach(), id.clone());
    caller.read(move |reader| find(reader, (&owner, &reach), &id).map(|_| ())).await
}

/// Returns the progress of an upload as tus headers.
fn standing(archive: &Archive, file: &UploadingFile) -> HeaderMap {
    HeaderMap::from_iter([
        (UPLOAD_OFFSET, HeaderValue::from(file.received_bytes())),
        (UPLOAD_LENGTH, HeaderValue::from(file.size_bytes())),
        (UPLOAD_EXPIRES, http_date(archive.updated_at + UPLOAD_LIFE)),
    ])
}

/// Runs the method in `X-HTTP-Method-Override`: PATCH or DELETE.
async fn run_override(
    State(app): State<App>,
    caller: SessionCaller,
    request: Request,
) -> ApiResult<Response> {
    let method = meant_method(&request);
    let (mut parts, body) = request.into_parts();
    let id = PathId::from_request_parts(&mut parts, &app).await?;
    if method == Some(Method::PATCH) {
        return append_bytes(State(app), caller, id, Query(NoQuery), parts.headers, body).await;
    }
    if method == Some(Method::DELETE) {
        let gone: StatusCode = terminate(State(app), caller, id, Query(NoQuery)).await?;
        return Ok(gone.into_response());
    }
    let allowed = axum::http::HeaderValue::from_static("OPTIONS,HEAD,PATCH,DELETE");
    Err(Problem::new(ProblemCode::MethodNotAllowed, "`Allow` lists the allowed methods.")
        .with_header(header::ALLOW, allowed))
}
