//! The editor of a template.

use link_types::Timestamp;
use link_types::problem::FieldFault;
use serde::{Deserialize, Serialize};

use super::draft::{LANGUAGES, TemplateDraft, differences};
use super::fields::LOGOS;
use super::kind::TemplateKind;
use super::preview::Preview;
use super::wire::{AnyTemplate, new_draft};
use crate::core::failure::Failure;
use crate::core::loaded::{Form, Loaded};
use crate::core::sites::differences::Difference;

/// A draft that the browser keeps, so that it survives a reload and the end of the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptTemplate {
    /// The draft.
    pub draft: TemplateDraft,
    /// The draft of the template that it began with.
    pub base: TemplateDraft,
    /// The revision of that template. `None` for a new one.
    pub revision: Option<String>,
}

/// A change that another member saved since the draft began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateConflict {
    /// The template that they saved.
    pub theirs: Box<AnyTemplate>,
    /// Where it differs from what this draft began with.
    pub differences: Vec<Difference>,
}

/// A saved version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedVersion {
    /// Number.
    pub version: u32,
    /// When it was saved.
    pub saved_at: Timestamp,
    /// The template as it was saved.
    pub template: AnyTemplate,
}

/// The editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateEditor {
    /// The kind of template.
    pub kind: TemplateKind,
    /// The template as the service has it. `None` for a new one.
    pub saved: Option<Box<AnyTemplate>>,
    /// The draft of the template that it began with.
    pub base: TemplateDraft,
    /// The revision of `base`. It is older than that of `saved` as long as there is a conflict.
    pub base_revision: Option<String>,
    /// The draft, and why it was refused.
    pub form: Form<TemplateDraft>,
    /// The faults of the last refusal, by path.
    pub faults: Vec<(String, String)>,
    /// The field of a logo whose file was too large.
    pub large_logo: Option<String>,
    /// The language whose translations are shown. Empty for the first one.
    pub language: String,
    /// The change that another member saved meanwhile.
    pub conflict: Option<TemplateConflict>,
    /// Whether the draft is one that the browser kept.
    pub is_recalled: bool,
    /// Whether the draft is a version that was restored.
    pub is_restored: bool,
    /// The item of a list that was moved last, for screen readers.
    pub moved: Option<String>,
    /// The saved versions, newest first.
    pub versions: Loaded<Vec<SavedVersion>>,
    /// The version that is compared with the current state.
    pub opened_version: Option<u32>,
    /// The preview.
    pub preview: Preview,
}

impl TemplateEditor {
    /// Opens the editor of a new template, which may begin with a copy of another one.
    pub fn for_new(kind: TemplateKind, copied: Option<TemplateDraft>) -> Self {
        let mut editor = Self::with(kind, None, new_draft(kind));
        if let Some(copied) = copied {
            editor.form.draft = copied;
        }
        editor
    }

    /// Opens the editor of a template.
    pub fn for_saved(kind: TemplateKind, saved: Box<AnyTemplate>) -> Self {
        let base = saved.draft();
        Self::with(kind, Some(saved), base)
    }

    fn with(kind: TemplateKind, saved: Option<Box<AnyTemplate>>, base: TemplateDraft) -> Self {
        Self {
            kind,
            base_revision: saved.as_ref().map(|it| it.revision().to_owned()),
            saved,
            form: Form::new(base.clone()),
            base,
            faults: Vec::new(),
            large_logo: None,
            language: String::new(),
            conflict: None,
            is_recalled: false,
            is_restored: false,
            moved: None,
            versions: Loaded::Loading,
            opened_version: None,
            preview: Preview::default(),
        }
    }

    /// Returns whether the draft differs from what it began with.
    pub fn has_changes(&self) -> bool {
        self.form.draft != self.base
    }

    /// Returns the revision of the template as the service has it.
    pub fn revision(&self) -> Option<&str> {
        self.saved.as_ref().map(|it| it.revision())
    }

