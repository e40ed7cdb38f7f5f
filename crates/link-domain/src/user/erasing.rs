//! Erasing a user with everything of theirs: at once where that is little, else the rest by a job, so many things at a
//! time. Whoever the user was, nobody can act as them from the first unit on.

use link_types::id::UserId;

use super::User;
use crate::account::{Account, AccountInput};
use crate::archive::{self, Archive, ArchiveInput};
use crate::change::{Change, Deletion, ErasureScope};
use crate::context::Context;
use crate::invite::{Invite, InviteInput};
use crate::job::{Job, JobKind};
use crate::owner::Owner;

/// Things that one unit erases.
pub const ERASED_AT_ONCE: usize = 20;

/// What a user has, or as much of it as one unit erases.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Belongings {
    /// Accounts, tombstones included.
    pub accounts: Vec<Account>,
    /// Archives, tombstones and those not yet submitted included.
    pub archives: Vec<Archive>,
    /// Invitations, revoked ones included.
    pub invites: Vec<Invite>,
    /// Things that cannot be opened any more, or of which nothing but the id is needed.
    pub unopened: Vec<ErasureScope>,
    /// Whether there is more.
    pub more: bool,
}

impl User {
    /// Erases the user: nobody can sign in as them any more. What of theirs is not in `belongings` goes by a job.
    pub fn erase(self, belongings: Belongings, context: &mut Context) -> Change {
        let more = belongings.more;
        let mut change = belongings.erase(&self.owner, &self.id, context);
        if more {
            let kind = JobKind::EraseUser { user_id: self.id };
            change.jobs.push(Job::now(&self.owner, kind, context));
        }
        change
    }
}

impl Belongings {
    /// Erases these things of the user: what is live is revoked first, so that the tenant is told, and no tombstone
    /// stays.
    pub fn erase(self, owner: &Owner, user_id: &UserId, context: &mut Context) -> Change {
        let mut change = Change::default();
        for account in self.accounts {
            let id = account.id.clone();
            // One that is disconnected already is told of no more.
            if let Ok((_, revoked)) = account.apply(AccountInput::Revoke, context) {
                change = change.then(revoked);
            }
            change.deletions.push(Deletion::Account(id));
        }
        for archive in self.archives {
            let id = archive.id.clone();
            let ended = match archive.clone().apply(ArchiveInput::Revoke, context) {
                Err(archive::IllegalTransition::NotSubmitted) => {
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
        // Last: it takes what the ends above left, such as the tasks of readings that were cut off.
        change.deletions.push(Deletion::User { owner: owner.clone(), user_id: user_id.clone() });
        change
    }
}

#[cfg(test)]
mod tests {
    use link_types::id::{ArchiveId, FormId};

    use super::*;
    use crate::fixture;

    fn types(change: &Change) -> Vec<&'static str> {
        change.events.iter().map(|event| event.event_type.as_str()).collect()
    }

    fn user(context: &mut Context) -> User {
        User::create(fixture::owner(), Some("ana".into()), Default::default(), context).0
    }

    #[test]
    fn a_live_account_is_revoked_and_told_of_and_a_tombstone_goes_silently() {
        let mut context = fixture::context();
        let (live, _) = fixture::begun(&mut context);
        let (other, _) = fixture::begun(&mut context);
        let (tombstone, _) = other.apply(AccountInput::Revoke, &mut context).unwrap();
        let gone = [live.id.clone(), tombstone.id.clone()].map(Deletion::Account);
        let belongings = Belongings { accounts: vec![live, tombstone], ..Belongings::default() };
        let user = user(&mut context);
        let (owner, user_id) = (user.owner.clone(), user.id.clone());
        let change = user.erase(belongings, &mut context);
        assert_eq!(types(&change), ["ACCOUNT_DISCONNECTED"]);
        assert_eq!(change.deletions[..2], gone);
        assert_eq!(change.deletions[2..], [Deletion::User { owner, user_id }]);
        assert!(change.jobs.iter().all(|job| !matches!(job.kind, JobKind::EraseUser { .. })));
    }

    #[test]
    fn what_is_left_over_goes_by_a_job() {
        let mut context = fixture::context();
        let user = user(&mut context);
        let owed = JobKind::EraseUser { user_id: user.id.clone() };
        let form = FormId::from_bytes([1; 16]);
        let unopened = vec![ErasureScope::Form(form.clone())];
        let belongings = Belongings { unopened, more: true, ..Belongings::default() };
        let change = user.erase(belongings, &mut context);
        assert_eq!(change.jobs.iter().map(|job| &job.kind).collect::<Vec<_>>(), [&owed]);
        assert_eq!(change.erasures, [ErasureScope::Form(form)]);
    }

    #[test]
    fn an_archive_that_does_not_open_goes_with_its_objects() {
        let mut context = fixture::context();
        let user = user(&mut context);
        let archive = ArchiveId::from_bytes([1; 16]);
        let unopened = vec![ErasureScope::Archive(archive.clone())];
        let change = user.erase(Belongings { unopened, ..Belongings::default() }, &mut context);
        assert_eq!(change.deletions[0], Deletion::Archive(archive.clone()));
        assert_eq!(change.jobs[0].kind, JobKind::SweepFiles { archive_id: archive });
    }
}
