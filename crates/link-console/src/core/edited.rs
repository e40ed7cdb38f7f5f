//! A draft of what the service stores, with what it began with, and the changes of other members meanwhile (ADR 266).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::loaded::Form;

/// A draft of something that the service stores.
pub trait Draft: Clone + PartialEq {
    /// The thing that the service stores.
    type Saved: Clone;

    /// Returns the draft that begins with it.
    fn from_saved(saved: &Self::Saved) -> Self;

    /// Returns its revision.
    fn revision_of(saved: &Self::Saved) -> &str;

    /// Returns the texts of the parts that members compare, by the paths that REST uses.
    fn parts(&self) -> BTreeMap<String, String>;
}

/// A part that another member changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Path of the part, as REST names it. Fields of a form are named by their name.
    pub path: String,
    /// Their text. Empty if they removed it.
    pub theirs: String,
    /// The draft's text.
    pub mine: String,
}

/// Returns the parts that differ between `base` and `theirs`, with what `mine` has.
pub fn differences<D: Draft>(base: &D, theirs: &D, mine: &D) -> Vec<Difference> {
    let [base, theirs, mine] = [base, theirs, mine].map(Draft::parts);
    let paths = base.keys().chain(theirs.keys().filter(|it| !base.contains_key(*it)));
    let text = |of: &BTreeMap<String, String>, path: &str| of.get(path).cloned().unwrap_or_default();
    paths
        .filter(|path| text(&base, path) != text(&theirs, path))
        .map(|path| Difference { path: path.clone(), theirs: text(&theirs, path), mine: text(&mine, path) })
        .collect()
}

/// A draft that the browser keeps, so that it survives a reload and the end of the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept<D> {
    /// The draft.
    pub draft: D,
    /// The draft that it began with.
    pub base: D,
    /// The revision of what it began with. `None` if it is new.
    pub revision: Option<String>,
}

/// A change that another member saved since the draft began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict<S> {
    /// The state that they saved.
    pub theirs: Box<S>,
    /// Where it differs from what this draft began with.
    pub differences: Vec<Difference>,
}

/// A draft with what it began with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited<D: Draft> {
    /// The state that the service has. `None` if it is new.
    pub saved: Option<Box<D::Saved>>,
    /// The draft that it began with.
    pub base: D,
    /// The revision of `base`. It is older than that of `saved` as long as there is a conflict.
    pub base_revision: Option<String>,
    /// The draft, and why it was refused.
    pub form: Form<D>,
    /// The change that another member saved meanwhile.
    pub conflict: Option<Conflict<D::Saved>>,
    /// Whether the draft is one that the browser kept.
    pub is_recalled: bool,
}

impl<D: Draft> Edited<D> {
    /// Begins with a new draft.
    pub fn for_new(base: D) -> Self {
        Self {
            saved: None,
            base_revision: None,
            form: Form::new(base.clone()),
            base,
            conflict: None,
            is_recalled: false,
        }
    }

    /// Begins with what the service has.
    pub fn for_saved(saved: Box<D::Saved>) -> Self {
        let base_revision = Some(D::revision_of(&saved).to_owned());
        Self { base_revision, saved: Some(saved.clone()), ..Self::for_new(D::from_saved(&saved)) }
    }

    /// Returns whether the draft differs from what it began with.
    pub fn has_changes(&self) -> bool {
        self.form.draft != self.base
    }

    /// Returns the revision of what the service has.
    pub fn revision(&self) -> Option<&str> {
        self.saved.as_deref().map(D::revision_of)
    }

    /// Returns what the browser keeps. `None` if nothing was changed.
    pub(super) fn to_keep(&self) -> Option<Box<Kept<D>>> {
        self.has_changes().then(|| {
            Box::new(Kept {
                draft: self.form.draft.clone(),
                base: self.base.clone(),
                revision: self.base_revision.clone(),
            })
        })
    }

    /// Continues with a draft that the browser kept. It conflicts if something else was saved since.
    pub(super) fn recall(&mut self, kept: Kept<D>) {
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

    /// Notes what another member saved.
    pub(super) fn find_conflict(&mut self, theirs: Box<D::Saved>) {
        self.form.failure = None;
        let differences = differences(&self.base, &D::from_saved(&theirs), &self.form.draft);
        self.conflict = Some(Conflict { theirs, differences });
    }

    /// Lets the draft begin with this, which the service has. The draft stays as it is.
    pub(super) fn begin_with(&mut self, saved: Box<D::Saved>) {
        self.base = D::from_saved(&saved);
        self.base_revision = Some(D::revision_of(&saved).to_owned());
        self.saved = Some(saved);
    }
}
