//! `POST /archives`: a tenant uploads a document on a user's behalf, its files as base64 in one body.

use axum::extract::{Request, State};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::archive::{Archive, ArchiveInput, IllegalTransition, NewFile, TenantArchive, UploadUse};
use link_domain::change::{Change, Row};
use link_domain::event::Subject;
use link_domain::owner::Owner;
use link_domain::quota::Quota;
use link_store::{Label, Tx};
use link_types::Sensitive;
use link_types::archive::{self, ArchiveType, FileFault, FileSlot};
use link_types::id::{ArchiveId, FileId, UserId};
use link_types::problem::{FaultCode, FieldFault};
use serde::Deserialize;

use super::view_at;
use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::{Effect, IDEMPOTENCY_REPLAYED};
use crate::http::problem::{Answer, Problem, fault};
use crate::http::refusals;
use crate::uploads::{UploadEnd, UploadWriter};

/// The largest body: a file of 15 MB is 20 MB of base64, and several smaller ones may come together.
const LIMIT: usize = 32 * 1024 * 1024;

/// Body of `POST /archives`: one document, as its files.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TenantUpload {
    /// Whose document it is.
    user_id: UserId,
    /// The kind of document.
    #[serde(rename = "type")]
    archive_type: ArchiveType,
    /// Its files, in order.
    #[schema(min_items = 1, max_items = 10)]
    files: Vec<TenantFile>,
}

/// A file of a tenant's upload.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TenantFile {
    /// Its name.
    #[schema(value_type = String, min_length = 1, max_length = 255, example = "payslip.pdf")]
    name: Sensitive,
    /// Which part of the document it shows; PAGE if not given.
    slot: Option<FileSlot>,
    /// Its bytes in base64 (RFC 4648, section 4): at most 15,000,000 bytes.
    #[schema(max_length = 33_554_432)]
    content: String,
    /// SHA-256 of its bytes, lower-case hex: when it is given, the bytes are compared with it.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: Option<String>,
}

/// A file whose bytes are in hand.
struct Decoded {
    file: NewFile,
    bytes: Vec<u8>,
}

/// An archive that was begun: nobody hears of it before it is submitted.
struct BegunUpload {
    user_id: UserId,
    archive_id: ArchiveId,
    files: Vec<FileId>,
    /// What counts against the user's quota from the submit on: nothing does of an upload that is refused, or that a
    /// twin makes needless.
    uses: Vec<UploadUse>,
}

/// Upload a document on a user's behalf: PDF, PNG, JPEG or TIFF, inspected like a person's upload and with the same
/// limits. The answer has its status STARTED; ARCHIVE_ANALYZED or ARCHIVE_FAILED tell what came of it.
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
    responses((status = 201, description = "The archive, being read", body = archive::Archive, example = json!(shown(include_str!("create.json")))), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    request: Request,
) -> Answer<Response> {
    let turns = app.body_turns();
    let turn = turns.take(&caller.owner().tenant).await?;
    let Body(body) = Body::<TenantUpload, LIMIT>::within(request, &app, turns.patience()).await?;
    if let Some(answer) = caller.answered().await? {
        return Ok(answer);
    }
    let TenantUpload { user_id, archive_type, files } = body;
    let files = decoded(files)?;
    let begun = match begin(&app, &caller, user_id, archive_type, &files).await {
        Ok(begun) => begun,
        // A twin that has ended meanwhile may be what the quota is used up by.
        Err(problem) => return caller.answered().await?.ok_or(problem),
    };
    let stored = begun.files.iter().cloned().zip(files);
    if let Err(problem) = store(&app, &caller, &begun.archive_id, stored).await {
        discard(&app, &caller, &begun.archive_id).await?;
        count_refused(&app, &caller, &begun.user_id, &problem).await?;
        return Err(problem);
    }
    drop(turn);
    submit(&app, &caller, begun).await
}

/// The files' bytes; every file that is no base64 is named.
fn decoded(files: Vec<TenantFile>) -> Answer<Vec<Decoded>> {
    let mut faults = Vec::new();
    let mut decoded = Vec::with_capacity(files.len());
    for (index, file) in files.into_iter().enumerate() {
        match STANDARD.decode(&file.content) {
            Ok(bytes) => {
                let slot = file.slot.unwrap_or(FileSlot::Page);
                let size_bytes = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                let file = NewFile { name: file.name, slot, size_bytes, sha256: file.sha256 };
                decoded.push(Decoded { file, bytes });
            }
            Err(_) => faults.push(fault(field(index), FaultCode::Invalid, "base64 (RFC 4648, section 4)")),
        }
    }
    if faults.is_empty() { Ok(decoded) } else { Err(Problem::invalid(faults)) }
}

