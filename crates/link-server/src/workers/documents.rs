//! The jobs of archives, and fetching files of documents.

use std::sync::Arc;
use std::time::Duration;

use link_connectors::sandbox::samples;
use link_domain::change::job::Job;
use link_domain::data::data_point::Known;
use link_domain::data::declined_data::DeclinedData;
use link_domain::data::provider_file::{FetchedFile, FetchedFiles, FileOffer, files_to_fetch};
use link_domain::documents::archive::{Archive, ArchiveInput, FileHolder, StoredFile};
use link_domain::documents::document_reader::{DocumentFile, DocumentReading, DocumentRequest};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::linking::account_source::{FileRequest, FileUnavailableError, Read};
use link_domain::use_cases::{OrphanObjects, find_orphans, must_read_again};
use link_store::{Leased, StoreError};
use link_types::Mode;
use link_types::archive::ArchiveErrorCode;
use link_types::id::{AccountId, ArchiveId, FormId, ProviderId, TaskId};

use super::settle::{Ending, finish, settle};
use crate::api::payload::EventLinks;
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};
use crate::logs::log_failure;
use crate::uploads::{StoreOutage, StoredContent};

/// Reads the files of a submitted archive. After a crash, the job starts again from the beginning.
pub(super) async fn analyze(app: &App, job: &Leased<Job>, id: ArchiveId, task_id: TaskId) -> ApiResult<()> {
    let Some(archive) = begin_reading(app, job, &id, &task_id).await? else { return finish(app, job).await };
    let reading = match find_published_fault(&archive) {
        Some(code) => DocumentReading::Failed { code },
        None => read(app, job, &archive).await?,
    };
    let links_of = app.clone();
    settle(app, job, move |tx, job, context| {
        let Some(archive) = tx.archives().get(&job.owner, &id)? else { return Ok(Ending::nothing()) };
        let source = (&archive.owner, &archive.source());
        let links = EventLinks::new(&links_of, tx, source, context.now().wall())?;
        let input = ArchiveInput::Read { task_id: task_id.clone(), reading: reading.clone(), links: &links };
        Ok(Ending::from_result(archive.apply(input, context)))
    })
    .await
}

/// Records that reading has started. Returns `None` if the archive no longer needs it.
async fn begin_reading(
    app: &App,
    job: &Leased<Job>,
    id: &ArchiveId,
    task_id: &TaskId,
) -> ApiResult<Option<Archive>> {
    let context = app.context(app.offset_of(&job.item.owner).await?);
    let (owner, id, task_id) = (job.item.owner.clone(), id.clone(), task_id.clone());
    app.store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let Some(archive) = tx.archives().get(&owner, &id)? else { return Ok(None) };
            match archive.apply(ArchiveInput::ReadingStarted { task_id: task_id.clone() }, &mut context) {
                Ok((archive, change)) => {
                    tx.apply(&change, context.now())?;
                    Ok(Some(archive))
                }
                Err(_) => Ok(None),
            }
        })
        .await
}

async fn read(app: &App, job: &Leased<Job>, archive: &Archive) -> ApiResult<DocumentReading> {
    let mut files = Vec::new();
    let outage = StoreOutage::default();
    for file in archive.stored_files() {
        let StoredFile { slot, format, size_bytes, .. } = *file;
        let content = Box::new(StoredContent::open(app, &archive.id, &file.id).await?.noting(&outage));
        files.push(DocumentFile { slot, format, size_bytes, content });
    }
    let at = app.now(app.offset_of(&job.item.owner).await?).tenant();
    let request = DocumentRequest { archive_type: archive.archive_type, files, at };
    // No timeout here: the reader has its own, and waiting for a free reader is not an error.
    let reading = app.ports.reader.read(request).await;
    if outage.is_noted() {
        // The files are there, so the document is read when the store is back, however long that takes.
        return Err(Problem::unavailable("the file store is not available"));
    }
    if must_read_again(&reading, job.item.attempts) {
        return Err(Problem::unavailable("the document reader is not available"));
    }
    Ok(reading)
}

/// Returns the error code if the archive contains one of the sandbox's sample documents for errors. Always `None` in
/// production.
fn find_published_fault(archive: &Archive) -> Option<ArchiveErrorCode> {
    match archive.owner.mode {
        Mode::Sandbox => archive.stored_files().into_iter().find_map(|file| samples::fault(&file.sha256)),
        Mode::Production => None,
    }
}

