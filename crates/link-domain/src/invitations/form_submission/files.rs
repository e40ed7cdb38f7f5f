//! The files of FILE fields, from their announcement until the form is submitted.

use std::collections::BTreeSet;
use std::time::Duration;

use link_types::Sensitive;
use link_types::archive::{FileFault, FileSlot};
use link_types::form_submission::{
    self, FileRules, FormAnswer, LinkSiteField, LinkSiteFieldType, LinkSiteForm,
};
use link_types::id::FileId;
use serde::{Deserialize, Serialize};

use super::transition::store;
use super::{FormOfVisit, FormSubmission};
use crate::change::job::{Job, JobKind};
use crate::change::{Change, Deletion, Row};
use crate::documents::archive::{
    FileHolder, FileInput, IllegalArchiveTransitionError, IncomingFile, SEGMENT_BYTES, StoredFile,
    UPLOAD_LIFE, UploadQuota, UploadUsage, UploadUse, UploadingFile, clean_name, receiving,
};
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;

/// How long an upload without new bytes keeps its place in a full field: 5 minutes. The slowest upload that the service
/// accepts stores bytes more often.
pub const IDLE_UPLOAD: Duration = Duration::from_secs(300);

/// A file of a FILE field, completely or partly uploaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FormFile {
    /// Name of the field.
    pub field: String,
    /// The file.
    pub file: UploadingFile,
    /// When it was announced, or when bytes of it were last stored.
    pub used_at: TenantTime,
}

/// A file that a person announces.
#[derive(Clone, Debug)]
pub struct NewFormFile {
    /// Name of the field.
    pub field: String,
    /// File name on the person's device.
    pub name: Sensitive,
    /// Total size in bytes. `None` if it is known only after the last byte: browsers send a form without the sizes of its
    /// files.
    pub size_bytes: Option<u64>,
    /// SHA-256 of the whole file in lowercase hex, if the browser sent it.
    pub sha256: Option<String>,
}

impl FormFile {
    /// Returns the file as REST shows it. `None` until it is complete.
    pub(super) fn view(&self, url: impl Fn(&FileId) -> String) -> Option<form_submission::FormFile> {
        let StoredFile { id, name, format, size_bytes, sha256, created_at, .. } = self.file.stored_file()?;
        Some(form_submission::FormFile {
            id: id.clone(),
            field: self.field.clone(),
            name: name.expose().to_owned(),
            format: *format,
            size_bytes: *size_bytes,
            sha256: sha256.clone(),
            url: url(id),
            created_at: (*created_at).into(),
        })
    }
}

/// Returns what a field accepts. `None` if it is not a FILE.
pub fn file_rules(field: &LinkSiteField) -> Option<FileRules> {
    (field.field_type == LinkSiteFieldType::File).then(|| field.files.clone().unwrap_or_default())
}

fn rules_of(form: &LinkSiteForm, name: &str) -> Option<FileRules> {
    form.fields.iter().find(|it| it.name == name).and_then(file_rules)
}

impl FormSubmission {
    /// Returns a file, completely or partly uploaded.
    pub fn file(&self, id: &FileId) -> Option<&UploadingFile> {
        self.content.files.iter().map(|it| &it.file).find(|it| it.id() == id)
    }

    /// Returns the completely and partly uploaded files, in order.
    pub fn file_ids(&self) -> Vec<FileId> {
        self.content.files.iter().map(|it| it.file.id().clone()).collect()
    }

    /// Returns the complete files of a field, in order.
    pub fn stored_files(&self, field: &str) -> impl Iterator<Item = &StoredFile> {
        let of_field = self.content.files.iter().filter(move |it| it.field == field);
        of_field.filter_map(|it| it.file.stored_file())
    }

