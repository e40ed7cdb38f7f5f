//! A tenant's end user.

mod erasing;

pub use erasing::{ERASED_AT_ONCE, UserData};

use std::collections::BTreeMap;

use link_types::event::{EventData, UserCreated};
use link_types::id::UserId;

use crate::change::{Change, Row};
use crate::clock::TenantTime;
use crate::context::Context;
use crate::event::{EventRecord, Subject};
use crate::owner::Owner;

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
    /// Number of events emitted for this user, not counting those of its accounts. It determines their order.
    pub event_count: u64,
}

impl User {
    /// Creates a user and emits USER_CREATED.
    pub fn create(
        owner: Owner,
        reference: Option<String>,
        external_metadata: BTreeMap<String, String>,
        context: &mut Context,
    ) -> (Self, Change) {
        let id = UserId::from_bytes(&owner.tenant, context.uuid());
        let created_at = context.now().tenant();
        let user = Self { id, owner, created_at, reference, external_metadata, event_count: 1 };
        let event = EventRecord::new(
            &user.owner,
            Subject::User(user.id.clone()),
            user.event_count,
            EventData::UserCreated(UserCreated { user_id: user.id.clone() }),
            context,
        );
        let change = Change { rows: vec![Row::User(user.clone())], events: vec![event], ..Change::default() };
        (user, change)
    }
}

impl User {
    /// Returns the user as lists show it: without a link token.
    pub fn view(&self) -> link_types::user::User {
        link_types::user::User {
            id: self.id.clone(),
            created_at: self.created_at.into(),
            reference: self.reference.clone(),
            external_metadata: self.external_metadata.clone(),
        }
    }
}
