//! A tenant uploads a document on behalf of a user.

use link_types::archive::FileFault;

use crate::change::{Change, Row};
use crate::documents::archive::{
    Archive, ArchiveInput, IllegalArchiveTransitionError, NewFile, TenantArchive, UploadQuota, UploadUsage,
    UploadUse,
};
use crate::kernel::context::Context;
use crate::tenancy::quota::QuotaUse;

/// Uploads of a user, and their quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserUploads {
    /// Recent uploads of the user.
    pub usage: UploadUsage,
    /// Upload quota of the user.
    pub quota: UploadQuota,
}

/// An upload that was begun. The tenant does not see its archive before it is submitted.
#[derive(Debug, PartialEq)]
pub struct BegunUpload {
    /// The archive, with all its files.
    pub archive: Archive,
    /// Uses of the user's quota. [`submit_upload`] counts them, so that rejected uploads do not count.
    pub uses: Vec<UploadUse>,
    /// Everything that must be written now.
    pub change: Change,
}

/// Reason why an upload is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UploadError {
    /// These files are rejected, by their index.
    Files(Vec<(usize, FileFault)>),
    /// The request is illegal in the archive's state.
    Archive(IllegalArchiveTransitionError),
}

impl From<IllegalArchiveTransitionError> for UploadError {
    fn from(illegal: IllegalArchiveTransitionError) -> Self {
        Self::Archive(illegal)
    }
}

/// Creates an archive with all its files. `refused` are the files of the user that an inspection rejected.
///
/// # Errors
///
/// [`UploadError`] with every file that is rejected for its size, slot or quota. Nothing must be written then.
pub fn begin_upload(
    new: TenantArchive,
    files: &[NewFile],
    UserUploads { mut usage, quota }: UserUploads,
    refused: QuotaUse,
    context: &mut Context,
) -> Result<BegunUpload, UploadError> {
    let over_quota = || UploadError::Files(vec![(0, FileFault::QuotaExceeded)]);
    refused.charge(1, context.now().wall()).map_err(|_| over_quota())?;
    let begun = Archive::begin_for_tenant(new, usage, quota, context);
    let (mut archive, mut change) = begun.map_err(|illegal| {
        if illegal == IllegalArchiveTransitionError::QuotaExceeded { over_quota() } else { illegal.into() }
    })?;
    let mut faults = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let input = ArchiveInput::AddFile { file: file.clone(), usage, quota };
        match archive.clone().apply(input, context) {
            Ok((added, more)) => {
                (archive, change) = (added, change.then(more));
                usage = usage.with_file(file.size_bytes);
            }
            Err(IllegalArchiveTransitionError::Refused(fault)) => faults.push((index, fault)),
            Err(illegal) => return Err(illegal.into()),
        }
    }
    none(faults)?;
    let mut uses = Vec::new();
    let mut rows = Vec::new();
    for row in change.rows {
        if let Row::UploadUse(used) = row {
            uses.push(used);
        } else {
            rows.push(row);
        }
    }
    Ok(BegunUpload { archive, uses, change: Change { rows, ..change } })
}

/// Submits the archive of a begun upload, and counts its uses. Returns the archive, and everything that must be written.
///
/// # Errors
///
/// [`UploadError`] with every file that exceeds the quota by now. Nothing must be written then.
pub fn submit_upload(
    archive: Archive,
    uses: &[UploadUse],
    UserUploads { mut usage, quota }: UserUploads,
    context: &mut Context,
) -> Result<(Archive, Change), UploadError> {
    let mut faults = Vec::new();
    for (index, bytes) in uses.iter().filter_map(|used| used.bytes).enumerate() {
        if !quota.admits_archive(usage) || !quota.admits_file(usage, bytes) {
            faults.push((index, FileFault::QuotaExceeded));
        }
        usage = usage.with_file(bytes.into());
    }
    none(faults)?;
    let (archive, mut change) = archive.apply(ArchiveInput::Submit, context)?;
    change.rows.extend(uses.iter().cloned().map(Row::UploadUse));
    Ok((archive, change))
}

fn none(faults: Vec<(usize, FileFault)>) -> Result<(), UploadError> {
    if faults.is_empty() { Ok(()) } else { Err(UploadError::Files(faults)) }
}

#[cfg(test)]
mod tests {
    use link_types::archive::{ArchiveType, FileSlot, MAX_FILE_BYTES};

    use super::*;
    use crate::fixture;
    use crate::tenancy::quota::Quota;

    fn uploads(files: u32, bytes: u64) -> UserUploads {
        UserUploads { usage: UploadUsage::default(), quota: UploadQuota { files, bytes } }
    }

