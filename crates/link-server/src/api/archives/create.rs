//! `POST /archives`: uploads a document on behalf of a user, with its files as base64 in one body.

use axum::extract::{Request, State};
use axum::response::Response;
use link_domain::change::{Change, Row};
use link_domain::documents::archive::{ArchiveInput, NewFile, TenantArchive, UploadUse};
use link_domain::kernel::subject::Subject;
use link_domain::tenancy::quota::Quota;
use link_domain::use_cases::{UploadError, UserUploads, begin_upload, submit_upload};
use link_store::Label;
use link_types::Sensitive;
use link_types::archive::{self, ArchiveType, FileFault, FileSlot};
use link_types::id::{ArchiveId, FileId, UserId};
use link_types::problem::{FaultCode, FieldFault};
use serde::Deserialize;

use super::view_at;
use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::standing::check_here;
use crate::http::idempotency::{IDEMPOTENCY_REPLAYED, IdempotentResponse};
use crate::http::problem::{ApiResult, Problem, fault};
use crate::openapi::{parse_example, refusals};
use crate::uploads::{UploadEnd, UploadWriter, base64_text};

/// The maximum size of the body in bytes. A file of 15 MB has 20 MB as base64, and a body may have several files.
const LIMIT: usize = 32 * 1024 * 1024;

/// Body of `POST /archives`: the files of one document.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TenantUpload {
    /// User whose document this is.
    user_id: UserId,
    /// Kind of document.
    #[serde(rename = "type")]
    archive_type: ArchiveType,
    /// Files of the document, in order.
    #[schema(min_items = 1, max_items = 10)]
    files: Vec<TenantFile>,
}

/// A file that a tenant uploads.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TenantFile {
    /// Name of the file.
    #[schema(value_type = String, min_length = 1, max_length = 255, example = "payslip.pdf")]
    name: Sensitive,
    /// Part of the document that the file shows. Defaults to PAGE.
    slot: Option<FileSlot>,
    /// Content of the file in base64 (RFC 4648), or as a `data:` URL in base64. Both alphabets, line breaks and missing
    /// padding are accepted. At most 15,000,000 bytes before encoding.
    #[schema(max_length = 33_554_432)]
    content: String,
    /// SHA-256 of the content, in lower-case hex. If given, the service rejects content that does not match it.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: Option<String>,
}

/// A file with its decoded content.
struct Decoded {
    file: NewFile,
    bytes: Vec<u8>,
}

/// An archive that is not submitted yet. Until then it is invisible to the tenant.
struct StartedUpload {
    user_id: UserId,
    archive_id: ArchiveId,
    files: Vec<FileId>,
    /// The uses of the user's quota. They are stored on submission, so that rejected uploads do not count.
    uses: Vec<UploadUse>,
}

/// Uploads a document on behalf of a user.
///
/// Files must be PDF, JPEG, HEIC, PNG, WebP or TIFF. They are inspected like a person's upload and have the same limits. The
/// response has the status STARTED. The event ARCHIVE_ANALYZED or ARCHIVE_FAILED reports the result.
#[utoipa::path(
    post, path = "/archives", tag = "archives", operation_id = "createArchive",
    request_body(content = TenantUpload, example = json!({
        "userId": "demo-0192f0c1a2b37c4d8e5f60718293a4b5",
        "type": "IDENTIFICATION",
        "files": [
            {
                "name": "id.png",
                "slot": "FRONT",
                "content": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==",
            },
        ],
    })),
    responses((status = 201, description = "The archive, with the status STARTED", body = archive::Archive, example = json!(parse_example(include_str!("create.json")))), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    request: Request,
) -> ApiResult<Response> {
    let permits = &app.limits.body_uploads;
    let permit = permits.take(&caller.owner().tenant).await?;
    let Body(body) = Body::<TenantUpload, LIMIT>::within(request, &app, permits.timeout()).await?;
    if let Some(response) = caller.find_earlier_response().await? {
        return Ok(response);
    }
    let TenantUpload { user_id, archive_type, files } = body;
    let files = decode_files(files)?;
    let begun = match begin(&app, &caller, user_id, archive_type, &files).await {
        Ok(begun) => begun,
        // A concurrent duplicate that has finished since may have used up the quota. Return its response.
        Err(problem) => return caller.find_earlier_response().await?.ok_or(problem),
    };
    let stored = begun.files.iter().cloned().zip(files);
    if let Err(problem) = store(&app, &caller, &begun.archive_id, stored).await {
        discard(&app, &caller, &begun.archive_id).await?;
        count_refused(&app, &caller, &begun.user_id, &problem).await?;
        return Err(problem);
    }
    drop(permit);
    submit(&app, &caller, begun).await
}