    /// Adds a file that the person announces to a form that is not submitted yet. If the field is full, an unfinished file
    /// without new bytes for 5 minutes makes room: its page was left.
    ///
    /// # Errors
    /// [`IllegalArchiveTransitionError`] if the field does not accept the file. Nothing must be written then.
    pub fn add_file(
        of: FormOfVisit<'_>,
        new: &NewFormFile,
        (usage, quota): (UploadUsage, UploadQuota),
        context: &mut Context,
    ) -> Result<(Self, FileId, Change), IllegalArchiveTransitionError> {
        if of.started.as_ref().is_some_and(Self::is_submitted) {
            return Err(IllegalArchiveTransitionError::AlreadySubmitted);
        }
        let rules = rules_of(of.form, &new.field).ok_or(IllegalArchiveTransitionError::UnknownFile)?;
        let left = u32::try_from(quota.bytes.saturating_sub(usage.bytes)).unwrap_or(u32::MAX);
        let size_bytes = match new.size_bytes {
            Some(size) => u32::try_from(size).unwrap_or(u32::MAX),
            None => rules.max_bytes.min(left),
        };
        let refuse = |fault| Err(IllegalArchiveTransitionError::Refused(fault));
        if new.size_bytes == Some(0) {
            return refuse(FileFault::Empty);
        }
        if size_bytes > rules.max_bytes {
            return refuse(FileFault::TooLarge);
        }
        if size_bytes == 0 || !quota.admits_file(usage, size_bytes) {
            return refuse(FileFault::QuotaExceeded);
        }
        let reading = of.read_stored();
        let (mut form, stored) = store(of, reading, None, context);
        let mut change = Change { jobs: stored.jobs, ..Change::default() };
        if form.content.files.iter().filter(|it| it.field == new.field).count() >= rules.max_files.into() {
            let idle_since = context.now().tenant();
            let is_left = |it: &FormFile| {
                let is_partial = it.field == new.field && it.file.stored_file().is_none();
                is_partial && it.used_at + IDLE_UPLOAD <= idle_since
            };
            let Some(place) = form.content.files.iter().position(is_left) else {
                return refuse(FileFault::TooManyFiles);
            };
            let left = form.content.files.remove(place);
            change = change.then(form.forget([left.file.id().clone()], context));
            change.rows.extend(form.count_received(&left.file, context));
        }
        let (id, now) = (FileId::from_bytes(context.uuid()), context.now());
        form.content.files.push(FormFile {
            field: new.field.clone(),
            file: UploadingFile::Receiving(IncomingFile {
                id: id.clone(),
                name: clean_name(&new.name),
                slot: FileSlot::Page,
                size_bytes,
                sha256: new.sha256.clone(),
                created_at: now.tenant(),
                received_bytes: 0,
            }),
            used_at: now.tenant(),
        });
        change.rows.extend([
            Row::Form(Box::new(form.clone())),
            Row::File { id: id.clone(), holder: FileHolder::from(&form.id) },
            form.count(&id, size_bytes, context),
        ]);
        let cleanup = JobKind::RemovePartialFiles { form_id: form.id.clone() };
        change.jobs.push(Job::due(&form.owner, cleanup, now.tenant() + UPLOAD_LIFE, context));
        Ok((form, id, change))
    }

    /// Changes a file of a form that is not submitted yet.
    ///
    /// # Errors
    /// [`IllegalArchiveTransitionError`] if the form does not have the file, or the file is rejected. Nothing must be
    /// written then.
    pub fn change_file(
        of: FormOfVisit<'_>,
        input: FileInput,
        context: &mut Context,
    ) -> Result<(Self, Change), IllegalArchiveTransitionError> {
        let mut form = of.started.clone().ok_or(IllegalArchiveTransitionError::UnknownFile)?;
        if form.is_submitted() {
            return Err(IllegalArchiveTransitionError::AlreadySubmitted);
        }
        let mut change = Change::default();
        match input {
            FileInput::Received(bytes) => {
                let received = form.file_mut(&bytes.file_id)?;
                receiving::receive(&mut received.file, &bytes)?;
                received.used_at = context.now().tenant();
                change.rows.push(Row::Segment(bytes.segment));
            }
            FileInput::Completed { bytes, inspection, sha256 } => {
                let format = inspection.format;
                let FormFile { field, file, .. } = form.file_mut(&bytes.file_id)?;
                let announced = file.size_bytes();
                receiving::complete(file, &bytes, inspection, sha256)?;
                let size = file.size_bytes();
                let rules = rules_of(of.form, field).unwrap_or_default();
                if !rules.formats.is_empty() && !rules.formats.contains(&format) {
                    return Err(IllegalArchiveTransitionError::Refused(FileFault::UnsupportedFormat));
                }
                if size != announced {
                    change.rows.push(form.count(&bytes.file_id, size, context));
                }
                change.rows.push(Row::Segment(bytes.segment));
            }
            FileInput::Remove(id) => {
                let place = form.content.files.iter().position(|it| *it.file.id() == id);
                let removed =
                    form.content.files.remove(place.ok_or(IllegalArchiveTransitionError::UnknownFile)?);
                change = form.forget([id], context);
                change.rows.extend(form.count_received(&removed.file, context));
            }
        }
        let of = FormOfVisit { started: Some(form.clone()), ..of };
        form.content.data = of.read_stored().data;
        change.rows.push(Row::Form(Box::new(form.clone())));
        Ok((form, change))
    }

