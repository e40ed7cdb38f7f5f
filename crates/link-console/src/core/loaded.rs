//! Lists that the service returns, and forms.

use link_types::console::{KeyDraft, MemberDraft, Role, full_access};

use super::failure::Failure;

/// A list that the service returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Loaded<T> {
    /// On its way.
    #[default]
    Loading,
    /// Here.
    Ready(T),
    /// It failed.
    Failed(Failure),
}

impl<T> Loaded<T> {
    /// Returns whether it is on its way. What would move when it arrives is drawn afterwards, so that no press misses.
    pub const fn is_loading(&self) -> bool {
        matches!(self, Self::Loading)
    }

    /// Returns why it failed.
    pub const fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Failed(failure) => Some(failure),
            Self::Loading | Self::Ready(_) => None,
        }
    }
}

/// A form. Typed text stays until the service accepts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form<T> {
    /// The values of the fields.
    pub draft: T,
    /// Whether the form is being sent.
    pub is_sending: bool,
    /// Why it was not accepted.
    pub failure: Option<Failure>,
}

impl<T: PartialEq> Form<T> {
    pub(in crate::core) const fn new(draft: T) -> Self {
        Self { draft, is_sending: false, failure: None }
    }

    /// Empties the form after the service accepted what was sent. Text that was typed meanwhile stays.
    pub(super) fn accept(&mut self, sent: &T, empty: T) {
        (self.is_sending, self.failure) = (false, None);
        if self.draft == *sent {
            self.draft = empty;
        }
    }

    /// Begins to send the form, unless it is being sent. Returns what to send.
    pub(super) fn start(&mut self) -> Option<T>
    where
        T: Clone,
    {
        if self.is_sending {
            return None;
        }
        (self.is_sending, self.failure) = (true, None);
        Some(self.draft.clone())
    }

    pub(super) fn refuse(&mut self, failure: Failure) {
        (self.is_sending, self.failure) = (false, Some(failure));
    }
}

pub(super) fn no_key() -> KeyDraft {
    KeyDraft { name: String::new(), scopes: full_access(), expires_in_days: None, code: None }
}

pub(super) const fn no_member() -> MemberDraft {
    MemberDraft { email: String::new(), name: String::new(), role: Role::Developer }
}
