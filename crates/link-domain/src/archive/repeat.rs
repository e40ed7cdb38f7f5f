//! Beginnings and announcements that come twice: the answer to the first was lost, and its sender knows no id.

use std::time::Duration;

use super::file::kept_name;
use super::{Archive, ArchiveState, IncomingFile, NewArchive, NewFile, UploadingFile};
use crate::clock::TenantTime;

impl Archive {
    /// Whether `new` begins what this archive is already: it was begun in the same attempt within `span`, for the same
    /// kind of document and by the same consent, and no file was announced yet.
    pub fn is_begun_by(&self, new: &NewArchive, now: TenantTime, span: Duration) -> bool {
        let is_untouched = match &self.state {
            ArchiveState::Uploading { files } => files.is_empty(),
            ArchiveState::Analyzing { .. }
            | ArchiveState::Analyzed { .. }
            | ArchiveState::Failed { .. }
            | ArchiveState::Revoked { .. } => false,
        };
        is_untouched
            && self.owner == new.owner
            && self.user_id == new.user_id
            && self.attempt_id.as_ref() == Some(&new.attempt_id)
            && self.archive_type == new.archive_type
            && self.consent.as_ref().is_some_and(|consent| consent.receipt == new.consent.receipt)
            && now.since(self.created_at) <= span
    }

    /// The file that `new` announces once more: of the same slot, name and size, without a digest, and none of its
    /// bytes came yet. Who says a digest finds the file by it.
    pub fn announced_by(&self, new: &NewFile) -> Option<&UploadingFile> {
        let ArchiveState::Uploading { files } = &self.state else { return None };
        let name = kept_name(&new.name);
        let is_twin = |file: &IncomingFile| {
            file.received_bytes == 0
                && file.sha256.is_none()
                && new.sha256.is_none()
                && file.slot == new.slot
                && file.name == name
                && u64::from(file.size_bytes) == new.size_bytes
        };
        files.iter().find(|file| match file {
            UploadingFile::Receiving(file) => is_twin(file),
            UploadingFile::Complete(_) => false,
        })
    }
}
