//! Erasing a user with all their data. Small amounts are erased immediately; a job erases the rest in batches. From the
//! first unit of work on, no one can act as the user.

use link_types::id::UserId;

use crate::change::job::{Job, JobKind};
use crate::change::{Change, Deletion};
use crate::documents::archive::{self, Archive, ArchiveInput};
use crate::invitations::invite::{Invite, InviteInput};
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::kernel::source::RevokedBy;
use crate::linking::account::{Account, AccountInput};
use crate::tenancy::user::User;

/// Maximum number of objects that one unit of work erases.
pub const MAX_ERASED_AT_ONCE: usize = 20;

/// Returns the number of resources that one unit of an erasure takes. It halves with each failed attempt, so that objects with
/// very many rows are also erased within the time of a unit.
pub const fn erased_at_once(attempts: u32) -> usize {
    let halved = MAX_ERASED_AT_ONCE >> if attempts < 5 { attempts } else { 5 };
    if halved == 0 { 1 } else { halved }
}

/// A user's data, or as much of it as one unit of work erases.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserData {
    /// Accounts, including tombstones.
    pub accounts: Vec<Account>,
    /// Archives, including tombstones and unsubmitted ones.
    pub archives: Vec<Archive>,
    /// Invitations, including revoked ones.
    pub invites: Vec<Invite>,
    /// Objects that cannot be decrypted any more, or of which only the id is needed.
    pub unopened: Vec<ErasureScope>,
    /// Whether the user has more data.
    pub more: bool,
}

impl User {
    /// Erases the user. From now on, no one can sign in as them. A job erases the data that is not in `user_data`.
    pub fn erase(self, user_data: UserData, context: &mut Context) -> Change {
        let more = user_data.more;
        let mut change = user_data.erase(&self.owner, &self.id, context);
        if more {
            let kind = JobKind::EraseUser { user_id: self.id };
            change.jobs.push(Job::now(&self.owner, kind, context));
        }
        change
    }
}

impl UserData {
    /// Erases these objects of the user. Active objects are revoked first, so that the tenant receives events. No
    /// tombstones remain.
    pub fn erase(self, owner: &Owner, user_id: &UserId, context: &mut Context) -> Change {
        let mut change = Change::default();
        for account in self.accounts {
            let id = account.id.clone();
            // Disconnected accounts reject the input and emit no further events.
            if let Ok((_, revoked)) = account.apply(AccountInput::Revoke { by: RevokedBy::Tenant }, context) {
                change = change.then(revoked);
            }
            change.deletions.push(Deletion::Account(id));
        }
        for archive in self.archives {
            let id = archive.id.clone();
            let ended = match archive.clone().apply(ArchiveInput::Revoke { by: RevokedBy::Tenant }, context) {
                Err(archive::IllegalArchiveTransitionError::NotSubmitted) => {
                    archive.apply(ArchiveInput::Discard, context)
                }
                ended => ended,
            };
            if let Ok((_, revoked)) = ended {
                change = change.then(revoked);
            }
            change.deletions.push(Deletion::Archive(id));
        }
        for invite in self.invites {
            let id = invite.id.clone();
            if let Ok((_, revoked)) = invite.apply(InviteInput::Revoke, context) {
                change = change.then(revoked);
            }
            change.deletions.push(Deletion::Invite(id));
        }
        for thing in self.unopened {
            change = change.then(thing.remove(owner, context));
        }
        // Must be last, because it deletes what the revocations above create, such as tasks of interrupted readings.
        change.deletions.push(Deletion::User { owner: owner.clone(), user_id: user_id.clone() });
        change
    }
}

#[cfg(test)]
mod tests {
    use link_types::id::{ArchiveId, FormId};

    use super::*;
    use crate::fixture;
    use crate::kernel::scope::ErasureScope;

    fn types(change: &Change) -> Vec<&'static str> {
        change.events.iter().map(|event| event.event_type.as_str()).collect()
    }

    fn user(context: &mut Context) -> User {
        User::create(fixture::owner(), Some("ana".into()), Default::default(), context).0
    }

    #[test]
    fn failed_erasures_take_fewer_resources() {
        assert_eq!([0, 1, 2, 3, 4, 5, 99].map(erased_at_once), [20, 10, 5, 2, 1, 1, 1]);
    }

    #[test]
    fn erasing_a_user_emits_events_only_for_active_accounts() {
        let mut context = fixture::context();
        let (live, _) = fixture::begin_account(&mut context);
        let (other, _) = fixture::begin_account(&mut context);
        let (tombstone, _) = other.apply(AccountInput::Revoke { by: RevokedBy::User }, &mut context).unwrap();
        let [live_id, tombstone_id] = [&live, &tombstone].map(|it| it.id.clone());
        let user_data = UserData { accounts: vec![live, tombstone], ..UserData::default() };
        let user = user(&mut context);
        let (owner, user_id) = (user.owner.clone(), user.id.clone());
        let change = user.erase(user_data, &mut context);
        assert_eq!(types(&change), ["ACCOUNT_DISCONNECTED"]);
        let gone = [
            Deletion::AccountLinks(live_id.clone()),
            Deletion::Account(live_id),
            Deletion::Account(tombstone_id),
            Deletion::User { owner, user_id },
        ];
        assert_eq!(change.deletions, gone);
        assert!(change.jobs.iter().all(|job| !matches!(job.kind, JobKind::EraseUser { .. })));
    }

    #[test]
    fn remaining_user_data_is_erased_by_a_job() {
        let mut context = fixture::context();
        let user = user(&mut context);
        let expected = JobKind::EraseUser { user_id: user.id.clone() };
        let form = FormId::from_bytes([1; 16]);
        let unopened = vec![ErasureScope::Form(form.clone())];
        let user_data = UserData { unopened, more: true, ..UserData::default() };
        let change = user.erase(user_data, &mut context);
        let orphans = JobKind::DeleteOrphans { holder: (&form).into(), since: context.now().wall() };
        assert_eq!(change.jobs.iter().map(|job| &job.kind).collect::<Vec<_>>(), [&orphans, &expected]);
        assert_eq!(change.erasures, [ErasureScope::Form(form)]);
    }

    #[test]
    fn undecryptable_archive_is_deleted_with_its_objects() {
        let mut context = fixture::context();
        let user = user(&mut context);
        let archive = ArchiveId::from_bytes([1; 16]);
        let unopened = vec![ErasureScope::Archive(archive.clone())];
        let change = user.erase(UserData { unopened, ..UserData::default() }, &mut context);
        assert_eq!(change.deletions[0], Deletion::Archive(archive.clone()));
        assert_eq!(
            change.jobs[0].kind,
            JobKind::DeleteOrphans { holder: (&archive).into(), since: context.now().wall() }
        );
    }
}