    /// Removes the files that were announced at least [`UPLOAD_LIFE`] ago and are not finished, or whose form was not
    /// submitted: its visit has ended then. Writes nothing if there are none.
    pub fn remove_unsubmitted_files(mut self, context: &mut Context) -> Change {
        let (now, is_submitted) = (context.now().tenant(), self.is_submitted());
        let gone = self.take_files(|it| {
            let is_kept = is_submitted && it.file.stored_file().is_some();
            !is_kept && Self::upload_ends_at(&it.file) <= now
        });
        if gone.is_empty() {
            return Change::default();
        }
        let fields: BTreeSet<_> = gone.iter().map(|it| it.field.clone()).collect();
        for field in fields {
            let left: Vec<_> = self.stored_files(&field).map(|it| it.name.expose().to_owned()).collect();
            let answer = if left.is_empty() { FormAnswer::Unanswered } else { FormAnswer::Chosen(left) };
            self.content.data.entry(field).and_modify(|it| *it = answer);
        }
        let gone = gone.iter().map(|it| it.file.id().clone()).collect::<Vec<_>>();
        let change = self.forget(gone, context);
        change.then(Change::row(Row::Form(Box::new(self))))
    }

    /// Erases the answers, and schedules the deletion of the objects of their files.
    pub fn erase(&self, context: &mut Context) -> Change {
        if self.content.files.is_empty() {
            return Change { erasures: vec![self.scope()], ..Change::default() };
        }
        self.scope().remove(&self.owner, context)
    }

    /// Removes the files that a submitted form does not keep: unfinished ones, and those of fields without an answer.
    pub(super) fn drop_unused_files(&mut self, context: &mut Context) -> Change {
        let data = self.content.data.clone();
        let gone = self.take_files(|it| it.file.stored_file().is_none() || !data.contains_key(&it.field));
        if gone.is_empty() {
            return Change::default();
        }
        self.forget(gone.iter().map(|it| it.file.id().clone()), context)
    }

    fn take_files(&mut self, is_gone: impl Fn(&FormFile) -> bool) -> Vec<FormFile> {
        let (gone, kept) = std::mem::take(&mut self.content.files).into_iter().partition(is_gone);
        self.content.files = kept;
        gone
    }

    fn file_mut(&mut self, id: &FileId) -> Result<&mut FormFile, IllegalArchiveTransitionError> {
        let found = self.content.files.iter_mut().find(|it| it.file.id() == id);
        found.ok_or(IllegalArchiveTransitionError::UnknownFile)
    }

    fn forget(&self, files: impl IntoIterator<Item = FileId>, context: &mut Context) -> Change {
        let since = context.now().wall();
        let orphans = JobKind::DeleteOrphans { holder: FileHolder::from(&self.id), since };
        Change {
            deletions: files.into_iter().map(Deletion::File).collect(),
            jobs: vec![Job::now(&self.owner, orphans, context)],
            ..Change::default()
        }
    }

    /// Counts a removed unfinished file with the bytes that may have been received, instead of those that were reserved.
    fn count_received(&self, file: &UploadingFile, context: &Context) -> Option<Row> {
        let UploadingFile::Receiving(file) = file else { return None };
        let received = file.received_bytes.saturating_add(SEGMENT_BYTES).min(file.size_bytes);
        Some(self.count(&file.id, received, context))
    }

    fn count(&self, file: &FileId, bytes: u32, context: &Context) -> Row {
        Row::UploadUse(UploadUse {
            id: file.to_string(),
            owner: self.owner.clone(),
            user_id: self.user_id.clone(),
            at: context.now().wall(),
            bytes: Some(bytes),
        })
    }

    /// Returns when a file is removed at the earliest if it is not finished or its form is not submitted.
    pub fn upload_ends_at(file: &UploadingFile) -> TenantTime {
        let created_at = match file {
            UploadingFile::Receiving(file) => file.created_at,
            UploadingFile::Complete(file) => file.created_at,
        };
        created_at + UPLOAD_LIFE
    }
}

#[cfg(test)]
mod tests;
