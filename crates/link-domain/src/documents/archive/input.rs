//! Inputs that an archive can receive.

use link_types::archive::{ArchiveType, FileFault};
use link_types::id::{AttemptId, FileId, LinkSiteSessionId, TaskId, UserId};

use super::file::NewFile;
use super::quota::{UploadQuota, UploadUsage};
use super::receiving::ReceivedBytes;
use crate::data::payload::PayloadLinks;
use crate::documents::document_reader::{DocumentReading, Inspection};
use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;
use crate::kernel::source::RevokedBy;
use crate::linking::consent::Consent;

/// User and document type of a new archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewArchive {
    /// Tenant and environment of the archive.
    pub owner: Owner,
    /// User that the archive belongs to.
    pub user_id: UserId,
    /// Attempt that the archive is created in.
    pub attempt_id: AttemptId,
    /// Visit of the hosted pages in which the archive is created.
    pub visit_id: Option<LinkSiteSessionId>,
    /// Kind of document.
    pub archive_type: ArchiveType,
    /// Consent that the person gave.
    pub consent: Consent,
}

/// User and document type of an archive that a tenant uploads. The tenant is responsible for the consent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TenantArchive {
    /// Tenant and environment of the archive.
    pub owner: Owner,
    /// User that the archive belongs to.
    pub user_id: UserId,
    /// Kind of document.
    pub archive_type: ArchiveType,
}

/// An input to an archive.
pub enum ArchiveInput<'a> {
    /// The uploader announces a file, which gets a new id.
    AddFile {
        /// Announced file.
        file: NewFile,
        /// Recent uploads of the user.
        usage: UploadUsage,
        /// Upload quota of the user.
        quota: UploadQuota,
    },
    /// Bytes of a file were stored durably, but not its last ones.
    Received(ReceivedBytes),
    /// The last bytes of a file were stored durably, and the file passed inspection.
    Completed {
        /// Last bytes of the file.
        bytes: ReceivedBytes,
        /// Result of the inspection.
        inspection: Inspection,
        /// SHA-256 of the file, in lowercase hex.
        sha256: String,
    },
    /// The person removes a file, or the service rejected it.
    RemoveFile {
        /// File to remove.
        file_id: FileId,
    },
    /// The person discards the archive before submitting it.
    Discard,
    /// The person submits the files.
    Submit,
    /// The reader starts with the files.
    ReadingStarted {
        /// Task that reports the reading.
        task_id: TaskId,
    },
    /// The reader has finished with the files.
    Read {
        /// Task that reports the reading.
        task_id: TaskId,
        /// Result of the reading.
        reading: DocumentReading,
        /// Creates the cursors and the URLs of files in a payload.
        links: &'a dyn PayloadLinks,
    },
    /// The person or the tenant revokes access.
    Revoke {
        /// Who revokes it.
        by: RevokedBy,
    },
    /// The archive's time is over: 1 day for files that were never submitted, 60 days for an archive.
    Expire,
}

/// Reason why an input is illegal in the archive's state. The archive is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalArchiveTransitionError {
    /// The files have already been submitted.
    #[error("the files have already been submitted")]
    AlreadySubmitted,
    /// The files have not been submitted yet.
    #[error("the files have not been submitted yet")]
    NotSubmitted,
    /// The archive has no files to submit.
    #[error("there are no files to submit")]
    NoFiles,
    /// A file is only partly uploaded.
    #[error("a file is only partly uploaded")]
    Incomplete,
    /// The archive does not have this file.
    #[error("the archive has no such file")]
    UnknownFile,
    /// The file is already complete.
    #[error("the file is already complete")]
    AlreadyComplete,
    /// The bytes do not start at the end of the durable ones, or do not match the segment.
    #[error("the bytes do not start at the current offset")]
    StaleOffset {
        /// Number of durable bytes.
        received: u32,
    },
    /// The file is rejected.
    #[error("the file is rejected: {}", .0.as_str())]
    Refused(FileFault),
    /// The user's quota of archives is used up.
    #[error("the user's upload quota is used up")]
    QuotaExceeded,
    /// The reading is not the current one.
    #[error("the reading is not the current one")]
    StaleReading,
    /// The archive is already revoked.
    #[error("the archive is already revoked")]
    AlreadyRevoked,
    /// The input arrived before it was due.
    #[error("it is too early for this operation")]
    NotDue {
        /// When the input is due.
        due_at: TenantTime,
    },
}