    fn begin(
        files: &[NewFile],
        uploads: UserUploads,
        refused: QuotaUse,
        context: &mut Context,
    ) -> Result<BegunUpload, UploadError> {
        let (owner, user_id) = (fixture::owner(), fixture::user_id());
        let new = TenantArchive { owner, user_id, archive_type: ArchiveType::Payslip };
        begin_upload(new, files, uploads, refused, context)
    }

    fn expect_refusal(files: &[NewFile], uploads: UserUploads) -> UploadError {
        begin(files, uploads, fixture::unused_quota(Quota::RefusedFiles), &mut fixture::context())
            .unwrap_err()
    }

    #[test]
    fn begun_upload_counts_nothing_until_it_is_submitted() {
        let (mut context, uploads) = (fixture::context(), uploads(2, 2_000));
        let files = [fixture::new_file(1_000), fixture::new_file(900)];
        let unused = fixture::unused_quota(Quota::RefusedFiles);
        let BegunUpload { archive, uses, change } = begin(&files, uploads, unused, &mut context).unwrap();
        assert!(!change.rows.iter().any(|row| matches!(row, Row::UploadUse(_))));
        assert_eq!(uses.iter().filter_map(|used| used.bytes).collect::<Vec<_>>(), [1_000, 900]);
        let complete = fixture::complete_uploads(archive, &mut context);
        let (submitted, change) = submit_upload(complete, &uses, uploads, &mut context).unwrap();
        assert!(submitted.submitted_at.is_some());
        let counted = change.rows.iter().filter(|row| matches!(row, Row::UploadUse(_))).count();
        assert_eq!(counted, 3, "the archive and two files");
    }

    #[test]
    fn every_rejected_file_is_reported() {
        let front = NewFile { slot: FileSlot::Front, ..fixture::new_file(10) };
        let files = [fixture::new_file(0), front.clone(), front, fixture::new_file(MAX_FILE_BYTES + 1)];
        let faults = [(0, FileFault::Empty), (2, FileFault::TooManyFiles), (3, FileFault::TooLarge)];
        assert_eq!(expect_refusal(&files, uploads(9, u64::MAX)), UploadError::Files(faults.into()));
    }

    #[test]
    fn files_of_one_upload_share_the_quota() {
        let files = [fixture::new_file(600), fixture::new_file(600)];
        let second = UploadError::Files(vec![(1, FileFault::QuotaExceeded)]);
        assert_eq!(expect_refusal(&files, uploads(9, 1_000)), second);
        assert_eq!(expect_refusal(&files, uploads(1, 9_000)), second);
    }

    #[test]
    fn user_over_a_quota_gets_a_fault_for_the_first_file() {
        let first = UploadError::Files(vec![(0, FileFault::QuotaExceeded)]);
        let files = [fixture::new_file(600), fixture::new_file(600)];
        assert_eq!(expect_refusal(&files, uploads(0, 9_000)), first);
        let spent = fixture::spend_quota(Quota::RefusedFiles);
        let rejected = begin(&files, uploads(9, 9_000), spent, &mut fixture::context());
        assert_eq!(rejected, Err(first));
    }

    #[test]
    fn concurrent_uploads_cannot_exceed_the_quota_together() {
        let (mut context, uploads) = (fixture::context(), uploads(2, 2_000));
        let files = [fixture::new_file(1_000), fixture::new_file(900)];
        let unused = fixture::unused_quota(Quota::RefusedFiles);
        let BegunUpload { archive, uses, .. } = begin(&files, uploads, unused, &mut context).unwrap();
        let complete = fixture::complete_uploads(archive, &mut context);
        let other = UploadUsage { archives: 1, files: 1, bytes: 500 };
        let now = UserUploads { usage: other, ..uploads };
        let exceeded = UploadError::Files(vec![(1, FileFault::QuotaExceeded)]);
        assert_eq!(submit_upload(complete, &uses, now, &mut context), Err(exceeded));
    }

    #[test]
    fn upload_with_an_incomplete_file_is_not_submitted() {
        let (mut context, uploads) = (fixture::context(), uploads(2, 2_000));
        let unused = fixture::unused_quota(Quota::RefusedFiles);
        let begun = begin(&[fixture::new_file(9)], uploads, unused, &mut context).unwrap();
        let refused = submit_upload(begun.archive, &begun.uses, uploads, &mut context);
        assert_eq!(refused, Err(UploadError::Archive(IllegalArchiveTransitionError::Incomplete)));
    }
}