    /// Returns the message about a field, or about one of its parts.
    pub fn fault(&self, path: &str) -> Option<&str> {
        let is_about = |found: &str| {
            found.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.faults.iter().find(|(found, _)| is_about(found)).map(|(_, message)| message.as_str())
    }

    /// Returns the language whose translations are shown.
    pub fn shown_language(&self) -> Option<&str> {
        let draft = &self.form.draft;
        draft.items(LANGUAGES).find(|it| *it == self.language).or_else(|| draft.items(LANGUAGES).next())
    }

    /// Returns a version, with its differences from the current state.
    pub fn compare(&self, version: u32) -> Option<Vec<Difference>> {
        let Loaded::Ready(versions) = &self.versions else { return None };
        let found = versions.iter().find(|it| it.version == version)?;
        Some(differences(&self.base, &found.template.draft(), &self.base))
    }

    /// Returns what the browser keeps. `None` if nothing was changed.
    pub(super) fn kept(&self) -> Option<Box<KeptTemplate>> {
        self.has_changes().then(|| {
            Box::new(KeptTemplate {
                draft: self.form.draft.clone(),
                base: self.base.clone(),
                revision: self.base_revision.clone(),
            })
        })
    }

    /// Continues with a draft that the browser kept. It conflicts if the template was changed since.
    pub(super) fn recall(&mut self, kept: KeptTemplate) {
        if self.has_changes() || kept.draft == self.base {
            return;
        }
        self.form = Form::new(kept.draft);
        self.is_recalled = true;
        if kept.revision.as_deref() != self.revision() {
            (self.base, self.base_revision) = (kept.base, kept.revision);
            if let Some(saved) = self.saved.clone() {
                self.find_conflict(saved);
            }
        }
    }

    /// Notes that another member saved the template.
    pub(super) fn find_conflict(&mut self, theirs: Box<AnyTemplate>) {
        self.form.failure = None;
        let differences = differences(&self.base, &theirs.draft(), &self.form.draft);
        self.conflict = Some(TemplateConflict { theirs, differences });
    }

    /// Continues with the draft on top of what another member saved.
    pub(super) fn keep_mine(&mut self, theirs: Box<AnyTemplate>) {
        let now = theirs.draft();
        // A draft has the address of a picture, which is gone once the template has another one.
        for path in LOGOS {
            if self.form.draft.get(path) == self.base.get(path) {
                self.form.draft.set(path, now.get(path));
            }
        }
        self.base_revision = Some(theirs.revision().to_owned());
        (self.base, self.saved) = (now, Some(theirs));
    }

    /// Shows the template as the service has it, and forgets the draft.
    pub(super) fn replace(&mut self, saved: Box<AnyTemplate>) {
        let (versions, opened_version) = (std::mem::take(&mut self.versions), self.opened_version);
        let preview = std::mem::take(&mut self.preview);
        *self = Self { versions, opened_version, preview, ..Self::for_saved(self.kind, saved) };
    }

    /// Forgets the draft.
    pub(super) fn discard(&mut self) {
        let saved = self.saved.take();
        match saved {
            Some(saved) => self.replace(saved),
            None => {
                let preview = std::mem::take(&mut self.preview);
                *self = Self { preview, ..Self::for_new(self.kind, None) };
            }
        }
    }

    /// Continues after the service stored what was sent. What was typed meanwhile stays.
    pub(super) fn accept(&mut self, sent: &TemplateDraft, saved: Box<AnyTemplate>) {
        (self.form.is_sending, self.form.failure) = (false, None);
        self.faults.clear();
        let now = saved.draft();
        // The service may write a value in another way, such as the address of a logo.
        if self.form.draft == *sent {
            self.form.draft = now.clone();
        } else {
            for path in LOGOS {
                if self.form.draft.get(path) == sent.get(path) {
                    self.form.draft.set(path, now.get(path));
                }
            }
        }
        self.base_revision = Some(saved.revision().to_owned());
        (self.base, self.saved, self.conflict) = (now, Some(saved), None);
        (self.is_recalled, self.is_restored) = (false, false);
    }

    /// Notes why the service refused what was sent.
    pub(super) fn refuse(&mut self, failure: Failure) {
        self.faults.clear();
        if let Failure::Invalid(faults) = &failure {
            self.faults = faults
                .iter()
                .map(|FieldFault { field, message, .. }| (field.clone(), message.clone()))
                .collect();
        }
        (self.form.is_sending, self.form.failure) = (false, Some(failure));
    }

    /// Makes a version the draft. Logos that only it had are gone, so those of the draft stay.
    pub(super) fn restore(&mut self, version: u32) -> Option<()> {
        let Loaded::Ready(versions) = &self.versions else { return None };
        let found = versions.iter().find(|it| it.version == version)?;
        let mut draft = found.template.draft().without_logos();
        for path in LOGOS {
            draft.set(path, self.form.draft.get(path));
        }
        self.form = Form::new(draft);
        self.faults.clear();
        (self.is_restored, self.is_recalled) = (true, false);
        Some(())
    }
}
