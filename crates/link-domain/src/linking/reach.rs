//! The accounts and archives that a caller of the widget's API may work on.

use link_types::archive::ArchiveType;
use link_types::id::{AttemptId, UserId};

use crate::documents::archive::Archive;
use crate::linking::account::Account;
use crate::linking::link::{HandoffStep, LinkSession};

/// The rows that a widget or a phone may work on: the accounts of its session's user, the archives of its session's attempt
/// and, on a phone, only those of the step that was handed off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    user_id: UserId,
    attempt_id: AttemptId,
    /// The step of a phone. `None` for the computer, which may do every step.
    step: Option<HandoffStep>,
}

impl Reach {
    /// Creates the reach of the computer, or of the phone that continues a step.
    pub fn new(session: &LinkSession, step: Option<HandoffStep>) -> Self {
        Self { user_id: session.user_id.clone(), attempt_id: session.attempt_id.clone(), step }
    }

    /// Returns whether the account is in reach.
    pub fn has_account(&self, account: &Account) -> bool {
        let is_of_step = self.step.as_ref().is_none_or(|step| step.has_account(&account.id));
        account.user_id == self.user_id && is_of_step
    }

    /// Returns whether the archive is in reach: the attempt uploads it. A session of another attempt could submit it with
    /// the consent to another link template.
    pub fn has_archive(&self, archive: &Archive) -> bool {
        self.may_revoke(archive) && archive.attempt_id.as_ref() == Some(&self.attempt_id)
    }

    /// Returns whether the person may revoke the archive: they uploaded it, in any attempt. An archive that a tenant's
    /// server created is not theirs.
    pub fn may_revoke(&self, archive: &Archive) -> bool {
        let is_own = archive.user_id == self.user_id && archive.attempt_id.is_some();
        is_own && self.may_upload(archive.archive_type)
    }

    /// Returns whether a document of this kind may be uploaded.
    pub fn may_upload(&self, kind: ArchiveType) -> bool {
        self.step.as_ref().is_none_or(|step| step.accepts(kind))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::fixture;

    fn other_user() -> UserId {
        UserId::from_bytes(&fixture::owner().tenant, [9; 16])
    }

    #[rstest]
    #[case::own_attempt(|_: &mut Archive| {}, true, true)]
    #[case::other_attempt(|it: &mut Archive| it.attempt_id = Some(AttemptId::from_bytes([9; 16])), false, true)]
    #[case::created_by_the_tenant(|it: &mut Archive| it.attempt_id = None, false, false)]
    #[case::other_user(|it: &mut Archive| it.user_id = other_user(), false, false)]
    fn session_reaches_the_archives_of_its_attempt(
        #[case] change: fn(&mut Archive),
        #[case] is_reached: bool,
        #[case] is_revocable: bool,
    ) {
        let mut archive = fixture::archive_with_file(&mut fixture::context());
        let session = LinkSession { attempt_id: archive.attempt_id.clone().unwrap(), ..fixture::session() };
        change(&mut archive);
        let reach = Reach::new(&session, None);
        assert_eq!((reach.has_archive(&archive), reach.may_revoke(&archive)), (is_reached, is_revocable));
    }

    #[test]
    fn phone_reaches_the_kind_that_was_handed_off() {
        let archive = fixture::archive_with_file(&mut fixture::context());
        let session = LinkSession { attempt_id: archive.attempt_id.clone().unwrap(), ..fixture::session() };
        let reaches = |kind| Reach::new(&session, Some(HandoffStep::Upload(kind))).has_archive(&archive);
        assert!(reaches(ArchiveType::Payslip) && !reaches(ArchiveType::BankStatement));
    }
}
