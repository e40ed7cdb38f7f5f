//! The mailbox of the person who makes something in a visit.

use link_types::Sensitive;

use crate::invitations::invite::Invite;
use crate::invitations::visit::Visit;
use crate::notifications::mail::is_mailbox;

/// Returns the mailbox of the person who makes something in a visit: that of the visit's invitation if it was mailed, or that
/// of the address that the person proved.
pub fn mailbox_of(invite: Option<&Invite>, visit: Option<&Visit>) -> Option<Sensitive> {
    let proven = || visit.and_then(|it| it.proof.address());
    invite.and_then(Invite::mail_address).or_else(proven).cloned()
}

impl Invite {
    /// Returns the address that a mail of the invitation was sent to. `None` before it was sent, and after the invitation
    /// was revoked. The link of an invitation without a mail comes from the tenant, and proves no mailbox.
    pub fn mail_address(&self) -> Option<&Sensitive> {
        let address = &self.details.as_ref()?.email_address;
        (self.progress.invited_at.is_some() && is_mailbox(address.expose())).then_some(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::invitations::address_proof::AddressProof;
    use crate::invitations::invite::InviteInput;

    fn send_mail() -> Invite {
        fixture::invite().0.apply(InviteInput::MailHandedOver { mail: 1 }, &mut fixture::context()).unwrap().0
    }

    #[test]
    fn mailbox_is_a_proven_address_or_that_of_a_mailed_invite() {
        let proven = AddressProof::Proven { address: Sensitive::new("bo@example.com") };
        let visit = Visit { proof: proven, ..fixture::visit() };
        let found =
            |invite: Option<&Invite>| mailbox_of(invite, Some(&visit)).map(|it| it.expose().to_owned());
        assert_eq!(found(None).as_deref(), Some("bo@example.com"));
        assert_eq!(found(Some(&send_mail())).as_deref(), Some("ana@example.com"));
        assert_eq!(mailbox_of(None, Some(&fixture::visit())), None);
    }

    #[test]
    fn invitation_without_a_mail_proves_no_mailbox() {
        let (unsent, mut quoted) = (fixture::invite().0, send_mail());
        quoted.details.as_mut().unwrap().email_address = Sensitive::new("\"ana\"@example.com");
        let revoked = send_mail().apply(InviteInput::Revoke, &mut fixture::context()).unwrap().0;
        for invite in [Some(&unsent), Some(&quoted), Some(&revoked), None] {
            assert_eq!(mailbox_of(invite, None), None, "{invite:?}");
        }
    }
}
