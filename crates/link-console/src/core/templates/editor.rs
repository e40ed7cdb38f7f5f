//! The editor of a template.

use link_types::Timestamp;
use link_types::problem::FieldFault;

use super::draft::{LANGUAGES, TemplateDraft};
use super::fields::LOGOS;
use super::kind::TemplateKind;
use super::preview::Preview;
use super::wire::{AnyTemplate, new_draft};
use crate::core::edited::{Difference, Edited, differences};
use crate::core::failure::Failure;
use crate::core::loaded::{Form, Loaded};

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
    /// The draft of the template.
    pub edited: Edited<TemplateDraft>,
    /// The draft to which a copy returns. `None` for another template, and before the original is loaded.
    pub original: Option<Box<TemplateDraft>>,
    /// The number of the draft's newest change.
    pub changes: u32,
    /// The faults of the last refusal, by path.
    pub faults: Vec<(String, String)>,
    /// The field of a logo whose file was too large.
    pub large_logo: Option<String>,
    /// The language whose translations are shown. Empty for the first one.
    pub language: String,
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
    /// Opens the editor of a new template.
    pub fn for_new(kind: TemplateKind) -> Self {
        Self::with(kind, Edited::for_new(new_draft(kind)))
    }

    /// Opens the editor of a copy.
    pub fn for_copy(kind: TemplateKind, original: Box<TemplateDraft>) -> Self {
        let mut edited = Edited::for_new(new_draft(kind));
        edited.form.draft.clone_from(&original);
        Self { original: Some(original), ..Self::with(kind, edited) }
    }

    /// Opens the editor of a template.
    pub fn for_saved(kind: TemplateKind, saved: Box<AnyTemplate>) -> Self {
        Self::with(kind, Edited::for_saved(saved))
    }

    fn with(kind: TemplateKind, edited: Edited<TemplateDraft>) -> Self {
        Self {
            kind,
            edited,
            original: None,
            changes: 0,
            faults: Vec::new(),
            large_logo: None,
            language: String::new(),
            is_restored: false,
            moved: None,
            versions: Loaded::Loading,
            opened_version: None,
            preview: Preview::default(),
        }
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
        let draft = &self.edited.form.draft;
        draft.items(LANGUAGES).find(|it| *it == self.language).or_else(|| draft.items(LANGUAGES).next())
    }

    /// Returns a version, with its differences from the current state.
    pub fn compare(&self, version: u32) -> Option<Vec<Difference>> {
        let Loaded::Ready(versions) = &self.versions else { return None };
        let found = versions.iter().find(|it| it.version == version)?;
        Some(differences(&self.edited.base, &found.template.draft(), &self.edited.base))
    }

    /// Returns whether the draft differs from what it returns to when it is discarded.
    pub fn can_discard(&self) -> bool {
        match &self.original {
            Some(original) => self.edited.form.draft != **original,
            None => self.edited.has_changes(),
        }
    }

    /// Continues with the draft on top of what another member saved.
    pub(super) fn keep_mine(&mut self, theirs: Box<AnyTemplate>) {
        self.changes += 1;
        let now = theirs.draft();
        let Edited { form, base, .. } = &mut self.edited;
        // A draft has the address of a picture, which is gone once the template has another one.
        for path in LOGOS {
            if form.draft.get(path) == base.get(path) {
                form.draft.set(path, now.get(path));
            }
        }
        self.edited.begin_with(theirs);
    }

    /// Shows the template as the service has it, and forgets the draft.
    pub(super) fn replace(&mut self, saved: Box<AnyTemplate>) {
        let (versions, opened_version) = (std::mem::take(&mut self.versions), self.opened_version);
        let (preview, changes) = (std::mem::take(&mut self.preview), self.changes + 1);
        *self = Self { versions, opened_version, preview, changes, ..Self::for_saved(self.kind, saved) };
    }

    /// Forgets the draft.
    pub(super) fn discard(&mut self) {
        let saved = self.edited.saved.take();
        let (kind, original) = (self.kind, self.original.take());
        let begun = match (saved, original) {
            (Some(saved), _) => return self.replace(saved),
            (None, Some(original)) => Self::for_copy(kind, original),
            (None, None) => Self::for_new(kind),
        };
        let (preview, changes) = (std::mem::take(&mut self.preview), self.changes + 1);
        *self = Self { preview, changes, ..begun };
    }

    /// Continues after the service stored what was sent. What was typed meanwhile stays.
    pub(super) fn accept(&mut self, sent: &TemplateDraft, saved: Box<AnyTemplate>) {
        self.faults.clear();
        self.original = None;
        self.is_restored = false;
        let (edited, now) = (&mut self.edited, saved.draft());
        self.changes += u32::from(now != *sent);
        (edited.form.is_sending, edited.form.failure) = (false, None);
        // The service may write a value in another way, such as the address of a logo.
        if edited.form.draft == *sent {
            edited.form.draft = now.clone();
        } else {
            for path in LOGOS {
                if edited.form.draft.get(path) == sent.get(path) {
                    edited.form.draft.set(path, now.get(path));
                }
            }
        }
        edited.begin_with(saved);
        (edited.conflict, edited.is_recalled) = (None, false);
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
        (self.edited.form.is_sending, self.edited.form.failure) = (false, Some(failure));
    }

    /// Makes a version the draft. Logos that only it had are gone, so those of the draft stay.
    pub(super) fn restore(&mut self, version: u32) -> Option<()> {
        let Loaded::Ready(versions) = &self.versions else { return None };
        let found = versions.iter().find(|it| it.version == version)?;
        let mut draft = found.template.draft().without_logos();
        for path in LOGOS {
            draft.set(path, self.edited.form.draft.get(path));
        }
        self.edited.form = Form::new(draft);
        self.changes += 1;
        self.faults.clear();
        (self.is_restored, self.edited.is_recalled) = (true, false);
        Some(())
    }
}
