//! The editor of a link site.

use link_types::link_site::LinkSite;

use super::draft::{FieldDraft, SiteDraft};
use super::spot::field_path;
use crate::core::edited::Edited;
use crate::core::failure::Failure;

/// Maximum number of moves and removals that can be taken back.
const MAX_UNDO: usize = 100;

/// A move or a removal that can be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Undo {
    /// A field was moved from this place.
    Moved(u32, usize),
    /// A field was removed from this place.
    Removed(usize, Box<FieldDraft>),
}

/// A sentence about the fields for screen readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// A field was moved: its title, its position from 1, and the number of fields.
    Moved(String, usize, usize),
    /// A field was added, with its position and the number of fields.
    Added(usize, usize),
    /// A field was removed.
    Removed(String),
    /// A move or removal was taken back.
    Undone(String),
}

/// The page that the preview shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PreviewPage {
    /// The first page.
    Start,
    /// The form.
    #[default]
    Form,
    /// The end page.
    End,
}

/// Settings of the preview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// The page.
    pub page: PreviewPage,
    /// The language. Empty for that of the site.
    pub language: String,
    /// Whether it is as broad as a computer's window.
    pub is_broad: bool,
    /// Whether fields are shown whose condition does not hold.
    pub shows_all: bool,
}

/// The editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor {
    /// The draft of the site.
    pub edited: Edited<SiteDraft>,
    /// The faults of the last refusal, by paths that follow their fields.
    pub faults: Vec<(String, String)>,
    /// The field that is open.
    pub opened: Option<u32>,
    /// The language whose translations are shown. Empty for the first one.
    pub language: String,
    /// A sentence for screen readers.
    pub announcement: Option<Announcement>,
    /// Settings of the preview.
    pub preview: Preview,
    pub(super) undo: Vec<Undo>,
}

impl Editor {
    /// Opens the editor of a site, or of a new one.
    pub fn new(site: Option<LinkSite>) -> Self {
        let edited = site
            .map_or_else(|| Edited::for_new(SiteDraft::default()), |site| Edited::for_saved(Box::new(site)));
        Self {
            edited,
            faults: Vec::new(),
            opened: None,
            language: String::new(),
            announcement: None,
            preview: Preview::default(),
            undo: Vec::new(),
        }
    }

    /// Returns whether a move or removal can be taken back.
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Returns the message about a part of the draft, or about one of its items.
    pub fn fault(&self, path: &str) -> Option<&str> {
        let is_about = |found: &str| {
            found.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
        };
        self.faults.iter().find(|(found, _)| is_about(found)).map(|(_, message)| message.as_str())
    }

    /// Returns whether a field has a fault.
    pub fn has_fault(&self, uid: u32) -> bool {
        let prefix = field_path(uid, "");
        self.faults.iter().any(|(path, _)| path.starts_with(&prefix))
    }

    /// Forgets the draft.
    pub(super) fn discard(&mut self) {
        let (template, preview) = (self.edited.base.template.clone(), self.preview.clone());
        *self = Self { preview, ..Self::new(self.edited.saved.take().map(|it| *it)) };
        let Edited { form, base, .. } = &mut self.edited;
        (form.draft.template, base.template) = (template.clone(), template);
    }

    /// Shows the site as the service has it, and forgets the draft.
    pub(super) fn replace(&mut self, site: LinkSite) {
        let preview = self.preview.clone();
        *self = Self { preview, ..Self::new(Some(site)) };
    }

    /// Continues after the service stored what was sent. What was typed meanwhile stays.
    pub(super) fn accept(&mut self, sent: SiteDraft, site: Box<LinkSite>) {
        self.faults.clear();
        let edited = &mut self.edited;
        (edited.form.is_sending, edited.form.failure) = (false, None);
        edited.begin_with(site);
        (edited.base, edited.conflict, edited.is_recalled) = (sent, None, false);
    }

    /// Notes why the service refused what was sent.
    pub(super) fn refuse(&mut self, sent: &SiteDraft, failure: Failure) {
        if let Failure::Invalid(faults) = &failure {
            self.faults = sent.lasting_faults(faults);
        } else {
            self.faults.clear();
        }
        (self.edited.form.is_sending, self.edited.form.failure) = (false, Some(failure));
    }

    /// Moves a field. Returns whether it was moved.
    pub(super) fn move_field(&mut self, uid: u32, to: usize) -> bool {
        let fields = &mut self.edited.form.draft.fields;
        let Some(from) = fields.iter().position(|it| it.uid == uid) else { return false };
        let to = to.min(fields.len() - 1);
        if from == to {
            return false;
        }
        let field = fields.remove(from);
        let title = field.title().to_owned();
        fields.insert(to, field);
        self.announcement = Some(Announcement::Moved(title, to + 1, fields.len()));
        self.push_undo(Undo::Moved(uid, from));
        true
    }

    /// Removes a field. Returns the place where it was.
    pub(super) fn remove_field(&mut self, uid: u32) -> Option<usize> {
        let fields = &mut self.edited.form.draft.fields;
        let place = fields.iter().position(|it| it.uid == uid)?;
        let field = fields.remove(place);
        self.announcement = Some(Announcement::Removed(field.title().to_owned()));
        self.push_undo(Undo::Removed(place, Box::new(field)));
        Some(place)
    }

    fn push_undo(&mut self, undo: Undo) {
        if self.undo.len() == MAX_UNDO {
            self.undo.remove(0);
        }
        self.undo.push(undo);
    }

    /// Takes the last move or removal back. Returns the field.
    pub(super) fn undo(&mut self) -> Option<u32> {
        let fields = &mut self.edited.form.draft.fields;
        let (uid, title) = match self.undo.pop()? {
            Undo::Moved(uid, place) => {
                let from = fields.iter().position(|it| it.uid == uid)?;
                let field = fields.remove(from);
                let title = field.title().to_owned();
                fields.insert(place.min(fields.len()), field);
                (uid, title)
            }
            Undo::Removed(place, field) => {
                let (uid, title) = (field.uid, field.title().to_owned());
                fields.insert(place.min(fields.len()), *field);
                (uid, title)
            }
        };
        self.announcement = Some(Announcement::Undone(title));
        Some(uid)
    }
}
