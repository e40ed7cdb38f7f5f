//! Which objects belong to a mailbox.

use link_types::Sensitive;

use super::GivenData;
use crate::change::{Change, Deletion, Row};
use crate::invitations::invite::Invite;
use crate::invitations::visit::Visit;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::linking::account::Account;

/// Returns the mailbox of the person who makes something in a visit: that of the visit's invitation if it was mailed, or that
/// of the address that the person proved.
pub fn mailbox_of(invite: Option<&Invite>, visit: Option<&Visit>) -> Option<Sensitive> {
    let proven = || visit.and_then(|it| it.proof.address());
    invite.and_then(Invite::mail_address).or_else(proven).cloned()
}

/// Records that an object was made by the person with a mailbox. Returns an empty change without a mailbox.
pub fn record_giver(scope: ErasureScope, owner: &Owner, mailbox: Option<Sensitive>) -> Change {
    let Some(mailbox) = mailbox else { return Change::default() };
    Change::row(Row::GivenData(GivenData { scope, owner: owner.clone(), mailbox }))
}

/// Returns what changes if a login is submitted for a known account. One that never connected may connect with another
/// person's login, so it then belongs to this mailbox or to none. A connected account accepts only its own
/// login.
pub fn submit_again(account: &Account, mailbox: Option<Sensitive>) -> Change {
    if account.is_connected() {
        return Change::default();
    }
    let deletion = Deletion::GivenToOthers { scope: account.scope(), except: mailbox };
    Change { deletions: vec![deletion], ..Change::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::invitations::address_proof::AddressProof;
    use crate::invitations::invite::InviteInput;
    use crate::linking::account::AccountInput;
    use crate::linking::account_source::{SourceState, Step};

    fn send_mail() -> Invite {
        fixture::invite().0.apply(InviteInput::MailHandedOver { mail: 1 }, &mut fixture::context()).unwrap().0
    }

    fn record_giver_of(scope: ErasureScope, invite: Option<&Invite>) -> Change {
        record_giver(scope, &fixture::owner(), mailbox_of(invite, None))
    }

    #[test]
    fn object_belongs_to_the_mailbox_of_a_proven_address() {
        let proven = AddressProof::Proven { address: Sensitive::new("bo@example.com") };
        let visit = Visit { proof: proven, ..fixture::visit() };
        let found =
            |invite: Option<&Invite>| mailbox_of(invite, Some(&visit)).map(|it| it.expose().to_owned());
        assert_eq!(found(None).as_deref(), Some("bo@example.com"));
        assert_eq!(found(Some(&send_mail())).as_deref(), Some("ana@example.com"));
        assert_eq!(mailbox_of(None, Some(&fixture::visit())), None);
    }

    #[test]
    fn object_belongs_to_the_mailbox_of_a_mailed_invitation() {
        let scope = fixture::begin_account(&mut fixture::context()).0.scope();
        let change = record_giver_of(scope.clone(), Some(&send_mail()));
        let [Row::GivenData(given_data)] = change.rows.as_slice() else { panic!("{change:?}") };
        assert_eq!((&given_data.scope, given_data.mailbox.expose()), (&scope, "ana@example.com"));
        assert!(!format!("{change:?}").contains("ana@"));
    }

    #[test]
    fn invitation_without_a_mail_proves_no_mailbox() {
        let (unsent, mut quoted) = (fixture::invite().0, send_mail());
        quoted.details.as_mut().unwrap().email_address = Sensitive::new("\"ana\"@example.com");
        let revoked = send_mail().apply(InviteInput::Revoke, &mut fixture::context()).unwrap().0;
        let scope = fixture::begin_account(&mut fixture::context()).0.scope();
        for invite in [Some(&unsent), Some(&quoted), Some(&revoked), None] {
            assert_eq!(record_giver_of(scope.clone(), invite), Change::default(), "{invite:?}");
        }
    }

    #[test]
    fn only_an_account_that_never_connected_can_lose_its_mailbox() {
        let mut context = fixture::context();
        let (account, _) = fixture::begin_account(&mut context);
        let mailbox = mailbox_of(Some(&send_mail()), None);
        let taken = submit_again(&account, mailbox).deletions;
        let except = Some(Sensitive::new("ana@example.com"));
        assert_eq!(taken, [Deletion::GivenToOthers { scope: account.scope(), except }]);
        let elsewhere = submit_again(&account, None).deletions;
        assert_eq!(elsewhere, [Deletion::GivenToOthers { scope: account.scope(), except: None }]);
        let step = Step::Connected { state: SourceState::default() };
        let input = AccountInput::Stepped { version: account.version, step, tries: None };
        let (connected, _) = account.apply(input, &mut context).unwrap();
        assert_eq!(submit_again(&connected, None), Change::default());
    }
}
