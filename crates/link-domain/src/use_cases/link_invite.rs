//! When an invitation counts as linked, and a hosted link as completed.

use crate::change::{Change, Row};
use crate::invitations::hosted_link::{HostedLink, HostedLinkInput};
use crate::invitations::invite::{Invite, InviteInput};
use crate::kernel::context::Context;

/// Invitation and hosted link that an account was started through.
#[derive(Clone, Debug, Default)]
pub struct LinkedThrough {
    /// Invitation of the visit.
    pub invite: Option<Invite>,
    /// Hosted link of the visit.
    pub hosted_link: Option<HostedLink>,
}

/// Adds the transition of what an account was started through to a change of the account. An invitation counts as linked,
/// and a hosted link as completed, if the change connected the account, with or without a login. `find` is called only then.
///
/// # Errors
///
/// The error of `find`.
pub fn with_linked_origin<E>(
    change: Change,
    find: impl FnOnce() -> Result<LinkedThrough, E>,
    context: &mut Context,
) -> Result<Change, E> {
    if !connects_account(&change) {
        return Ok(change);
    }
    let LinkedThrough { invite, hosted_link } = find()?;
    let invited = invite.map(|it| it.note(InviteInput::Linked, context)).unwrap_or_default();
    let hosted = hosted_link.map(|it| it.note(HostedLinkInput::Complete, context)).unwrap_or_default();
    Ok(change.then(invited).then(hosted))
}

/// Returns whether a change connected an account. Every connection adds an entry to the link history.
fn connects_account(change: &Change) -> bool {
    change.rows.iter().any(|row| matches!(row, Row::Linked(_)))
}

#[cfg(test)]
mod tests {
    use link_types::event::EventType;
    use link_types::hosted_link::HostedLinkStatus;

    use super::*;
    use crate::fixture;
    use crate::kernel::source::RevokedBy;
    use crate::linking::account::{Account, AccountInput, Submission};
    use crate::linking::account_source::{SourceState, Step};

    fn link(change: Change, invite: Option<Invite>) -> Change {
        let find = || Ok::<_, ()>(LinkedThrough { invite, hosted_link: None });
        with_linked_origin(change, find, &mut fixture::context()).unwrap()
    }

    fn is_linked(change: &Change) -> bool {
        change.events.iter().any(|it| it.event_type == EventType::InviteLinked)
    }

    fn connect_account() -> (Account, Change) {
        let mut context = fixture::context();
        let (account, _) = fixture::begin_account(&mut context);
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
    fn connected_account_completes_its_hosted_link() {
        let through = LinkedThrough { hosted_link: Some(fixture::opened_hosted_link()), invite: None };
        let find = || Ok::<_, ()>(through);
        let change = with_linked_origin(connect_account().1, find, &mut fixture::context()).unwrap();
        let is_completed =
            |row: &Row| matches!(row, Row::HostedLink(it) if it.status == HostedLinkStatus::Completed);
        assert!(change.rows.iter().any(is_completed));
        assert!(change.events.iter().any(|it| it.event_type == EventType::LinkSessionCompleted));
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
        let (_, begun) = fixture::begin_account(&mut fixture::context());
        let find = || Err("the invitation was read");
        assert_eq!(with_linked_origin(begun.clone(), find, &mut fixture::context()), Ok(begun));
    }

    #[test]
    fn later_change_of_an_account_does_not_read_its_invitation() {
        let (account, _) = connect_account();
        let (_, revoked) =
            account.apply(AccountInput::Revoke { by: RevokedBy::User }, &mut fixture::context()).unwrap();
        let find = || Err("the invitation was read");
        assert_eq!(with_linked_origin(revoked.clone(), find, &mut fixture::context()), Ok(revoked));
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
