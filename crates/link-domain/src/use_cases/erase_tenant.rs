//! Erasing all data of a deleted tenant, step by step.

use link_types::id::UserId;

use crate::change::job::{Job, JobKind};
use crate::change::{Change, Deletion};
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::use_cases::erase_user::UserData;

/// The next data of a deleted tenant to erase.
#[derive(Debug)]
pub enum TenantData {
    /// A user with their data.
    User {
        /// Owner of the user.
        owner: Owner,
        /// The user.
        user: UserId,
        /// The user's data, or a part of them.
        data: UserData,
    },
    /// Objects that belong to no user.
    Objects {
        /// Objects with a key, and their owners.
        scopes: Vec<(Owner, ErasureScope)>,
        /// Other objects.
        deletions: Vec<Deletion>,
    },
    /// Nothing: jobs still erase data of users.
    Cleanups,
    /// Rows that need no decision.
    Rows,
}

impl TenantData {
    /// Erases the data.
    pub fn erase(self, context: &mut Context) -> Change {
        match self {
            Self::User { owner, user, data } => {
                let has_more = data.more;
                let mut change = data.erase(&owner, &user, context);
                if has_more {
                    change.jobs.push(Job::now(&owner, JobKind::EraseUser { user_id: user }, context));
                }
                change
            }
            Self::Objects { scopes, deletions } => {
                let mut change = Change { deletions, ..Change::default() };
                for (owner, scope) in scopes {
                    change = change.then(scope.remove(&owner, context));
                }
                change
            }
            Self::Cleanups | Self::Rows => Change::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use link_types::id::RecordId;

    use super::*;
    use crate::fixture;

    #[test]
    fn user_with_much_data_is_erased_by_a_further_job() {
        let (owner, mut context) = (fixture::owner(), fixture::context());
        let user = UserId::from_bytes(&owner.tenant, [1; 16]);
        let data = UserData { more: true, ..UserData::default() };
        let change = TenantData::User { owner: owner.clone(), user: user.clone(), data }.erase(&mut context);
        assert_eq!(change.deletions, [Deletion::User { owner, user_id: user.clone() }]);
        assert_eq!(change.jobs[0].kind, JobKind::EraseUser { user_id: user });
    }

    #[test]
    fn objects_without_a_user_lose_their_keys() {
        let (owner, mut context) = (fixture::owner(), fixture::context());
        let scope = ErasureScope::Record(RecordId::from_bytes([1; 16]));
        let scopes = vec![(owner, scope.clone())];
        let change = TenantData::Objects { scopes, deletions: Vec::new() }.erase(&mut context);
        assert_eq!(change.erasures, [scope]);
    }
}
