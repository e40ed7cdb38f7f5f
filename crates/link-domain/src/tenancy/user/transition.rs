//! Creating and changing a user.

use std::collections::BTreeMap;

use link_types::Sensitive;
use link_types::event::{EventData, UserCreated};
use link_types::id::UserId;

use super::User;
use crate::change::transition::{Entity, Transition};
use crate::change::{Change, Row};
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::kernel::subject::Subject;

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
        let user =
            Self { id, owner, created_at, reference, external_metadata, proven_email: None, event_count: 0 };
        let mut transition = Transition::for_entity(user, context);
        let user_id = transition.entity.id.clone();
        transition.emit(EventData::UserCreated(UserCreated { user_id }));
        transition.finish(|user| Row::User(user.clone()))
    }

    /// Replaces the tenant's metadata. Writes nothing if it is the same.
    pub fn with_metadata(self, external_metadata: BTreeMap<String, String>) -> (Self, Change) {
        if self.external_metadata == external_metadata {
            return (self, Change::default());
        }
        let user = Self { external_metadata, ..self };
        let change = Change::row(Row::User(user.clone()));
        (user, change)
    }

    /// Records the address that the person proved, or forgets it. Writes nothing if it is the same.
    pub fn with_proven_email(self, proven_email: Option<Sensitive>) -> Change {
        if self.proven_email == proven_email {
            return Change::default();
        }
        Change::row(Row::User(Self { proven_email, ..self }))
    }
}

impl Entity for User {
    fn owner(&self) -> &Owner {
        &self.owner
    }

    fn subject(&self) -> Subject {
        Subject::User(self.id.clone())
    }

    fn event_count(&mut self) -> &mut u64 {
        &mut self.event_count
    }

    /// Users have no version, because only their tenant changes them.
    fn advance(&mut self, _: TenantTime) {}
}
