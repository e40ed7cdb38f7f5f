//! `apply`: the legal inputs of each state.

mod files;
mod reading;

use link_types::AccessEnd;
use link_types::event::ArchiveChanged;
use link_types::id::{ArchiveId, TaskId};
use link_types::uploading::AnalyzeStep;

use super::{
    Archive, ArchiveInput, ArchiveState, FileHolder, IllegalArchiveTransitionError, NewArchive, RETENTION,
    RevokeCause, StoredFile, TenantArchive, UPLOAD_LIFE, UploadQuota, UploadUsage, UploadUse, UploadingFile,
};
use crate::change::job::JobKind;
use crate::change::transition::{Entity, Transition};
use crate::change::{Change, Deletion, Row};
use crate::data::task::Task;
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::kernel::subject::Subject;

impl Archive {
    /// Creates an archive without files. It emits no events before it is submitted.
    ///
    /// # Errors
    ///
    /// [`IllegalArchiveTransitionError::QuotaExceeded`] if the user has created the maximum number of archives for a day.
    pub fn begin(
        new: NewArchive,
        usage: UploadUsage,
        quota: UploadQuota,
        context: &mut Context,
    ) -> Result<(Self, Change), IllegalArchiveTransitionError> {
        let NewArchive { owner, user_id, attempt_id, visit_id, archive_type, consent } = new;
        let archive = Archive::empty(TenantArchive { owner, user_id, archive_type }, context);
        let archive = Archive { attempt_id: Some(attempt_id), visit_id, consent: Some(consent), ..archive };
        archive.begin_checked(usage, quota, context)
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
    ) -> Result<(Self, Change), IllegalArchiveTransitionError> {
        Archive::empty(new, context).begin_checked(usage, quota, context)
    }

    /// Applies an input, consuming the archive. Returns the archive after the input, and everything that must be
    /// written.
    ///
    /// # Errors
    ///
    /// [`IllegalArchiveTransitionError`] if the input is illegal in this state. Nothing must be written then.
    pub fn apply(
        self,
        input: ArchiveInput<'_>,
        context: &mut Context,
    ) -> Result<(Self, Change), IllegalArchiveTransitionError> {
        let before = self.updated_at;
        let (archive, state) = self.take_state();
        let mut transition = Transition::for_entity(archive, context);
        let state = match input {
            ArchiveInput::AddFile { file, usage, quota } => {
                transition.add(uploading(state)?, file, usage, quota)?
            }
            ArchiveInput::Received(bytes) => transition.receive(uploading(state)?, bytes)?,
            ArchiveInput::Completed { bytes, inspection, sha256 } => {
                transition.complete(uploading(state)?, bytes, inspection, sha256)?
            }
            ArchiveInput::RemoveFile { file_id } => {
                let mut files = uploading(state)?;
                let found = files.iter().position(|file| *file.id() == file_id);
                files.remove(found.ok_or(IllegalArchiveTransitionError::UnknownFile)?);
                transition.drop_file(&file_id);
                ArchiveState::Uploading { files }
            }
            ArchiveInput::Discard => {
                uploading(state)?;
                return Ok(transition.remove());
            }
            ArchiveInput::Submit => transition.submit(uploading(state)?)?,
            ArchiveInput::ReadingStarted { task_id } => {
                let (files, task) = under_way(state, &task_id)?;
                ArchiveState::Analyzing { files, task, step: AnalyzeStep::Reading }
            }
            ArchiveInput::Read { task_id, reading, links } => {
                let (files, task) = under_way(state, &task_id)?;
                transition.read(files, task, reading, links)
            }
            ArchiveInput::Revoke { by } => match state {
                ArchiveState::Uploading { .. } => return Err(IllegalArchiveTransitionError::NotSubmitted),
                ArchiveState::Analyzing { task, .. } => transition.end(Some(task), by.access_end()),
                ArchiveState::Analyzed { .. } | ArchiveState::Failed { .. } => {
                    transition.end(None, by.access_end())
                }
                ArchiveState::Revoked { .. } => return Err(IllegalArchiveTransitionError::AlreadyRevoked),
            },
            ArchiveInput::Expire => match state {
                ArchiveState::Uploading { .. } => {
                    transition.check_due(before + UPLOAD_LIFE)?;
                    return Ok(transition.remove());
                }
                ArchiveState::Analyzing { task, .. } => transition.expire(Some(task))?,
                ArchiveState::Analyzed { .. } | ArchiveState::Failed { .. } => transition.expire(None)?,
                ArchiveState::Revoked { .. } => return Err(IllegalArchiveTransitionError::AlreadyRevoked),
            },
        };
        Ok(transition.finish_in(state))
    }
}

