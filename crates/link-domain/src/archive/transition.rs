//! `apply`: the legal inputs of each state.

use link_types::archive::{FileFault, FileSlot, MAX_FILE_BYTES, MAX_FILES};
use link_types::event::EventData;
use link_types::id::{ArchiveId, FileId};
use link_types::uploading::AnalyzeStep;

use super::building::Transition;
use super::file::kept_name;
use super::{
    Archive, ArchiveInput, ArchiveState, IllegalTransition, IncomingFile, NewArchive, NewFile, RETENTION,
    RevokeCause, SEGMENT_BYTES, Segment, StoredFile, TenantArchive, UPLOAD_LIFE, UploadQuota, UploadUsage,
    UploadingFile,
};
use crate::change::{Change, Deletion, Row};
use crate::context::Context;

impl Archive {
    /// Creates an archive without files. It emits no events before it is submitted.
    ///
    /// # Errors
    ///
    /// [`IllegalTransition::QuotaExceeded`] if the user has created the maximum number of archives for a day.
    pub fn begin(
        new: NewArchive,
        usage: UploadUsage,
        quota: UploadQuota,
        context: &mut Context,
    ) -> Result<(Self, Change), IllegalTransition> {
        let NewArchive { owner, user_id, attempt_id, archive_type, consent } = new;
        let new = TenantArchive { owner, user_id, archive_type };
        let archive =
            Self { attempt_id: Some(attempt_id), consent: Some(consent), ..Self::new(new, context) };
        archive.begun(usage, quota, context)
    }

    /// Creates an archive without files that a tenant uploads on behalf of its user.
    ///
    /// # Errors
    ///
    /// Same as [`Archive::begin`].
    pub fn begin_for_tenant(
        new: TenantArchive,
        usage: UploadUsage,
        quota: UploadQuota,
        context: &mut Context,
    ) -> Result<(Self, Change), IllegalTransition> {
        Self::new(new, context).begun(usage, quota, context)
    }

    fn new(new: TenantArchive, context: &mut Context) -> Self {
        let at = context.now().tenant();
        Self {
            id: ArchiveId::from_bytes(context.uuid()),
            owner: new.owner,
            user_id: new.user_id,
            attempt_id: None,
            archive_type: new.archive_type,
            created_at: at,
            updated_at: at,
            submitted_at: None,
            version: 0,
            event_count: 0,
            consent: None,
            state: ArchiveState::Uploading { files: Vec::new() },
        }
    }

    fn begun(
        self,
        usage: UploadUsage,
        quota: UploadQuota,
        context: &mut Context,
    ) -> Result<(Self, Change), IllegalTransition> {
        if !quota.admits_archive(usage) {
            return Err(IllegalTransition::QuotaExceeded);
        }
        let mut transition = Transition::of(self, context);
        transition.count(transition.archive.id.to_string(), None);
        transition.owe_expiry();
        Ok(transition.finish())
    }