/// Decodes the files. The error lists every file that is not valid base64.
fn decode_files(files: Vec<TenantFile>) -> ApiResult<Vec<Decoded>> {
    let mut faults = Vec::new();
    let mut decoded = Vec::with_capacity(files.len());
    for (index, file) in files.into_iter().enumerate() {
        match base64_text::decode(&file.content) {
            Ok(bytes) => {
                let slot = file.slot.unwrap_or(FileSlot::Page);
                let size_bytes = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                let file = NewFile { name: file.name, slot, size_bytes, sha256: file.sha256 };
                decoded.push(Decoded { file, bytes });
            }
            Err(invalid) => faults.push(fault(field(index), FaultCode::Invalid, invalid.to_string())),
        }
    }
    if faults.is_empty() { Ok(decoded) } else { Err(Problem::invalid(faults)) }
}

/// Creates the archive with all its files. The error lists every file that is rejected for its size, slot or quota.
async fn begin(
    app: &App,
    caller: &TenantCaller,
    user_id: UserId,
    archive_type: ArchiveType,
    files: &[Decoded],
) -> ApiResult<StartedUpload> {
    let files: Vec<NewFile> = files.iter().map(|it| it.file.clone()).collect();
    let (owner, context, quota) = (caller.owner().clone(), caller.context(), app.settings.upload_quota());
    app.store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let now = context.now();
            let unknown =
                || Problem::invalid_field("userId", FaultCode::Invalid, "a user of this environment");
            tx.users().get(&owner, &user_id)?.ok_or_else(unknown)?;
            let refused = tx.quota_uses().get(&owner, &user_id, Quota::RefusedFiles, "")?;
            let uploads = UserUploads { usage: tx.upload_uses().usage(&owner, &user_id, now.wall())?, quota };
            let new = TenantArchive { owner: owner.clone(), user_id: user_id.clone(), archive_type };
            let begun = begin_upload(new, &files, uploads, refused, &mut context)?;
            tx.apply(&begun.change, now)?;
            let files = begun.archive.progress(now.tenant()).files;
            Ok(StartedUpload {
                user_id: user_id.clone(),
                files: files.into_iter().map(|file| file.file_id).collect(),
                archive_id: begun.archive.id,
                uses: begun.uses,
            })
        })
        .await
}

/// Stores and inspects every file. The error lists every file that is rejected.
async fn store(
    app: &App,
    caller: &TenantCaller,
    archive_id: &ArchiveId,
    files: impl Iterator<Item = (FileId, Decoded)>,
) -> ApiResult<()> {
    let mut faults = Vec::new();
    for (index, (file_id, Decoded { bytes, .. })) in files.enumerate() {
        let mut writer = UploadWriter::open(app, caller.owner(), archive_id, &file_id).await?;
        writer.append(&bytes).await?;
        match writer.finish().await? {
            UploadEnd::Complete(_) => {}
            UploadEnd::Refused(refused) => faults.push((index, refused)),
            UploadEnd::Partial { .. } => {
                return Err(Problem::system("An upload is incomplete after its last byte"));
            }
        }
    }
    all_fit(&faults)
}

