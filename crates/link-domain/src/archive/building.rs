//! Applying one input: the archive being changed, and the rows, events and jobs that result.

use link_types::event::{ArchiveChanged, EventData};
use link_types::id::FileId;

use super::{Archive, RETENTION, UPLOAD_LIFE, UploadUse};
use crate::change::{Change, Deletion, Row};
use crate::clock::TenantTime;
use crate::context::Context;
use crate::event::{EventRecord, Subject};
use crate::job::{Job, JobKind};

/// One application of an input: the archive being changed, and its change set.
pub(super) struct Transition<'c> {
    pub(super) archive: Archive,
    pub(super) change: Change,
    pub(super) context: &'c mut Context,
    pub(super) at: TenantTime,
}

impl<'c> Transition<'c> {
    pub(super) fn of(mut archive: Archive, context: &'c mut Context) -> Self {
        archive.version = archive.version.saturating_add(1);
        let at = context.now().tenant();
        archive.updated_at = at;
        Self { archive, change: Change::default(), context, at }
    }

    pub(super) fn finish(mut self) -> (Archive, Change) {
        self.change.rows.insert(0, Row::Archive(Box::new(self.archive.clone())));
        (self.archive, self.change)
    }

    pub(super) fn emit(&mut self, data: EventData) {
        self.archive.event_count = self.archive.event_count.saturating_add(1);
        let subject = Subject::Archive(self.archive.id.clone());
        let sequence = self.archive.event_count;
        let event = EventRecord::new(&self.archive.owner, subject, sequence, data, self.context);
        self.change.events.push(event);
    }

    pub(super) fn changed(&self) -> ArchiveChanged {
        ArchiveChanged { user_id: self.archive.user_id.clone(), archive_id: self.archive.id.clone() }
    }

    pub(super) fn schedule(&mut self, kind: JobKind, due_at: TenantTime) {
        let job = Job::due(&self.archive.owner, kind, due_at, self.context);
        self.change.jobs.push(job);
    }

    pub(super) fn owe_expiry(&mut self) {
        let due_at = match self.archive.submitted_at {
            None => self.at + UPLOAD_LIFE,
            Some(_) => self.archive.created_at + RETENTION,
        };
        self.schedule(JobKind::ExpireArchive { archive_id: self.archive.id.clone() }, due_at);
    }

    pub(super) fn owe_sweep(&mut self) {
        self.schedule(JobKind::SweepFiles { archive_id: self.archive.id.clone() }, self.at);
    }

    pub(super) fn count(&mut self, id: String, bytes: Option<u32>) {
        self.change.rows.push(Row::UploadUse(UploadUse {
            id,
            owner: self.archive.owner.clone(),
            user_id: self.archive.user_id.clone(),
            at: self.context.now().wall(),
            bytes,
        }));
    }

    pub(super) fn drop_file(&mut self, id: &FileId) {
        self.change.deletions.push(Deletion::File(id.clone()));
        self.owe_sweep();
    }
}
