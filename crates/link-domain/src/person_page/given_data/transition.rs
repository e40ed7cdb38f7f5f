//! Which objects belong to a mailbox.

use super::GivenData;
use crate::change::{Change, Deletion, Row};
use crate::invitations::invite::Invite;
use crate::kernel::scope::ErasureScope;
use crate::linking::account::Account;

/// Records that an object was made in a visit of this invitation. Returns an empty change without an invitation that was
/// mailed.
pub fn given(scope: ErasureScope, invite: Option<&Invite>) -> Change {
    let Some((owner, mailbox)) = invite.and_then(|it| Some((&it.owner, it.mailed_to()?))) else {
        return Change::default();
    };
    Change::row(Row::GivenData(GivenData { scope, owner: owner.clone(), mailbox: mailbox.clone() }))
}

/// Returns what changes if a login is submitted for a known account. One that never connected may connect with another
/// person's login, so it then belongs to this invitation's mailbox or to none. A connected account accepts only its own
/// login.
pub fn submitted_again(account: &Account, invite: Option<&Invite>) -> Change {
    if account.is_connected() {
        return Change::default();
    }
    let except = invite.and_then(Invite::mailed_to).cloned();
    Change {
        deletions: vec![Deletion::GivenToOthers { scope: account.scope(), except }],
        ..Change::default()
    }
}

#[cfg(test)]
mod tests {
    use link_types::Sensitive;

    use super::*;
    use crate::fixture;
    use crate::invitations::invite::InviteInput;
    use crate::linking::account::AccountInput;
    use crate::linking::account_source::{SourceState, Step};

    fn send_mail() -> Invite {
        fixture::invite().0.apply(InviteInput::MailHandedOver { mail: 1 }, &mut fixture::context()).unwrap().0
    }

    #[test]
    fn object_belongs_to_the_mailbox_of_a_mailed_invitation() {
        let scope = fixture::begun(&mut fixture::context()).0.scope();
        let change = given(scope.clone(), Some(&send_mail()));
        let [Row::GivenData(given_data)] = change.rows.as_slice() else { panic!("{change:?}") };
        assert_eq!((&given_data.scope, given_data.mailbox.expose()), (&scope, "ana@example.com"));
        assert!(!format!("{change:?}").contains("ana@"));
    }

    #[test]
    fn invitation_without_a_mail_proves_no_mailbox() {
        let (unsent, mut quoted) = (fixture::invite().0, send_mail());
        quoted.details.as_mut().unwrap().email_address = Sensitive::new("\"ana\"@example.com");
        let revoked = send_mail().apply(InviteInput::Revoke, &mut fixture::context()).unwrap().0;
        let scope = fixture::begun(&mut fixture::context()).0.scope();
        for invite in [Some(&unsent), Some(&quoted), Some(&revoked), None] {
            assert_eq!(given(scope.clone(), invite), Change::default(), "{invite:?}");
        }
    }

    #[test]
    fn only_an_account_that_never_connected_can_lose_its_mailbox() {
        let mut context = fixture::context();
        let (account, _) = fixture::begun(&mut context);
        let taken = submitted_again(&account, Some(&send_mail())).deletions;
        let except = Some(Sensitive::new("ana@example.com"));
        assert_eq!(taken, [Deletion::GivenToOthers { scope: account.scope(), except }]);
        let elsewhere = submitted_again(&account, None).deletions;
        assert_eq!(elsewhere, [Deletion::GivenToOthers { scope: account.scope(), except: None }]);
        let step = Step::Connected { state: SourceState::default() };
        let input = AccountInput::Stepped { version: account.version, step, tries: None };
        let (connected, _) = account.apply(input, &mut context).unwrap();
        assert_eq!(submitted_again(&connected, None), Change::default());
    }
}