impl Archive<()> {
    fn empty(new: TenantArchive, context: &mut Context) -> Self {
        let at = context.now().tenant();
        Self {
            id: ArchiveId::from_bytes(context.uuid()),
            owner: new.owner,
            user_id: new.user_id,
            attempt_id: None,
            visit_id: None,
            archive_type: new.archive_type,
            created_at: at,
            updated_at: at,
            submitted_at: None,
            version: 0,
            event_count: 0,
            consent: None,
            state: (),
        }
    }

    fn begin_checked(
        self,
        usage: UploadUsage,
        quota: UploadQuota,
        context: &mut Context,
    ) -> Result<(Archive, Change), IllegalArchiveTransitionError> {
        if !quota.admits_archive(usage) {
            return Err(IllegalArchiveTransitionError::QuotaExceeded);
        }
        let mut transition = Transition::for_entity(self, context);
        transition.count(transition.entity.id.to_string(), None);
        transition.schedule_expiry();
        Ok(transition.finish_in(ArchiveState::Uploading { files: Vec::new() }))
    }
}

impl Entity for Archive<()> {
    fn owner(&self) -> &Owner {
        &self.owner
    }

    fn subject(&self) -> Subject {
        Subject::Archive(self.id.clone())
    }

    fn event_count(&mut self) -> &mut u64 {
        &mut self.event_count
    }

    fn advance(&mut self, at: TenantTime) {
        self.version = self.version.saturating_add(1);
        self.updated_at = at;
    }
}

impl Transition<'_, Archive<()>> {
    /// Ends the transition in this state.
    fn finish_in(self, state: ArchiveState) -> (Archive, Change) {
        self.map(|archive| archive.with_state(state)).finish(|it| Row::Archive(Box::new(it.clone())))
    }

    /// Deletes the archive without events, because no tenant knows of it yet.
    fn remove(mut self) -> (Archive, Change) {
        self.change.deletions.push(Deletion::Archive(self.entity.id.clone()));
        self.schedule_orphan_deletion();
        let Self { entity, change, at, .. } = self;
        (entity.with_state(ArchiveState::Revoked { at, cause: RevokeCause::Revoked, consent: None }), change)
    }

    fn expire(&mut self, task: Option<Task>) -> Result<ArchiveState, IllegalArchiveTransitionError> {
        self.check_due(self.entity.created_at + RETENTION)?;
        Ok(self.end(task, AccessEnd::Expired))
    }

    fn check_due(&self, due_at: TenantTime) -> Result<(), IllegalArchiveTransitionError> {
        if self.at < due_at { Err(IllegalArchiveTransitionError::NotDue { due_at }) } else { Ok(()) }
    }

    fn to_event(&self) -> ArchiveChanged {
        ArchiveChanged { user_id: self.entity.user_id.clone(), archive_id: self.entity.id.clone() }
    }

    fn schedule_expiry(&mut self) {
        let due_at = match self.entity.submitted_at {
            None => self.at + UPLOAD_LIFE,
            Some(_) => self.entity.created_at + RETENTION,
        };
        self.schedule(JobKind::ExpireArchive { archive_id: self.entity.id.clone() }, due_at);
    }

    fn schedule_orphan_deletion(&mut self) {
        let since = self.context.now().wall();
        let holder = FileHolder::from(&self.entity.id);
        self.schedule(JobKind::DeleteOrphans { holder, since }, self.at);
    }

    fn count(&mut self, id: String, bytes: Option<u32>) {
        self.change.rows.push(Row::UploadUse(UploadUse {
            id,
            owner: self.entity.owner.clone(),
            user_id: self.entity.user_id.clone(),
            at: self.context.now().wall(),
            bytes,
        }));
    }
}

/// Returns the files of an archive that is not submitted yet.
fn uploading(state: ArchiveState) -> Result<Vec<UploadingFile>, IllegalArchiveTransitionError> {
    match state {
        ArchiveState::Uploading { files } => Ok(files),
        ArchiveState::Analyzing { .. } | ArchiveState::Analyzed { .. } | ArchiveState::Failed { .. } => {
            Err(IllegalArchiveTransitionError::AlreadySubmitted)
        }
        ArchiveState::Revoked { .. } => Err(IllegalArchiveTransitionError::AlreadyRevoked),
    }
}

/// Returns the files and the task of the current reading, if the task has this id.
fn under_way(
    state: ArchiveState,
    task_id: &TaskId,
) -> Result<(Vec<StoredFile>, Task), IllegalArchiveTransitionError> {
    match state {
        ArchiveState::Uploading { .. } => Err(IllegalArchiveTransitionError::NotSubmitted),
        ArchiveState::Analyzing { files, task, .. } if task.id == *task_id => Ok((files, task)),
        ArchiveState::Analyzing { .. } | ArchiveState::Analyzed { .. } | ArchiveState::Failed { .. } => {
            Err(IllegalArchiveTransitionError::StaleReading)
        }
        ArchiveState::Revoked { .. } => Err(IllegalArchiveTransitionError::AlreadyRevoked),
    }
}
