//! What can happen to an archive.

use link_types::archive::{ArchiveType, FileFault};
use link_types::id::{AttemptId, FileId, TaskId, UserId};

use super::{NewFile, Segment, UploadQuota, UploadUsage};
use crate::account::Consent;
use crate::clock::TenantTime;
use crate::event::PageCursors;
use crate::owner::Owner;
use crate::ports::{DocumentReading, Inspection};

/// Who begins to upload what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewArchive {
    /// Whose archive it will be.
    pub owner: Owner,
    /// The person.
    pub user_id: UserId,
    /// The attempt it is begun in.
    pub attempt_id: AttemptId,
    /// The kind of document.
    pub archive_type: ArchiveType,
    /// What was consented to.
    pub consent: Consent,
}

/// For whom a tenant uploads what. The tenant answers for the consent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TenantArchive {
    /// Whose archive it will be.
    pub owner: Owner,
    /// The person.
    pub user_id: UserId,
    /// The kind of document.
    pub archive_type: ArchiveType,
}

/// Something that happens to an archive.
pub enum ArchiveInput<'a> {
    /// A file is announced; its id is made.
    AddFile {
        /// The file.
        file: NewFile,
        /// What the user uploaded lately.
        usage: UploadUsage,
        /// What the user may.
        quota: UploadQuota,
    },
    /// Bytes of a file are durable, but not yet its last ones.
    Received {
        /// The file.
        file_id: FileId,
        /// How many were durable before.
        from: u32,
        /// The segment that holds them.
        segment: Segment,
    },
    /// The last bytes of a file are durable, and the file is fit.
    Completed {
        /// The file.
        file_id: FileId,
        /// How many were durable before.
        from: u32,
        /// The segment that holds the last of them.
        segment: Segment,
        /// What the file is.
        inspection: Inspection,
        /// SHA-256 of its bytes, lower-case hex.
        sha256: String,
    },
    /// The person takes a file out, or it was refused.
    RemoveFile {
        /// The file.
        file_id: FileId,
    },
    /// The person takes everything back before submitting it.
    Discard,
    /// The person submits the files.
    Submit,
    /// The reader begins with the files.
    ReadingStarted {
        /// The task that reports the reading.
        task_id: TaskId,
    },
    /// The reader is done with the files.
    Read {
        /// The task that reports the reading.
        task_id: TaskId,
        /// What it came to.
        reading: DocumentReading,
        /// Makes the cursors of lists longer than a payload may hold.
        cursors: &'a dyn PageCursors,
    },
    /// The person or the tenant revokes access.
    Revoke,
    /// Its time is over: a day for files that were never submitted, sixty days for an archive.
    Expire,
}

/// Why an input does not apply to the archive as it stands. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalTransition {
    /// Its files were submitted already.
    #[error("the files were submitted already")]
    AlreadySubmitted,
    /// Its files were not submitted yet.
    #[error("the files were not submitted yet")]
    NotSubmitted,
    /// There is nothing to submit.
    #[error("there are no files to submit")]
    NoFiles,
    /// Some bytes of a file are missing.
    #[error("some bytes of a file are missing")]
    Incomplete,
    /// The archive has no such file.
    #[error("the archive has no such file")]
    UnknownFile,
    /// All of the file is there already.
    #[error("all of the file is there already")]
    AlreadyComplete,
    /// The bytes do not continue those that are durable, or are not those the segment says.
    #[error("the bytes do not continue those that are there")]
    StaleOffset {
        /// How many are durable.
        received: u32,
    },
    /// The file is refused.
    #[error("the file is refused: {}", .0.as_str())]
    Refused(FileFault),
    /// The user's quota of archives is used up.
    #[error("the user's quota is used up")]
    QuotaExceeded,
    /// The reading is not the one under way.
    #[error("the reading is not the one under way")]
    StaleReading,
    /// The archive is revoked.
    #[error("the archive is revoked")]
    AlreadyRevoked,
    /// The moment for it has not come.
    #[error("the moment for it has not come")]
    NotDue {
        /// When it comes.
        due_at: TenantTime,
    },
}