/// Begins the archive with all its files announced; every file that is refused for its size, slot or quota is named.
async fn begin(
    app: &App,
    caller: &TenantCaller,
    user_id: UserId,
    archive_type: ArchiveType,
    files: &[Decoded],
) -> Answer<BegunUpload> {
    let files: Vec<NewFile> = files.iter().map(|it| it.file.clone()).collect();
    let (owner, context, quota) = (caller.owner().clone(), caller.context(), app.settings().upload_quota());
    app.store()
        .write(move |tx| -> Answer<_> {
            let mut context = context.clone();
            let now = context.now();
            let unknown =
                || Problem::invalid_field("userId", FaultCode::Invalid, "a user of this environment");
            tx.user(&owner, &user_id)?.ok_or_else(unknown)?;
            let refused = tx.quota_use(&owner, &user_id, Quota::RefusedFiles, "")?;
            if refused.charge(1, now.wall()).is_err() {
                return Err(refusal(&[(0, FileFault::QuotaExceeded)]));
            }
            let mut usage = tx.upload_usage(&owner, &user_id, now.wall())?;
            let new = TenantArchive { owner: owner.clone(), user_id: user_id.clone(), archive_type };
            let begun = Archive::begin_for_tenant(new, usage, quota, &mut context);
            let (mut archive, mut change) = begun.map_err(|fault| {
                if fault == IllegalTransition::QuotaExceeded {
                    refusal(&[(0, FileFault::QuotaExceeded)])
                } else {
                    fault.into()
                }
            })?;
            let mut faults = Vec::new();
            for (index, file) in files.iter().enumerate() {
                let input = ArchiveInput::AddFile { file: file.clone(), usage, quota };
                match archive.clone().apply(input, &mut context) {
                    Ok((added, more)) => {
                        (archive, change) = (added, change.then(more));
                        usage.files = usage.files.saturating_add(1);
                        usage.bytes = usage.bytes.saturating_add(file.size_bytes);
                    }
                    Err(IllegalTransition::Refused(refused)) => faults.push((index, refused)),
                    Err(refused) => return Err(refused.into()),
                }
            }
            all_fit(&faults)?;
            let mut uses = Vec::new();
            change.rows.retain(|row| {
                let counted = if let Row::UploadUse(counted) = row { Some(counted.clone()) } else { None };
                let stays = counted.is_none();
                uses.extend(counted);
                stays
            });
            tx.apply(&change, now)?;
            Ok(BegunUpload {
                user_id: user_id.clone(),
                files: archive.progress(now.tenant()).files.into_iter().map(|file| file.file_id).collect(),
                archive_id: archive.id,
                uses,
            })
        })
        .await
}

/// Stores and inspects every file; every one that is refused is named.
async fn store(
    app: &App,
    caller: &TenantCaller,
    archive_id: &ArchiveId,
    files: impl Iterator<Item = (FileId, Decoded)>,
) -> Answer<()> {
    let mut faults = Vec::new();
    for (index, (file_id, Decoded { bytes, .. })) in files.enumerate() {
        let mut writer = UploadWriter::open(app, caller.owner(), archive_id, &file_id).await?;
        writer.append(&bytes).await?;
        match writer.finish().await? {
            UploadEnd::Complete(_) => {}
            UploadEnd::Refused(refused) => faults.push((index, refused)),
            UploadEnd::Partial { .. } => return Err(Problem::system("an upload in one piece is not whole")),
        }
    }
    all_fit(&faults)
}