/// Submits the archive, which makes it visible to the tenant.
///
/// If a concurrent duplicate with the same `Idempotency-Key` was first, discards this archive and returns the response
/// with the other one.
async fn submit(app: &App, caller: &TenantCaller, begun: StartedUpload) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let key = app.store.read(|reader| -> ApiResult<_> { Ok(reader.derive_key(Label::Export)) }).await?;
    let (shown, now, quota) = (app.clone(), caller.now().wall(), app.settings.upload_quota());
    let archive_id = begun.archive_id.clone();
    let response = caller
        .once(move |tx, context| {
            // Locks the user, so that concurrent requests of one user cannot exceed a quota together.
            tx.users().get(&owner, &begun.user_id)?.ok_or_else(Problem::missing)?;
            let usage = tx.upload_uses().usage(&owner, &begun.user_id, shown.wall())?;
            let archive = tx.archives().get(&owner, &begun.archive_id)?.ok_or_else(Problem::missing)?;
            let uploads = UserUploads { usage, quota };
            let (archive, change) = submit_upload(archive, &begun.uses, uploads, context)?;
            let view = view_at(&shown, now, &key, &archive).ok_or_else(Problem::missing)?;
            Ok(IdempotentResponse::for_created(&view, change)?
                .about(Subject::Archive(begun.archive_id.clone())))
        })
        .await;
    let is_own = response.as_ref().is_ok_and(|it| !it.headers().contains_key(&IDEMPOTENCY_REPLAYED));
    if !is_own {
        discard(app, caller, &archive_id).await?;
    }
    response
}

/// Counts the files that the inspection rejected. Inspecting them costs as much as inspecting accepted files.
async fn count_refused(app: &App, caller: &TenantCaller, user: &UserId, problem: &Problem) -> ApiResult<()> {
    let refused = problem.errors().iter().filter(|it| it.file_fault.is_some()).count();
    let refused = u32::try_from(refused).unwrap_or(u32::MAX);
    if refused == 0 {
        return Ok(());
    }
    let (owner, user, now) = (caller.owner().clone(), user.clone(), caller.now());
    app.store
        .write(move |tx| -> ApiResult<_> {
            check_here(tx, &owner.tenant)?;
            let used =
                tx.quota_uses().get(&owner, &user, Quota::RefusedFiles, "")?.spend(refused, now.wall());
            Ok(tx.apply(&Change::row(Row::QuotaUse(used)), now)?)
        })
        .await
}

async fn discard(app: &App, caller: &TenantCaller, archive_id: &ArchiveId) -> ApiResult<()> {
    let (owner, id, context) = (caller.owner().clone(), archive_id.clone(), caller.context());
    app.store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            check_here(tx, &owner.tenant)?;
            let Some(archive) = tx.archives().get(&owner, &id)? else { return Ok(()) };
            match archive.apply(ArchiveInput::Discard, &mut context) {
                Ok((_, change)) => Ok(tx.apply(&change, context.now())?),
                // The archive was submitted. Only the response was lost.
                Err(_) => Ok(()),
            }
        })
        .await
}

fn all_fit(faults: &[(usize, FileFault)]) -> ApiResult<()> {
    if faults.is_empty() { Ok(()) } else { Err(refusal(faults)) }
}

impl From<UploadError> for Problem {
    fn from(refused: UploadError) -> Self {
        match refused {
            UploadError::Files(faults) => refusal(&faults),
            UploadError::Archive(illegal) => illegal.into(),
        }
    }
}

/// Returns the problem that lists every rejected file.
fn refusal(faults: &[(usize, FileFault)]) -> Problem {
    let too_much = |fault: &FileFault| matches!(fault, FileFault::TooLarge | FileFault::QuotaExceeded);
    let named: Vec<FieldFault> = faults
        .iter()
        .map(|(index, refused)| {
            let code = if too_much(refused) { FaultCode::TooLong } else { FaultCode::Invalid };
            let message = format!("the file was rejected: {}", refused.as_str());
            FieldFault { file_fault: Some(*refused), ..fault(field(*index), code, message) }
        })
        .collect();
    let all_too_much = faults.iter().all(|(_, refused)| too_much(refused));
    if all_too_much { Problem::too_large(named) } else { Problem::invalid(named) }
}

fn field(index: usize) -> String {
    format!("files[{index}].content")
}
