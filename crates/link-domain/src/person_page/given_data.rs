//! The data that belongs to a mailbox: what was made in a visit that began with an invitation mailed to it, or in which the
//! person proved its address.
//!
//! A tenant may mistype an address. So the person with a mailbox never sees the other data of the user whom the tenant
//! invited there.

use link_types::Sensitive;

use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;

mod transition;

pub use transition::record_giver;

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
