//! A person submits an archive.

use crate::archive::{Archive, ArchiveInput, IllegalArchiveTransition};
use crate::change::Change;
use crate::context::Context;
use crate::invite::{Invite, InviteInput};

/// Submits an archive. `invite` is the invitation in whose visit it was uploaded; it counts as uploaded. A client that
/// lost the response submits again: it gets the archive, and nothing changes.
///
/// # Errors
///
/// [`IllegalArchiveTransition`] if the archive cannot be submitted. Nothing must be written then.
pub fn submit_archive(
    archive: Archive,
    invite: Option<Invite>,
    context: &mut Context,
) -> Result<(Archive, Change), IllegalArchiveTransition> {
    match archive.clone().apply(ArchiveInput::Submit, context) {
        Err(IllegalArchiveTransition::AlreadySubmitted) => Ok((archive, Change::default())),
        Err(refused) => Err(refused),
        Ok((archive, submitted)) => {
            let invited = invite.map(|it| it.note(InviteInput::Uploaded, context)).unwrap_or_default();
            Ok((archive, submitted.then(invited)))
        }
    }
}

#[cfg(test)]
mod tests {
    use link_types::invite::InviteStatus;

    use super::*;
    use crate::change::Row;
    use crate::fixture;

    #[test]
    fn archive_is_submitted_once() {
        let mut context = fixture::context();
        let archive = fixture::uploaded_archive(&mut context);
        let invite = || Some(fixture::invite().0);
        let (submitted, change) = submit_archive(archive, invite(), &mut context).unwrap();
        assert!(submitted.submitted_at.is_some());
        assert_eq!(change.events.len(), 2, "ARCHIVE_STARTED and TASK_STARTED");
        let again = submit_archive(submitted.clone(), invite(), &mut context);
        assert_eq!(again, Ok((submitted, Change::default())));
    }

    #[test]
    fn submitted_archive_completes_its_invitation() {
        let mut context = fixture::context();
        let archive = fixture::uploaded_archive(&mut context);
        let (_, change) = submit_archive(archive, Some(fixture::invite().0), &mut context).unwrap();
        let status = change.rows.iter().find_map(|row| {
            let Row::Invite(invite) = row else { return None };
            Some(invite.progress.status)
        });
        assert_eq!(status, Some(InviteStatus::Uploaded));
    }

    #[test]
    fn revoked_invitation_does_not_stop_an_upload() {
        let mut context = fixture::context();
        let archive = fixture::uploaded_archive(&mut context);
        let (revoked, _) = fixture::invite().0.apply(InviteInput::Revoke, &mut context).unwrap();
        let (submitted, change) = submit_archive(archive, Some(revoked), &mut context).unwrap();
        assert!(submitted.submitted_at.is_some());
        assert!(!change.rows.iter().any(|row| matches!(row, Row::Invite(_))));
    }
}