    /// Applies an input, consuming the archive. Returns the archive after the input, and everything that must be
    /// written.
    ///
    /// # Errors
    ///
    /// [`IllegalTransition`] if the input is illegal in this state. Nothing must be written then.
    pub fn apply(
        self,
        input: ArchiveInput<'_>,
        context: &mut Context,
    ) -> Result<(Self, Change), IllegalTransition> {
        let (state, before) = (self.state.clone(), self.updated_at);
        let mut transition = Transition::of(self, context);
        match input {
            ArchiveInput::AddFile { file, usage, quota } => {
                transition.add(uploading(state)?, file, usage, quota)?;
            }
            ArchiveInput::Received { file_id, from, segment } => {
                transition.received(uploading(state)?, &file_id, from, segment)?;
            }
            ArchiveInput::Completed { file_id, from, segment, inspection, sha256 } => {
                let complete = |file: IncomingFile| StoredFile {
                    id: file.id,
                    name: file.name,
                    slot: file.slot,
                    size_bytes: file.size_bytes,
                    sha256,
                    created_at: file.created_at,
                    format: inspection.format,
                    pages: inspection.pages,
                };
                transition.completed(uploading(state)?, &file_id, from, segment, complete)?;
            }
            ArchiveInput::RemoveFile { file_id } => {
                let mut files = uploading(state)?;
                let found = files.iter().position(|file| *file.id() == file_id);
                files.remove(found.ok_or(IllegalTransition::UnknownFile)?);
                transition.drop_file(&file_id);
                transition.archive.state = ArchiveState::Uploading { files };
            }
            ArchiveInput::Discard => {
                uploading(state)?;
                return Ok(transition.remove());
            }
            ArchiveInput::Submit => transition.submit(uploading(state)?)?,
            ArchiveInput::ReadingStarted { task_id } => {
                let (files, task) = under_way(state, &task_id)?;
                transition.archive.state =
                    ArchiveState::Analyzing { files, task, step: AnalyzeStep::Reading };
            }
            ArchiveInput::Read { task_id, reading, cursors } => {
                let (files, task) = under_way(state, &task_id)?;
                transition.read(files, task, reading, cursors);
            }
            ArchiveInput::Revoke => match state {
                ArchiveState::Uploading { .. } => return Err(IllegalTransition::NotSubmitted),
                ArchiveState::Analyzing { .. }
                | ArchiveState::Analyzed { .. }
                | ArchiveState::Failed { .. } => {
                    transition.end(RevokeCause::Revoked);
                }
                ArchiveState::Revoked { .. } => return Err(IllegalTransition::AlreadyRevoked),
            },
            ArchiveInput::Expire => match state {
                ArchiveState::Uploading { .. } => {
                    due(&transition, before + UPLOAD_LIFE)?;
                    return Ok(transition.remove());
                }
                ArchiveState::Analyzing { .. }
                | ArchiveState::Analyzed { .. }
                | ArchiveState::Failed { .. } => {
                    due(&transition, transition.archive.created_at + RETENTION)?;
                    transition.end(RevokeCause::Expired);
                }
                ArchiveState::Revoked { .. } => return Err(IllegalTransition::AlreadyRevoked),
            },
        }
        Ok(transition.finish())
    }
}

fn due(transition: &Transition<'_>, due_at: crate::clock::TenantTime) -> Result<(), IllegalTransition> {
    if transition.at < due_at { Err(IllegalTransition::NotDue { due_at }) } else { Ok(()) }
}

/// Returns the files of an archive that is not submitted yet.
fn uploading(state: ArchiveState) -> Result<Vec<UploadingFile>, IllegalTransition> {
    match state {
        ArchiveState::Uploading { files } => Ok(files),
        ArchiveState::Analyzing { .. } | ArchiveState::Analyzed { .. } | ArchiveState::Failed { .. } => {
            Err(IllegalTransition::AlreadySubmitted)
        }
        ArchiveState::Revoked { .. } => Err(IllegalTransition::AlreadyRevoked),
    }
}

/// Returns the files and the task of the current reading, if the task has this id.
fn under_way(
    state: ArchiveState,
    task_id: &link_types::id::TaskId,
) -> Result<(Vec<StoredFile>, crate::task::Task), IllegalTransition> {
    match state {
        ArchiveState::Uploading { .. } => Err(IllegalTransition::NotSubmitted),
        ArchiveState::Analyzing { files, task, .. } if task.id == *task_id => Ok((files, task)),
        ArchiveState::Analyzing { .. } | ArchiveState::Analyzed { .. } | ArchiveState::Failed { .. } => {
            Err(IllegalTransition::StaleReading)
        }
        ArchiveState::Revoked { .. } => Err(IllegalTransition::AlreadyRevoked),
    }
}