/// Expires an archive.
pub(super) async fn expire(app: &App, job: &Leased<Job>, id: ArchiveId) -> ApiResult<()> {
    settle(app, job, move |tx, job, context| {
        let Some(archive) = tx.archives().get(&job.owner, &id)? else { return Ok(Ending::nothing()) };
        Ok(Ending::from_result(archive.apply(ArchiveInput::Expire, context)))
    })
    .await
}

/// Removes files of a form whose upload was not finished.
pub(super) async fn remove_partial_files(app: &App, job: &Leased<Job>, id: FormId) -> ApiResult<()> {
    settle(app, job, move |tx, job, context| {
        let form = tx.forms().lock(&job.owner, &id)?;
        Ok(Ending::Done(form.map(|it| it.remove_unsubmitted_files(context)).unwrap_or_default()))
    })
    .await
}

/// Deletes the objects that no row refers to, and runs again until there are none.
pub(super) async fn delete_orphans(
    app: &App,
    job: &Leased<Job>,
    holder: FileHolder,
    since: Wall,
) -> ApiResult<()> {
    let folder = holder.folder();
    // List the objects before reading the rows, so that an object committed in between is not taken for an orphan.
    let found = app.ports.files.list(&folder).await.map_err(Problem::unavailable)?;
    let owner = job.item.owner.clone();
    let rows = app.store.read(move |reader| -> Result<_, StoreError> {
        let files = match &holder {
            FileHolder::Archive(id) => reader.archives().get(&owner, id)?.and_then(|it| it.file_ids()),
            FileHolder::Form(id) => reader.forms().get(&owner, id)?.map(|it| it.file_ids()),
        };
        Ok((files, reader.files().objects_of(&holder)?))
    });
    let (files, named) = rows.await?;
    let orphans = find_orphans(files.as_deref(), found, &named, since, app.wall());
    match orphans.delete {
        OrphanObjects::All => app.ports.files.delete_all(&folder).await.map_err(Problem::unavailable)?,
        OrphanObjects::Some(names) => {
            for name in names {
                app.ports.files.delete(&name).await.map_err(Problem::unavailable)?;
            }
        }
    }
    let Some(again) = orphans.look_again_at else { return finish(app, job).await };
    let job = job.clone();
    Ok(app.store.write(move |tx| tx.jobs().postpone(&job, again).map(drop)).await?)
}

/// How long fetching the files of one reading may take. The rest is left for the next reading.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Fetches the offered files that are not stored yet, one after the other. A file that the source does not return is left
/// out, until the next reading. Stops when the source does not answer, when the service stops, or at a limit: the data that
/// was read, and the session that may have changed, must not wait.
pub(super) async fn fetch(
    app: &App,
    owner: &Owner,
    account: &AccountId,
    (provider_id, read): (&ProviderId, &Read),
    declined: &DeclinedData,
) -> Vec<FetchedFile> {
    if read.batch.files.is_empty() {
        return Vec::new();
    }
    let offers = offers_to_follow(app, owner, account, (read, declined)).await.unwrap_or_else(|problem| {
        log_failure!(problem, %account, ?problem, "Looking up the files of documents failed");
        Vec::new()
    });
    let source = Arc::clone(app.ports.source(owner.mode));
    let ends_at = tokio::time::Instant::now() + TIMEOUT;
    let mut fetched = FetchedFiles::default();
    for offer in offers {
        if app.is_stopping() {
            break;
        }
        let request = FileRequest { provider_id, state: &read.state, reference: &offer.reference };
        let content = match tokio::time::timeout_at(ends_at, source.file(request)).await {
            Ok(Ok(Some(content))) => content,
            Ok(Ok(None)) => continue,
            Ok(Err(FileUnavailableError)) | Err(_) => {
                tracing::warn!(%account, fetched = fetched.len(), "Fetching files ended; the next reading continues");
                break;
            }
        };
        if !fetched.add(FetchedFile { offer, content }) {
            break;
        }
    }
    fetched.into_files()
}

async fn offers_to_follow(
    app: &App,
    owner: &Owner,
    account: &AccountId,
    (read, declined): (&Read, &DeclinedData),
) -> ApiResult<Vec<FileOffer>> {
    let (whose, which) = (owner.clone(), account.clone());
    let (points, stored) = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let points = reader.data_points().of_account(&whose, &which)?;
            Ok((points, reader.provider_files().references(&which)?))
        })
        .await?;
    let known = Known::from_points(points).map_err(Problem::system)?;
    Ok(files_to_fetch(&read.batch, &known, &stored, declined))
}
