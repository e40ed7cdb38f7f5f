//! A member of a tenant: a person who uses the developer portal.

mod transition;

#[cfg(test)]
mod tests;

use link_types::Sensitive;
use link_types::console::{self, Role};
use link_types::id::{MemberId, TenantId};

use crate::kernel::clock::{TenantTime, Wall};

pub use self::transition::fold_email;

/// Maximum number of members of a tenant.
pub const MEMBERS_LIMIT: usize = 200;

/// A member of a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Identifier of the member.
    pub id: MemberId,
    /// Tenant of the member.
    pub tenant: TenantId,
    /// E-mail address, in lower case. Unique within the tenant. Empty if the member's key is lost.
    pub email: Sensitive,
    /// Name, as other members see it. Empty if the member's key is lost.
    pub name: Sensitive,
    /// Role of the member.
    pub role: Role,
    /// When the member was invited.
    pub created_at: Wall,
}

/// Reason why a member cannot be invited, changed or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemberError {
    /// The text is not an e-mail address.
    #[error("not an e-mail address")]
    Email,
    /// The name is empty, too long, or contains control characters.
    #[error("the name must have 1 to 80 characters")]
    Name,
    /// The tenant already has a member with this e-mail address.
    #[error("a member with this e-mail address exists")]
    Exists,
    /// The tenant has the maximum number of members.
    #[error("the limit of {MEMBERS_LIMIT} members is reached")]
    Limit,
    /// The tenant would have no owner.
    #[error("a tenant must keep one owner")]
    LastOwner,
}

impl Member {
    /// Returns the member as the portal shows it.
    pub fn view(&self) -> console::Member {
        console::Member {
            id: self.id.clone(),
            email: self.email.expose().to_owned(),
            name: self.name.expose().to_owned(),
            role: self.role,
            created_at: TenantTime::from_micros(self.created_at.micros()).into(),
        }
    }
}
