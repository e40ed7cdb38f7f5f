//! Applies the outcome of sending an invitation's mail.

use link_types::id::InviteId;
use link_types::invite::InviteMailError;

use crate::change::Change;
use crate::change::job::{Job, JobKind};
use crate::invitations::invite::{Invite, InviteError, InviteInput};
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::notifications::mail::Admission;
use crate::notifications::mail::MailError;

/// The number of attempts to send a mail. The wait doubles from 2 to 256 seconds, about 100 minutes in total.
const ATTEMPTS: u32 = 30;

/// Returns what the invitation learns when its mail is admitted or rejected. `None` if it learns nothing now.
pub const fn mail_admitted(admission: Admission, mail: u32) -> Option<InviteInput> {
    match admission {
        Admission::HandOver { counts: true } => Some(InviteInput::MailCounted { mail }),
        Admission::HandOver { counts: false } | Admission::Keep => None,
        Admission::Suppressed => Some(InviteInput::MailFailed { mail, error: InviteMailError::Suppressed }),
        Admission::Wait => Some(InviteInput::MailFailed { mail, error: InviteMailError::Limited }),
        Admission::NoServer => Some(InviteInput::MailFailed { mail, error: InviteMailError::NoMailServer }),
    }
}

/// Returns what the invitation learns after an attempt to send its mail, or `None` if the mail must be sent again.
/// `was_kept` means that the mail was stored instead of handed over. `attempts` includes this one.
pub const fn mail_sent(
    sent: Result<(), MailError>,
    was_kept: bool,
    mail: u32,
    attempts: u32,
) -> Option<InviteInput> {
    match sent {
        Ok(()) if was_kept => Some(InviteInput::MailKept { mail }),
        Ok(()) => Some(InviteInput::MailHandedOver { mail }),
        Err(MailError::Refused | MailError::NoMailbox) => {
            Some(InviteInput::MailFailed { mail, error: InviteMailError::Refused })
        }
        Err(MailError::Unavailable) if attempts < ATTEMPTS => None,
        Err(MailError::Unavailable) => {
            Some(InviteInput::MailFailed { mail, error: InviteMailError::Unavailable })
        }
    }
}

/// Applies the result of a sent mail to its invitation. If the invitation was deleted or revoked meanwhile, a job
/// deletes the stored copy of the mail.
pub fn record_mail(
    (owner, id): (&Owner, InviteId),
    invite: Option<Invite>,
    input: InviteInput,
    context: &mut Context,
) -> Change {
    match invite.map(|invite| invite.apply(input, context)) {
        None | Some(Err(InviteError::Revoked)) => {
            let forget = Job::now(owner, JobKind::ForgetMail { invite_id: id }, context);
            Change { jobs: vec![forget], ..Change::default() }
        }
        Some(Err(_)) => Change::default(),
        Some(Ok((_, change))) => change,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::change::Row;
    use crate::fixture;

    const SENT: InviteInput = InviteInput::MailHandedOver { mail: 1 };

    const fn fail_mail(error: InviteMailError) -> Option<InviteInput> {
        Some(InviteInput::MailFailed { mail: 1, error })
    }

    #[rstest]
    #[case::counted(Admission::HandOver { counts: true }, Some(InviteInput::MailCounted { mail: 1 }))]
    #[case::retried(Admission::HandOver { counts: false }, None)]
    #[case::kept(Admission::Keep, None)]
    #[case::suppressed(Admission::Suppressed, fail_mail(InviteMailError::Suppressed))]
    #[case::over_a_limit(Admission::Wait, fail_mail(InviteMailError::Limited))]
    fn invitation_records_the_decision_about_its_mail(
        #[case] admission: Admission,
        #[case] expected: Option<InviteInput>,
    ) {
        assert_eq!(mail_admitted(admission, 1), expected);
    }

    #[rstest]
    #[case::handed_over(Ok(()), false, 0, Some(SENT))]
    #[case::kept(Ok(()), true, 0, Some(InviteInput::MailKept { mail: 1 }))]
    #[case::refused(Err(MailError::Refused), false, 0, fail_mail(InviteMailError::Refused))]
    #[case::no_mailbox(Err(MailError::NoMailbox), false, 0, fail_mail(InviteMailError::Refused))]
    #[case::unavailable(Err(MailError::Unavailable), false, 29, None)]
    #[case::unavailable_too_often(
        Err(MailError::Unavailable),
        false,
        30,
        fail_mail(InviteMailError::Unavailable)
    )]
    fn unsent_mail_is_retried_thirty_times(
        #[case] sent: Result<(), MailError>,
        #[case] was_kept: bool,
        #[case] attempts: u32,
        #[case] expected: Option<InviteInput>,
    ) {
        assert_eq!(mail_sent(sent, was_kept, 1, attempts), expected);
    }

    #[test]
    fn sent_mail_is_recorded_in_its_invitation() {
        let invite = fixture::invite().0;
        let (owner, id) = (invite.owner.clone(), invite.id.clone());
        let change = record_mail((&owner, id), Some(invite), SENT, &mut fixture::context());
        assert!(matches!(change.rows.as_slice(), [Row::Invite(it)] if it.progress.invited_at.is_some()));
        assert!(change.jobs.is_empty());
    }

    #[rstest]
    fn stored_copy_is_deleted_if_the_invitation_ended_meanwhile(#[values(false, true)] is_deleted: bool) {
        let mut context = fixture::context();
        let (revoked, _) = fixture::invite().0.apply(InviteInput::Revoke, &mut context).unwrap();
        let (owner, id) = (revoked.owner.clone(), revoked.id.clone());
        let stored = if is_deleted { None } else { Some(revoked) };
        let change = record_mail((&owner, id.clone()), stored, SENT, &mut context);
        assert!(change.rows.is_empty());
        let jobs: Vec<_> = change.jobs.into_iter().map(|job| job.kind).collect();
        assert_eq!(jobs, [JobKind::ForgetMail { invite_id: id }]);
    }

    #[test]
    fn outdated_mail_changes_nothing() {
        let invite = fixture::invite().0;
        let (owner, id) = (invite.owner.clone(), invite.id.clone());
        let stale = InviteInput::MailHandedOver { mail: 2 };
        let change = record_mail((&owner, id), Some(invite), stale, &mut fixture::context());
        assert_eq!(change, Change::default());
    }
}
