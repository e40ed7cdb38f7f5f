//! A person submits an archive.

use crate::archive::{Archive, ArchiveInput, IllegalArchiveTransition};
use crate::change::Change;
use crate::context::Context;
use crate::invite::{Invite, InviteInput};
use crate::link::{Handoff, HandoffEnd};

/// Submits an archive. `invite` is the invitation in whose visit it was uploaded; it counts as uploaded. `phone` is the
/// hand-off of the phone that submits; the submission finishes it. A client that lost the response submits again: it gets
/// the archive, and nothing changes.
///
/// # Errors
///
/// [`IllegalArchiveTransition`] if the archive cannot be submitted. Nothing must be written then.
pub fn submit_archive(
    archive: Archive,
    invite: Option<Invite>,
    phone: Option<Handoff>,
    context: &mut Context,
) -> Result<(Archive, Change), IllegalArchiveTransition> {
    let kind = archive.archive_type;
    let (archive, submitted) = match archive.clone().apply(ArchiveInput::Submit, context) {
        Err(IllegalArchiveTransition::AlreadySubmitted) => (archive, Change::default()),
        Err(refused) => return Err(refused),
        Ok((archive, submitted)) => {
            let invited = invite.map(|it| it.note(InviteInput::Uploaded, context)).unwrap_or_default();
            (archive, submitted.then(invited))
        }
    };
    let finished = phone.filter(|it| it.accepts(kind)).map(|it| it.end(HandoffEnd::Submitted).1);
    Ok((archive, submitted.then(finished.unwrap_or_default())))
}

#[cfg(test)]
mod tests {
    use link_types::archive::ArchiveType;
    use link_types::invite::InviteStatus;
    use rstest::rstest;

    use super::*;
    use crate::change::Row;
    use crate::fixture;
    use crate::link::HandoffStep;

    #[test]
    fn archive_is_submitted_once() {
        let mut context = fixture::context();
        let archive = fixture::uploaded_archive(&mut context);
        let invite = || Some(fixture::invite().0);
        let (submitted, change) = submit_archive(archive, invite(), None, &mut context).unwrap();
        assert!(submitted.submitted_at.is_some());
        assert_eq!(change.events.len(), 2, "ARCHIVE_STARTED and TASK_STARTED");
        let again = submit_archive(submitted.clone(), invite(), None, &mut context);
        assert_eq!(again, Ok((submitted, Change::default())));
    }

    #[test]
    fn submitted_archive_completes_its_invitation() {
        let mut context = fixture::context();
        let archive = fixture::uploaded_archive(&mut context);
        let (_, change) = submit_archive(archive, Some(fixture::invite().0), None, &mut context).unwrap();
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
        let (submitted, change) = submit_archive(archive, Some(revoked), None, &mut context).unwrap();
        assert!(submitted.submitted_at.is_some());
        assert!(!change.rows.iter().any(|row| matches!(row, Row::Invite(_))));
    }

    #[rstest]
    #[case::handed_off_kind(true)]
    #[case::other_kind(false)]
    fn submission_on_the_phone_finishes_its_hand_off(#[case] is_kind: bool) {
        let mut context = fixture::context();
        let archive = fixture::uploaded_archive(&mut context);
        let other = ArchiveType::ALL.iter().copied().find(|it| *it != archive.archive_type).unwrap();
        let archive_type = if is_kind { archive.archive_type } else { other };
        let step = HandoffStep::Upload(archive_type);
        let phone = Handoff::create(&fixture::session(), step, None, &mut context).unwrap().0;
        let (_, change) = submit_archive(archive, None, Some(phone), &mut context).unwrap();
        let ends = change.rows.iter().find_map(|row| {
            let Row::Handoff(handoff) = row else { return None };
            handoff.ended
        });
        assert_eq!(ends, is_kind.then_some(HandoffEnd::Submitted));
    }
}
