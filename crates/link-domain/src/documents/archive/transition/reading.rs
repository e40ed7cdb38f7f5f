//! Results of a reading: data points and their events, ARCHIVE_ANALYZED or ARCHIVE_FAILED, TASK_FINISHED.

use link_types::AccessEnd;
use link_types::archive::ArchiveErrorCode;
use link_types::event::{ArchiveFailed, ArchiveRevoked, EventData};
use link_types::id::TaskId;
use link_types::task::TaskType;

use crate::change::Row;
use crate::change::job::JobKind;
use crate::change::transition::Transition;
use crate::data::batch::Batch;
use crate::data::data_point::Origin;
use crate::data::findings::Findings;
use crate::data::payload::PayloadLinks;
use crate::data::task::{Task, TaskEnding, TaskState};
use crate::documents::archive::{Archive, ArchiveState, RevokeCause, StoredFile};
use crate::documents::document_reader::DocumentReading;
use crate::kernel::stored_at::StoredAt;
use crate::linking::consent::Consent;

impl Transition<'_, Archive<()>> {
    pub(super) fn start_reading(&mut self) -> Task {
        let task = Task {
            id: TaskId::from_bytes(self.context.uuid()),
            owner: self.entity.owner.clone(),
            task_type: TaskType::AnalyzeArchive,
            user_id: self.entity.user_id.clone(),
            source: self.entity.source(),
            provider_id: self.entity.provider_id(),
            started_at: self.at,
            state: TaskState::Started {},
        };
        self.emit(EventData::TaskStarted(task.started_event()));
        let archive_id = self.entity.id.clone();
        self.schedule(JobKind::AnalyzeArchive { archive_id, task_id: task.id.clone() }, self.at);
        self.change.rows.push(Row::Task(task.clone()));
        task
    }

    pub(super) fn read(
        &mut self,
        files: Vec<StoredFile>,
        task: Task,
        reading: DocumentReading,
        links: &dyn PayloadLinks,
    ) -> ArchiveState {
        let (extracted, batch, ending) = match reading {
            DocumentReading::Read { extracted, batch } => (extracted, batch, TaskEnding::Succeeded),
            DocumentReading::ReadInPart { extracted, batch } => (extracted, batch, TaskEnding::ReadInPart),
            DocumentReading::Failed { code } => return self.fail(files, task, code, links),
        };
        if extracted.first.document_type == self.entity.archive_type {
            let analyzed = self.to_event();
            self.emit(EventData::ArchiveAnalyzed(analyzed));
            self.finish_task(task, ending, (batch, files.first()), Some(links));
            let extracted = self.entity.declined_data().without_values(extracted);
            ArchiveState::Analyzed { files, extracted }
        } else {
            self.fail(files, task, ArchiveErrorCode::FileWrongType, links)
        }
    }

    fn fail(
        &mut self,
        files: Vec<StoredFile>,
        task: Task,
        code: ArchiveErrorCode,
        links: &dyn PayloadLinks,
    ) -> ArchiveState {
        self.emit(EventData::ArchiveFailed(ArchiveFailed {
            user_id: self.entity.user_id.clone(),
            archive_id: self.entity.id.clone(),
            error_code: code.as_str().to_owned(),
            error_message: code.message().to_owned(),
        }));
        self.finish_task(task, TaskEnding::Unread(code), (Batch::default(), None), Some(links));
        ArchiveState::Failed { files, code }
    }

    /// Finishes the task with the data that was read: data points, `*_ADDED`, TASK_FINISHED.
    fn finish_task(
        &mut self,
        task: Task,
        ending: TaskEnding,
        (batch, file): (Batch, Option<&StoredFile>),
        links: Option<&dyn PayloadLinks>,
    ) {
        let origin = Origin {
            owner: self.entity.owner.clone(),
            user_id: self.entity.user_id.clone(),
            provider_id: task.provider_id.clone(),
            source: self.entity.source(),
            visit_id: self.entity.visit_id.clone(),
            created_at: self.entity.created_at,
            declined: self.entity.declined_data(),
        };
        let mut findings = Findings::from_batch(batch, &origin, self.context);
        if let Some(file) = file {
            let at = StoredAt::Archive(self.entity.id.clone(), file.id.clone());
            findings.store_files(|_| Some(at.clone()));
        }
        self.write_data_points(&findings);
        for event in findings.events(&origin, self.at) {
            self.emit(event);
        }
        self.emit(EventData::TaskFinished(findings.finished_event(&task, ending, links)));
        self.change.rows.push(Row::Task(task.finish(self.at, ending, findings.kinds())));
    }

    /// Turns the archive into a tombstone. A running task ends without data.
    pub(super) fn end(&mut self, running: Option<Task>, reason: AccessEnd) -> ArchiveState {
        if let Some(task) = running {
            self.finish_task(task, TaskEnding::Withdrawn, (Batch::default(), None), None);
        }
        let consent = self.entity.consent.take().map(Consent::stub);
        self.emit(EventData::ArchiveRevoked(ArchiveRevoked {
            user_id: self.entity.user_id.clone(),
            archive_id: self.entity.id.clone(),
            reason,
        }));
        let cause = match reason {
            AccessEnd::User | AccessEnd::Tenant => RevokeCause::Revoked,
            AccessEnd::Expired => RevokeCause::Expired,
        };
        self.change.erasures.push(self.entity.scope());
        self.schedule_orphan_deletion();
        ArchiveState::Revoked { at: self.at, cause, consent }
    }
}
