//! Uploading files, and submitting them.

use link_types::archive::{FileFault, FileSlot, MAX_FILE_BYTES, MAX_FILES};
use link_types::event::EventData;
use link_types::id::FileId;
use link_types::uploading::AnalyzeStep;

use crate::change::transition::Transition;
use crate::change::{Deletion, Row};
use crate::documents::archive::{
    Archive, ArchiveState, FileHolder, IllegalArchiveTransitionError, IncomingFile, NewFile, ReceivedBytes,
    UploadQuota, UploadUsage, UploadingFile, clean_name, receiving,
};
use crate::documents::document_reader::Inspection;

impl Transition<'_, Archive<()>> {
    pub(super) fn add(
        &mut self,
        mut files: Vec<UploadingFile>,
        file: NewFile,
        usage: UploadUsage,
        quota: UploadQuota,
    ) -> Result<ArchiveState, IllegalArchiveTransitionError> {
        let taken = match file.slot {
            FileSlot::Front | FileSlot::Back => files.iter().any(|other| other.slot() == file.slot),
            FileSlot::Page => false,
        };
        let size_bytes = u32::try_from(file.size_bytes).unwrap_or(u32::MAX);
        let fault = if size_bytes == 0 {
            Some(FileFault::Empty)
        } else if size_bytes > MAX_FILE_BYTES {
            Some(FileFault::TooLarge)
        } else if taken || files.len() >= usize::from(MAX_FILES) {
            Some(FileFault::TooManyFiles)
        } else if !quota.admits_file(usage, size_bytes) {
            Some(FileFault::QuotaExceeded)
        } else {
            None
        };
        if let Some(fault) = fault {
            return Err(IllegalArchiveTransitionError::Refused(fault));
        }
        let id = FileId::from_bytes(self.context.uuid());
        self.count(id.to_string(), Some(size_bytes));
        self.change.rows.push(Row::File { id: id.clone(), holder: FileHolder::from(&self.entity.id) });
        files.push(UploadingFile::Receiving(IncomingFile {
            id,
            name: clean_name(&file.name),
            slot: file.slot,
            size_bytes,
            sha256: file.sha256,
            created_at: self.at,
            received_bytes: 0,
        }));
        Ok(ArchiveState::Uploading { files })
    }

    pub(super) fn receive(
        &mut self,
        mut files: Vec<UploadingFile>,
        bytes: ReceivedBytes,
    ) -> Result<ArchiveState, IllegalArchiveTransitionError> {
        receiving::receive(find_file(&mut files, &bytes.file_id)?, &bytes)?;
        self.change.rows.push(Row::Segment(bytes.segment));
        Ok(ArchiveState::Uploading { files })
    }

    pub(super) fn complete(
        &mut self,
        mut files: Vec<UploadingFile>,
        bytes: ReceivedBytes,
        inspection: Inspection,
        sha256: String,
    ) -> Result<ArchiveState, IllegalArchiveTransitionError> {
        let file = find_file(&mut files, &bytes.file_id)?;
        if file.stored_file().is_none() && bytes.segment.ends_at() != file.size_bytes() {
            return Err(IllegalArchiveTransitionError::StaleOffset { received: file.received_bytes() });
        }
        receiving::complete(file, &bytes, inspection, sha256)?;
        self.change.rows.push(Row::Segment(bytes.segment));
        Ok(ArchiveState::Uploading { files })
    }

    pub(super) fn drop_file(&mut self, id: &FileId) {
        self.change.deletions.push(Deletion::File(id.clone()));
        self.schedule_orphan_deletion();
    }

    pub(super) fn submit(
        &mut self,
        files: Vec<UploadingFile>,
    ) -> Result<ArchiveState, IllegalArchiveTransitionError> {
        if files.is_empty() {
            return Err(IllegalArchiveTransitionError::NoFiles);
        }
        let stored = files.into_iter().map(|file| match file {
            UploadingFile::Receiving(_) => Err(IllegalArchiveTransitionError::Incomplete),
            UploadingFile::Complete(file) => Ok(file),
        });
        let files = stored.collect::<Result<Vec<_>, _>>()?;
        self.entity.submitted_at = Some(self.at);
        let started = self.to_event();
        self.emit(EventData::ArchiveStarted(started));
        let task = self.start_reading();
        self.schedule_expiry();
        Ok(ArchiveState::Analyzing { files, task, step: AnalyzeStep::Queued })
    }
}

fn find_file<'f>(
    files: &'f mut [UploadingFile],
    id: &FileId,
) -> Result<&'f mut UploadingFile, IllegalArchiveTransitionError> {
    files.iter_mut().find(|file| file.id() == id).ok_or(IllegalArchiveTransitionError::UnknownFile)
}