impl Transition<'_> {
    fn add(
        &mut self,
        mut files: Vec<UploadingFile>,
        file: NewFile,
        usage: UploadUsage,
        quota: UploadQuota,
    ) -> Result<(), IllegalTransition> {
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
            return Err(IllegalTransition::Refused(fault));
        }
        let id = FileId::from_bytes(self.context.uuid());
        self.count(id.to_string(), Some(size_bytes));
        self.change.rows.push(Row::File { id: id.clone(), archive_id: self.archive.id.clone() });
        files.push(UploadingFile::Receiving(IncomingFile {
            id,
            name: kept_name(&file.name),
            slot: file.slot,
            size_bytes,
            sha256: file.sha256,
            created_at: self.at,
            received_bytes: 0,
        }));
        self.archive.state = ArchiveState::Uploading { files };
        Ok(())
    }

    fn received(
        &mut self,
        mut files: Vec<UploadingFile>,
        id: &FileId,
        from: u32,
        segment: Segment,
    ) -> Result<(), IllegalTransition> {
        let file = incoming(&mut files, id)?;
        continues(&segment, file, from)?;
        if segment.ends_at() >= file.size_bytes {
            return Err(IllegalTransition::StaleOffset { received: file.received_bytes });
        }
        file.received_bytes = segment.ends_at();
        self.archive.state = ArchiveState::Uploading { files };
        self.change.rows.push(Row::Segment(segment));
        Ok(())
    }

    fn completed(
        &mut self,
        mut files: Vec<UploadingFile>,
        id: &FileId,
        from: u32,
        segment: Segment,
        complete: impl FnOnce(IncomingFile) -> StoredFile,
    ) -> Result<(), IllegalTransition> {
        let file = incoming(&mut files, id)?.clone();
        continues(&segment, &file, from)?;
        if segment.ends_at() != file.size_bytes {
            return Err(IllegalTransition::StaleOffset { received: file.received_bytes });
        }
        let announced = file.sha256.clone();
        let stored = complete(file);
        if announced.is_some_and(|announced| announced != stored.sha256) {
            return Err(IllegalTransition::Refused(FileFault::HashMismatch));
        }
        for file in files.iter_mut().filter(|file| file.id() == id) {
            *file = UploadingFile::Complete(stored.clone());
        }
        self.archive.state = ArchiveState::Uploading { files };
        self.change.rows.push(Row::Segment(segment));
        Ok(())
    }

    fn submit(&mut self, files: Vec<UploadingFile>) -> Result<(), IllegalTransition> {
        if files.is_empty() {
            return Err(IllegalTransition::NoFiles);
        }
        let stored = files.into_iter().map(|file| match file {
            UploadingFile::Receiving(_) => Err(IllegalTransition::Incomplete),
            UploadingFile::Complete(file) => Ok(file),
        });
        let files = stored.collect::<Result<Vec<_>, _>>()?;
        self.archive.submitted_at = Some(self.at);
        let started = self.changed();
        self.emit(EventData::ArchiveStarted(started));
        let task = self.start_reading();
        self.owe_expiry();
        self.archive.state = ArchiveState::Analyzing { files, task, step: AnalyzeStep::Queued };
        Ok(())
    }

    /// Deletes the archive without events, because no tenant has been told about it.
    fn remove(mut self) -> (Archive, Change) {
        self.archive.state = ArchiveState::Revoked { at: self.at, cause: RevokeCause::Revoked };
        self.change.deletions.push(Deletion::Archive(self.archive.id.clone()));
        self.owe_sweep();
        (self.archive, self.change)
    }
}

fn incoming<'f>(
    files: &'f mut [UploadingFile],
    id: &FileId,
) -> Result<&'f mut IncomingFile, IllegalTransition> {
    match files.iter_mut().find(|file| file.id() == id) {
        Some(UploadingFile::Receiving(file)) => Ok(file),
        Some(UploadingFile::Complete(_)) => Err(IllegalTransition::AlreadyComplete),
        None => Err(IllegalTransition::UnknownFile),
    }
}

/// Checks that the segment continues the file: its first new byte is the one at `from`.
fn continues(segment: &Segment, file: &IncomingFile, from: u32) -> Result<(), IllegalTransition> {
    let fits = file.received_bytes == from
        && segment.file_id == file.id
        && segment.index == from / SEGMENT_BYTES
        && segment.length <= SEGMENT_BYTES
        && segment.ends_at() > from;
    if fits { Ok(()) } else { Err(IllegalTransition::StaleOffset { received: file.received_bytes }) }
}
