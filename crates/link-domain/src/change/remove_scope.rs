//! Removing an object that nothing can decrypt any more.

use crate::change::job::{Job, JobKind};
use crate::change::{Change, Deletion};
use crate::documents::archive::FileHolder;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;

impl ErasureScope {
    /// Removes the object without reading it, for when nothing can decrypt it any more. It emits no events, because the
    /// object's content is unknown.
    pub fn remove(self, owner: &Owner, context: &mut Context) -> Change {
        let mut change = Change::default();
        match self {
            Self::Account(id) => change.deletions.push(Deletion::Account(id)),
            Self::Archive(id) => {
                change.jobs.push(delete_orphans((&id).into(), owner, context));
                change.deletions.push(Deletion::Archive(id));
            }
            Self::Invite(id) => {
                let forget = JobKind::ForgetMail { invite_id: id.clone() };
                change.jobs.push(Job::now(owner, forget, context));
                change.deletions.push(Deletion::Invite(id));
            }
            Self::Form(id) => {
                change.jobs.push(delete_orphans((&id).into(), owner, context));
                change.erasures.push(Self::Form(id));
            }
            Self::Record(_) | Self::Signal(_) => change.erasures.push(self),
        }
        change
    }
}

fn delete_orphans(holder: FileHolder, owner: &Owner, context: &mut Context) -> Job {
    let since = context.now().wall();
    Job::now(owner, JobKind::DeleteOrphans { holder, since }, context)
}

#[cfg(test)]
mod tests {
    use link_types::id::{ArchiveId, FormId, InviteId};

    use super::*;
    use crate::fixture;

    #[test]
    fn removed_scope_schedules_cleanup_outside_the_database() {
        let (owner, mut context) = (fixture::owner(), fixture::context());
        let archive_id = ArchiveId::from_bytes([1; 16]);
        let change = ErasureScope::Archive(archive_id.clone()).remove(&owner, &mut context);
        assert_eq!(change.deletions, [Deletion::Archive(archive_id.clone())]);
        assert_eq!(
            change.jobs[0].kind,
            JobKind::DeleteOrphans { holder: (&archive_id).into(), since: context.now().wall() }
        );

        let form_id = FormId::from_bytes([1; 16]);
        let change = ErasureScope::Form(form_id.clone()).remove(&owner, &mut context);
        assert_eq!(change.erasures, [ErasureScope::Form(form_id.clone())]);
        assert_eq!(
            change.jobs[0].kind,
            JobKind::DeleteOrphans { holder: (&form_id).into(), since: context.now().wall() }
        );

        let invite_id = InviteId::from_bytes([1; 16]);
        let change = ErasureScope::Invite(invite_id.clone()).remove(&owner, &mut context);
        assert_eq!(change.deletions, [Deletion::Invite(invite_id.clone())]);
        assert_eq!(change.jobs[0].kind, JobKind::ForgetMail { invite_id });
    }
}
