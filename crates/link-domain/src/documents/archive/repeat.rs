//! Repeated requests to create archives or announce files. Clients repeat them without an id if they lost the response.

use std::time::Duration;

use super::{Archive, ArchiveState, IncomingFile, NewArchive, NewFile, UploadingFile, clean_name};
use crate::kernel::clock::TenantTime;

impl Archive {
    /// Returns whether `new` repeats the request that created this archive: same attempt, kind of document, consent and
    /// device, within `span`, and no file announced yet.
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
            && self.consent.as_ref().is_some_and(|consent| {
                consent.receipt == new.consent.receipt && consent.given_in == new.consent.given_in
            })
            && now.since(self.created_at) <= span
    }

    /// Returns the file whose announcement `new` repeats: same slot, name and size, no digest, and no bytes received
    /// yet. If the announcement has a digest, the digest identifies the file instead.
    pub fn find_announced(&self, new: &NewFile) -> Option<&UploadingFile> {
        let ArchiveState::Uploading { files } = &self.state else { return None };
        let name = clean_name(&new.name);
        let is_same = |file: &IncomingFile| {
            file.received_bytes == 0
                && file.sha256.is_none()
                && new.sha256.is_none()
                && file.slot == new.slot
                && file.name == name
                && u64::from(file.size_bytes) == new.size_bytes
        };
        files.iter().find(|file| match file {
            UploadingFile::Receiving(file) => is_same(file),
            UploadingFile::Complete(_) => false,
        })
    }
}
