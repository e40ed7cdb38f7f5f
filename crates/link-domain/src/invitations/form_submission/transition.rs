//! Storing the answers to a form before it is submitted, and submitting it.

use std::collections::BTreeSet;

use link_types::form_submission::{FormStatus, LinkSiteFieldType, LinkSiteForm};
use link_types::id::{FormId, LinkSiteId};

use super::reading::texts_of;
use super::{AnswerError, AnswerTexts, FormContent, FormReading, FormSubmission};
use crate::change::job::{Job, JobKind};
use crate::change::{Change, Row};
use crate::invitations::visit::Visit;
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;

/// The form of a visit, and the answers that are stored.
#[derive(Clone, Debug)]
pub struct FormOfVisit<'a> {
    /// The form.
    pub form: &'a LinkSiteForm,
    /// Link site of the form.
    pub site: LinkSiteId,
    /// The visit.
    pub visit: &'a Visit,
    /// Answers that were stored during the visit.
    pub started: Option<FormSubmission>,
}

/// The answers that a browser sends.
#[derive(Clone, Default)]
pub struct SentAnswers {
    /// Texts by the name of their field.
    pub texts: AnswerTexts,
    /// Names of the fields with a condition that the page showed.
    pub shown: BTreeSet<String>,
    /// Whether the field that people do not see has a text.
    pub has_bait: bool,
    /// Files that were rejected while they arrived with the answers.
    pub faults: Vec<AnswerError>,
}

/// A form that cannot be submitted yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidAnswersError {
    /// Every invalid answer to a field that the page showed.
    pub faults: Vec<AnswerError>,
    /// Whether the answers show fields that the page did not show.
    pub has_more_fields: bool,
}

impl FormOfVisit<'_> {
    /// Reads the answers that a browser sends. A HIDDEN field has the value of the address that the person opened, and a FILE
    /// the files that were uploaded.
    pub fn read(&self, texts: &AnswerTexts) -> FormReading {
        let hidden = self.form.fields.iter().filter(|it| it.field_type == LinkSiteFieldType::Hidden);
        let stored = self.started.as_ref().map(|it| texts_of(&it.content.data)).unwrap_or_default();
        let mut texts = texts.clone();
        for field in hidden {
            texts.remove(&field.name);
            texts.extend(stored.get(&field.name).map(|it| (field.name.clone(), it.clone())));
        }
        self.read_with_files(texts)
    }

    /// Reads the stored answers.
    pub fn read_stored(&self) -> FormReading {
        let stored = self.started.as_ref().map(|it| texts_of(&it.content.data));
        self.read_with_files(stored.unwrap_or_default())
    }

    fn read_with_files(&self, mut texts: AnswerTexts) -> FormReading {
        for field in self.form.fields.iter().filter(|it| it.field_type == LinkSiteFieldType::File) {
            let stored = self.started.iter().flat_map(|it| it.stored_files(&field.name));
            texts.insert(field.name.clone(), stored.map(|it| it.name.expose().to_owned()).collect());
        }
        let files = self.started.iter().flat_map(|it| it.content.files.clone()).collect();
        FormReading { files, ..FormReading::new(self.form, &texts) }
    }
}

impl FormSubmission {
    /// Stores answers to a form that is not submitted yet. They may be invalid. Writes nothing if they are the same.
    pub fn save(of: FormOfVisit<'_>, texts: &AnswerTexts, context: &mut Context) -> (Self, Change) {
        let reading = of.read(texts);
        store(of, reading, None, context)
    }

    /// Starts the form of a visit with values of the address that the person opened.
    pub fn start(
        of: FormOfVisit<'_>,
        reference: Option<String>,
        prefilled: &AnswerTexts,
        context: &mut Context,
    ) -> (Self, Change) {
        let reading = FormReading::new(of.form, prefilled);
        let (mut started, mut change) = store(of, reading, None, context);
        started.content.reference = reference.unwrap_or(started.content.reference);
        change.rows = vec![Row::Form(Box::new(started.clone()))];
        (started, change)
    }

    /// Submits the form of a visit. Answers to fields that a condition hides are not stored.
    ///
    /// # Errors
    /// [`InvalidAnswersError`] if an answer is invalid, or if the person has not seen every field.
    pub fn submit(
        of: FormOfVisit<'_>,
        sent: &SentAnswers,
        context: &mut Context,
    ) -> Result<(Self, Change), InvalidAnswersError> {
        let mut reading = of.read(&sent.texts);
        // A rejected file explains a required field without files.
        reading.faults.retain(|it| !sent.faults.iter().any(|other| other.field == it.field));
        reading.faults.extend(sent.faults.iter().cloned());
        let is_unseen = |name: &String| {
            let mut fields = of.form.fields.iter();
            fields.any(|it| it.name == *name && it.condition.is_some() && !sent.shown.contains(name))
        };
        let statements = of.form.fields.iter().filter(|it| it.field_type == LinkSiteFieldType::Statement);
        let mut unseen = reading.data.keys().chain(statements.map(|it| &it.name));
        let has_more_fields = unseen.any(|name| !reading.hidden.contains(name) && is_unseen(name));
        reading.faults.retain(|it| !is_unseen(&it.field));
        if has_more_fields || !reading.faults.is_empty() {
            return Err(InvalidAnswersError { faults: reading.faults, has_more_fields });
        }
        let now = context.now().tenant();
        Ok(store(of, reading, Some(now), context))
    }
}

pub(super) fn store(
    of: FormOfVisit<'_>,
    reading: FormReading,
    submitted_at: Option<TenantTime>,
    context: &mut Context,
) -> (FormSubmission, Change) {
    let FormOfVisit { form, site, visit, started } = of;
    let is_new = started.is_none();
    let before = started.clone();
    let stored = started.unwrap_or_else(|| FormSubmission {
        id: FormId::from_bytes(context.uuid()),
        owner: visit.owner.clone(),
        user_id: visit.user_id.clone(),
        link_site_id: site,
        visit_id: visit.id.clone(),
        created_at: context.now().tenant(),
        status: FormStatus::Started,
        content: FormContent {
            name: form.name.clone(),
            reference: form.reference.clone(),
            version: visit.form_version,
            proven_email: None,
            submitted_at: None,
            data: Default::default(),
            files: Vec::new(),
        },
    });
    let status = if submitted_at.is_some() { FormStatus::Submitted } else { stored.status };
    let proven_email = visit.proof.address().cloned();
    let content = FormContent { data: reading.data, submitted_at, proven_email, ..stored.content.clone() };
    let mut stored = FormSubmission { status, content, ..stored };
    if before.as_ref() == Some(&stored) {
        return (stored, Change::default());
    }
    let unused = if submitted_at.is_some() { stored.drop_unused_files(context) } else { Change::default() };
    let mut change = unused.then(Change::row(Row::Form(Box::new(stored.clone()))));
    if is_new {
        let expiry = JobKind::ExpireScope { scope: stored.scope() };
        change.jobs.push(Job::due(&visit.owner, expiry, stored.data_ends_at(), context));
    }
    (stored, change)
}

#[cfg(test)]
mod tests;
