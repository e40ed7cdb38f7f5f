//! The uploads of a session's user, and their progress.

use axum::http::{HeaderMap, HeaderValue};
use link_domain::documents::archive::{Archive, UPLOAD_LIFE, UploadingFile};
use link_domain::kernel::owner::Owner;
use link_domain::linking::reach::Reach;
use link_store::Reader;
use link_types::id::FileId;

use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::http::tus::{UPLOAD_EXPIRES, UPLOAD_LENGTH, UPLOAD_OFFSET};
use crate::widget::archives::own::own;

/// Finds a file in the caller's reach and its archive, which is not submitted yet.
///
/// # Errors
/// 404 if there is no such file.
pub(super) fn find(
    reader: &mut Reader<'_>,
    (owner, reach): (&Owner, &Reach),
    id: &FileId,
) -> ApiResult<(Archive, UploadingFile)> {
    let archive = reader.files().archive_of(id)?.ok_or_else(Problem::missing)?;
    let archive = own(reader.archives().get(owner, &archive)?, reach)?;
    let file = archive.uploading(id).cloned().ok_or_else(Problem::missing)?;
    Ok((archive, file))
}

/// Checks that the file is in the caller's reach.
///
/// Call this before taking the upload's lock. Otherwise a request could interrupt another person's upload.
pub(super) async fn check_own(caller: &SessionCaller, id: &FileId) -> ApiResult<()> {
    let (owner, reach, id) = (caller.owner().clone(), caller.reach(), id.clone());
    caller.read(move |reader| find(reader, (&owner, &reach), &id).map(|_| ())).await
}

/// Returns the progress of an upload as tus headers.
pub(super) fn standing(archive: &Archive, file: &UploadingFile) -> HeaderMap {
    HeaderMap::from_iter([
        (UPLOAD_OFFSET, HeaderValue::from(file.received_bytes())),
        (UPLOAD_LENGTH, HeaderValue::from(file.size_bytes())),
        (UPLOAD_EXPIRES, expires(archive)),
    ])
}

/// Returns the time at which the upload is removed if no more bytes arrive, as an HTTP date.
fn expires(archive: &Archive) -> HeaderValue {
    let at = archive.updated_at + UPLOAD_LIFE;
    let seconds = u64::try_from(at.micros() / 1_000_000).unwrap_or(0);
    let at = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    HeaderValue::from_str(&httpdate::fmt_http_date(at)).unwrap_or_else(|_| HeaderValue::from_static("0"))
}
