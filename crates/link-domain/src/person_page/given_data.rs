//! The data that belongs to a mailbox: what was made in a visit that began with an invitation mailed to it, or in which the
//! person proved its address.
//!
//! A tenant may mistype an address. So the person with a mailbox never sees the other data of the user whom the tenant
//! invited there.

use link_types::Sensitive;

use crate::invitations::invite::Invite;
use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::linking::account::{Account, AccountState, PENDING_LIFE};
use crate::notifications::mail::is_mailbox;

mod transition;

pub use transition::{mailbox_of, record_giver, submit_again};

/// The mailbox that an account, archive or form submission belongs to. It is stored as long as the object has data. The
/// store keeps only a keyed hash of the address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenData {
    /// Scope of the object.
    pub scope: ErasureScope,
    /// Tenant and environment of the object.
    pub owner: Owner,
    /// Address of the mailbox.
    pub mailbox: Sensitive,
}

impl Invite {
    /// Returns the address that a mail of the invitation was sent to. `None` before it was sent, and after the invitation
    /// was revoked. The link of an invitation without a mail comes from the tenant, and proves no mailbox.
    pub fn mail_address(&self) -> Option<&Sensitive> {
        let address = &self.details.as_ref()?.email_address;
        (self.progress.invited_at.is_some() && is_mailbox(address.expose())).then_some(address)
    }
}

impl Account {
    /// Returns until when the account's data is kept if nothing more happens.
    pub fn kept_until(&self) -> TenantTime {
        match &self.state {
            AccountState::Linking(_) => self.updated_at + PENDING_LIFE,
            AccountState::Connected(_) | AccountState::Disconnected(_) => self.data_ends_at(),
        }
    }
}