/// Submits the archive: from here on the tenant hears of it. A twin under the same `Idempotency-Key` that came first
/// has an archive of its own, and this one goes.
async fn submit(app: &App, caller: &TenantCaller, begun: BegunUpload) -> Answer<Response> {
    let owner = caller.owner().clone();
    let key = app.store().read(|reader| -> Answer<_> { Ok(reader.derived_key(Label::Export)) }).await?;
    let (shown, now) = (app.clone(), caller.now().wall());
    let archive_id = begun.archive_id.clone();
    let answer = caller
        .once(move |tx, context| {
            let counted = counted(tx, &shown, &owner, &begun)?;
            let archive = tx.archive(&owner, &begun.archive_id)?.ok_or_else(Problem::missing)?;
            let (archive, mut change) = archive.apply(ArchiveInput::Submit, context)?;
            change.rows.extend(counted);
            let view = view_at(&shown, now, &key, &archive).ok_or_else(Problem::missing)?;
            Ok(Effect::created(&view, change)?.about(Subject::Archive(begun.archive_id.clone())))
        })
        .await;
    let is_own = answer.as_ref().is_ok_and(|answer| !answer.headers().contains_key(&IDEMPOTENCY_REPLAYED));
    if !is_own {
        discard(app, caller, &archive_id).await?;
    }
    answer
}

/// What the upload counts against the user's quota; every file that does not fit any more is named.
fn counted(tx: &mut Tx<'_>, app: &App, owner: &Owner, begun: &BegunUpload) -> Answer<Vec<Row>> {
    let quota = app.settings().upload_quota();
    // Two requests of one user that use up a quota together take turns here.
    tx.user(owner, &begun.user_id)?.ok_or_else(Problem::missing)?;
    let mut usage = tx.upload_usage(owner, &begun.user_id, app.wall())?;
    let mut faults = Vec::new();
    let files = begun.uses.iter().filter_map(|counted| counted.bytes);
    for (index, bytes) in files.enumerate() {
        if !quota.admits_archive(usage) || !quota.admits_file(usage, bytes) {
            faults.push((index, FileFault::QuotaExceeded));
        }
        usage.files = usage.files.saturating_add(1);
        usage.bytes = usage.bytes.saturating_add(bytes.into());
    }
    all_fit(&faults)?;
    Ok(begun.uses.iter().cloned().map(Row::UploadUse).collect())
}

/// Counts the files that the inspection refused: they cost as much as those that it accepts.
async fn count_refused(app: &App, caller: &TenantCaller, user: &UserId, problem: &Problem) -> Answer<()> {
    let refused = problem.errors().iter().filter(|it| it.file_fault.is_some()).count();
    let refused = u32::try_from(refused).unwrap_or(u32::MAX);
    if refused == 0 {
        return Ok(());
    }
    let (owner, user, now) = (caller.owner().clone(), user.clone(), caller.now());
    app.store()
        .write(move |tx| -> Answer<_> {
            let used = tx.quota_use(&owner, &user, Quota::RefusedFiles, "")?.spend(refused, now.wall());
            Ok(tx.apply(&Change::row(Row::QuotaUse(used)), now)?)
        })
        .await
}

async fn discard(app: &App, caller: &TenantCaller, archive_id: &ArchiveId) -> Answer<()> {
    let (owner, id, context) = (caller.owner().clone(), archive_id.clone(), caller.context());
    app.store()
        .write(move |tx| -> Answer<_> {
            let mut context = context.clone();
            let Some(archive) = tx.archive(&owner, &id)? else { return Ok(()) };
            match archive.apply(ArchiveInput::Discard, &mut context) {
                Ok((_, change)) => Ok(tx.apply(&change, context.now())?),
                // It was submitted after all: the answer alone was lost.
                Err(_) => Ok(()),
            }
        })
        .await
}

fn all_fit(faults: &[(usize, FileFault)]) -> Answer<()> {
    if faults.is_empty() { Ok(()) } else { Err(refusal(faults)) }
}

/// Names every file that is refused.
fn refusal(faults: &[(usize, FileFault)]) -> Problem {
    let too_much = |fault: &FileFault| matches!(fault, FileFault::TooLarge | FileFault::QuotaExceeded);
    let named: Vec<FieldFault> = faults
        .iter()
        .map(|(index, refused)| {
            let code = if too_much(refused) { FaultCode::TooLong } else { FaultCode::Invalid };
            let words = format!("the file is refused: {}", refused.as_str());
            FieldFault { file_fault: Some(*refused), ..fault(field(*index), code, words) }
        })
        .collect();
    let all_too_much = faults.iter().all(|(_, refused)| too_much(refused));
    if all_too_much { Problem::too_large(named) } else { Problem::invalid(named) }
}

fn field(index: usize) -> String {
    format!("files[{index}].content")
}
