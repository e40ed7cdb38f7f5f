//! A tenant's end user.

mod transition;
mod user_data;

pub use user_data::{MAX_ERASED_AT_ONCE, UserData, erased_at_once};

use std::collections::BTreeMap;

use link_types::Sensitive;
use link_types::id::UserId;

use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;

/// An end user of a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Identifier of the user.
    pub id: UserId,
    /// Tenant and environment of the user.
    pub owner: Owner,
    /// When the user was created.
    pub created_at: TenantTime,
    /// The tenant's own identifier for the user. Unique per environment.
    pub reference: Option<String>,
    /// Metadata that the tenant stores with the user.
    pub external_metadata: BTreeMap<String, String>,
    /// Address that the person proved in a visit of a link site. Only such a visit creates a user with one.
    pub proven_email: Option<Sensitive>,
    /// Number of events emitted for this user, not counting those of its accounts. It determines their order.
    pub event_count: u64,
}

impl User {
    /// Returns the user as lists show it: without a link token.
    pub fn view(&self) -> link_types::user::User {
        link_types::user::User {
            id: self.id.clone(),
            created_at: self.created_at.into(),
            reference: self.reference.clone(),
            external_metadata: self.external_metadata.clone(),
            proven_email: self.proven_email.as_ref().map(|it| it.expose().to_owned()),
        }
    }
}
