//! When an invitation counts as linked.

use crate::change::{Change, Row};
use crate::invitations::invite::{Invite, InviteInput};
use crate::kernel::context::Context;

/// Adds the transition of an account's invitation to a change of the account. The invitation counts as linked if the
/// change connected the account, with or without a login. `find` reads the invitation that the account was started
/// through; it is called only then.
///
/// # Errors
///
/// The error of `find`.
pub fn with_linked_invite<E>(
    change: Change,
    find: impl FnOnce() -> Result<Option<Invite>, E>,
    context: &mut Context,
) -> Result<Change, E> {
    if !connects_account(&change) {
        return Ok(change);
    }
    let invite = find()?;
    Ok(change.then(invite.map(|it| it.note(InviteInput::Linked, context)).unwrap_or_default()))
}

/// Returns whether a change connected an account. Every connection adds an entry to the link history.
fn connects_account(change: &Change) -> bool {
    change.rows.iter().any(|row| matches!(row, Row::Linked(_)))
}

#[cfg(test)]
mod tests {
    use link_types::event::EventType;

    use super::*;
    use crate::fixture;
    use crate::kernel::source::RevokedBy;
    use crate::linking::account::{Account, AccountInput, Submission};
    use crate::linking::account_source::{SourceState, Step};

    fn link(change: Change, invite: Option<Invite>) -> Change {
        with_linked_invite(change, || Ok::<_, ()>(invite), &mut fixture::context()).unwrap()
    }

    fn is_linked(change: &Change) -> bool {
        change.events.iter().any(|it| it.event_type == EventType::InviteLinked)
    }

    fn connect_account() -> (Account, Change) {
        let mut context = fixture::context();
        let (account, _) = fixture::begun(&mut context);
        let input = AccountInput::Stepped {
            version: account.version,
            step: Step::Connected { state: SourceState::default() },
            tries: None,
        };
        account.apply(input, &mut context).unwrap()
    }

    #[test]
    fn connected_account_links_its_invitation() {
        let invite = fixture::invite().0;
        assert!(is_linked(&link(connect_account().1, Some(invite))));
    }

    #[test]
    fn account_without_a_login_links_its_invitation() {
        let submission = Submission { login: None, ..fixture::submission() };
        let (_, change) =
            Account::begin(fixture::new_account(), submission, &mut fixture::context()).unwrap();
        assert!(is_linked(&link(change, Some(fixture::invite().0))));
    }

    #[test]
    fn unconnected_account_does_not_read_its_invitation() {
        let (_, begun) = fixture::begun(&mut fixture::context());
        let find = || Err("the invitation was read");
        assert_eq!(with_linked_invite(begun.clone(), find, &mut fixture::context()), Ok(begun));
    }

    #[test]
    fn later_change_of_an_account_does_not_read_its_invitation() {
        let (account, _) = connect_account();
        let (_, revoked) =
            account.apply(AccountInput::Revoke { by: RevokedBy::User }, &mut fixture::context()).unwrap();
        let find = || Err("the invitation was read");
        assert_eq!(with_linked_invite(revoked.clone(), find, &mut fixture::context()), Ok(revoked));
    }

    #[test]
    fn missing_or_revoked_invitation_changes_nothing() {
        let (_, change) = connect_account();
        assert_eq!(link(change.clone(), None), change);
        let invite = fixture::invite().0;
        let (revoked, _) = invite.apply(InviteInput::Revoke, &mut fixture::context()).unwrap();
        assert_eq!(link(change.clone(), Some(revoked)), change);
    }
}
