//! The accounts and archives that a caller of the widget's API may work on.

use link_types::archive::ArchiveType;
use link_types::id::UserId;

use crate::account::Account;
use crate::archive::Archive;
use crate::link::HandoffStep;

/// The rows that a widget or a phone may work on: those of its session's user and, on a phone, of the step that was handed off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    user_id: UserId,
    /// The step of a phone. `None` for the computer, which may do every step.
    step: Option<HandoffStep>,
}

impl Reach {
    /// Creates the reach of the computer, or of the phone that continues a step.
    pub const fn new(user_id: UserId, step: Option<HandoffStep>) -> Self {
        Self { user_id, step }
    }

    /// Returns whether the account is in reach.
    pub fn has_account(&self, account: &Account) -> bool {
        let is_of_step = self.step.as_ref().is_none_or(|step| step.has_account(&account.id));
        account.user_id == self.user_id && is_of_step
    }

    /// Returns whether the archive is in reach. An archive that a tenant's server created is not.
    pub fn has_archive(&self, archive: &Archive) -> bool {
        let is_own = archive.user_id == self.user_id && archive.attempt_id.is_some();
        is_own && self.may_upload(archive.archive_type)
    }

    /// Returns whether a document of this kind may be uploaded.
    pub fn may_upload(&self, kind: ArchiveType) -> bool {
        self.step.as_ref().is_none_or(|step| step.accepts(kind))
    }
}
