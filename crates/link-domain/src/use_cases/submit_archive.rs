//! A person submits an archive.

use link_types::id::LinkSiteSessionId;
use link_types::link::ConsentReceipt;

use crate::change::{Change, Row};
use crate::documents::archive::{Archive, ArchiveInput, IllegalArchiveTransitionError};
use crate::invitations::hosted_link::{HostedLink, HostedLinkInput};
use crate::invitations::invite::{Invite, InviteInput};
use crate::invitations::mailbox::mailbox_of;
use crate::invitations::visit::Visit;
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::linking::consent::GivenIn;
use crate::linking::link::{Handoff, HandoffEnd};
use crate::linking::terms::Terms;
use crate::person_page::given_data;
use crate::tenancy::template::ConsentError;

/// An archive to submit, and the stored state that the submission is checked against.
pub struct StoredSubmission<'a> {
    /// Archive to submit.
    pub archive: Archive,
    /// Session and device that submit it.
    pub given_in: GivenIn,
    /// Terms of the session's link template. `None` if the tenant deleted it.
    pub terms: Option<Terms<'a>>,
    /// Invitation of the session. It counts as uploaded.
    pub invite: Option<Invite>,
    /// Hosted link of the session. It counts as completed.
    pub hosted_link: Option<HostedLink>,
    /// Visit of the session.
    pub visit_id: Option<LinkSiteSessionId>,
    /// The same visit, if it still exists.
    pub visit: Option<Visit>,
    /// Hand-off of the session, if any. The submission of its kind of document ends it.
    pub handoff: Option<Handoff>,
}

/// Reason why an archive is not submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// The archive cannot be submitted.
    #[error(transparent)]
    Archive(#[from] IllegalArchiveTransitionError),
    /// The person must be asked for the consent.
    #[error(transparent)]
    Consent(#[from] ConsentError),
}

/// Submits an archive. An archive with the consent of another session or device needs the consent that the person gave on
/// this one (`receipt`), and keeps that: a tenant's server can open a session itself and create an archive. What an
/// earlier consent to the archive declined stays declined. A client that lost the response submits again: it gets the
/// archive, and nothing changes.
///
/// # Errors
///
/// [`SubmitError`] if the archive cannot be submitted, or the person must consent first. Nothing must be written then.
pub fn submit_archive(
    stored: StoredSubmission<'_>,
    receipt: Option<ConsentReceipt>,
    context: &mut Context,
) -> Result<(Archive, Change), SubmitError> {
    let StoredSubmission { archive, given_in, terms, invite, hosted_link, visit_id, visit, handoff } = stored;
    match archive.clone().apply(ArchiveInput::Submit, context) {
        Err(IllegalArchiveTransitionError::AlreadySubmitted) => Ok((archive, Change::default())),
        Err(refused) => Err(refused.into()),
        Ok(_) => {
            let (archive, cited) = give_consent(archive, receipt, given_in, terms, context.now().tenant())?;
            let handoff = handoff.filter(|it| it.accepts(archive.archive_type));
            let (archive, submitted) = archive.apply(ArchiveInput::Submit, context)?;
            // Files of an archive that was created elsewhere may be another person's.
            let is_of_visit = visit_id.is_some() && archive.visit_id == visit_id;
            let mailbox = mailbox_of(invite.as_ref(), visit.as_ref()).filter(|_| is_of_visit);
            let given = given_data::record_giver(archive.scope(), &archive.owner, mailbox);
            let invited = invite.map(|it| it.note(InviteInput::Uploaded, context)).unwrap_or_default();
            let hosted =
                hosted_link.map(|it| it.note(HostedLinkInput::Complete, context)).unwrap_or_default();
            let handed = handoff.map(|it| it.end(HandoffEnd::Submitted).1).unwrap_or_default();
            Ok((archive, cited.then(submitted).then(given).then(invited).then(hosted).then(handed)))
        }
    }
}

/// Returns the archive with a consent that was given in this session on this device: its own, or that of the receipt,
/// which is the later one. A receipt shares no kind that the archive's consent declines.
fn give_consent(
    archive: Archive,
    receipt: Option<ConsentReceipt>,
    given_in: GivenIn,
    terms: Option<Terms<'_>>,
    now: TenantTime,
) -> Result<(Archive, Change), ConsentError> {
    let earlier = archive.consent.as_ref();
    let is_kept = earlier.is_some_and(|earlier| {
        let is_repeated = receipt.as_ref().is_none_or(|receipt| *receipt == earlier.receipt);
        is_repeated && earlier.given_in.as_ref() == Some(&given_in)
    });
    if is_kept {
        return Ok((archive, Change::default()));
    }
    let (terms, receipt) = terms.zip(receipt).ok_or(ConsentError::Missing)?;
    let consent = terms.read_consent(receipt, now)?.with_place(given_in).not_wider_than(earlier);
    let cited = Change::row(Row::ConsentCited(consent.receipt.consent_template_id.clone()));
    Ok((Archive { consent: Some(consent), ..archive }, cited))
}

#[cfg(test)]
mod tests {
    use DataPointKind::{Incomes, Ratings};
    use link_types::archive::ArchiveType;
    use link_types::data::DataPointKind;
    use link_types::id::LinkSessionId;
    use link_types::invite::InviteStatus;
    use link_types::link::DataChoice;
    use rstest::rstest;

    use super::*;
    use crate::fixture;
    use crate::linking::consent::Consent;
    use crate::linking::link::{HandoffStep, LinkSession};

    /// Returns a complete archive whose consent was given in the session of the fixtures.
    fn upload(context: &mut Context) -> Archive {
        let archive = fixture::archive_with_file(context);
        let consent =
            archive.consent.clone().map(|it| it.with_place(GivenIn::from_session(&fixture::session(), None)));
        Archive { consent, ..archive }
    }

    fn later_session() -> LinkSession {
        LinkSession { id: LinkSessionId::from_bytes([9; 16]), ..fixture::session() }
    }

    fn submit(
        (archive, session): (Archive, &LinkSession),
        (invite, handoff): (Option<Invite>, Option<Handoff>),
        receipt: Option<ConsentReceipt>,
        context: &mut Context,
    ) -> Result<(Archive, Change), SubmitError> {
        let (link, consent) = fixture::templates();
        let terms = Some(Terms { link: &link, consent: &consent });
        let stored = StoredSubmission {
            archive,
            given_in: GivenIn::from_session(session, None),
            terms,
            invite,
            hosted_link: None,
            visit_id: session.visit.as_ref().map(|it| it.id.clone()),
            visit: None,
            handoff,
        };
        submit_archive(stored, receipt, context)
    }

    #[test]
    fn archive_is_submitted_once() {
        let (mut context, session) = (fixture::context(), fixture::session());
        let archive = upload(&mut context);
        let invite = || (Some(fixture::invite().0), None);
        let (after, change) = submit((archive, &session), invite(), None, &mut context).unwrap();
        assert!(after.submitted_at.is_some());
        assert_eq!(change.events.len(), 2, "ARCHIVE_STARTED and TASK_STARTED");
        let again = submit((after.clone(), &later_session()), invite(), None, &mut context);
        assert_eq!(again, Ok((after, Change::default())));
    }

    #[rstest]
    #[case::same_visit(true)]
    #[case::elsewhere(false)]
    fn archive_belongs_to_the_address_if_the_visit_began_it(#[case] is_same: bool) {
        let (mut context, visit) = (fixture::context(), fixture::visit().reference());
        let visit_id = is_same.then(|| visit.id.clone());
        let archive = Archive { visit_id, ..upload(&mut context) };
        let session = LinkSession { visit: Some(visit), ..fixture::session() };
        let handed_over = InviteInput::MailHandedOver { mail: 1 };
        let (invite, _) = fixture::invite().0.apply(handed_over, &mut context).unwrap();
        let (_, change) = submit((archive, &session), (Some(invite), None), None, &mut context).unwrap();
        assert_eq!(change.rows.iter().any(|row| matches!(row, Row::GivenData(_))), is_same);
    }

    #[test]
    fn consent_of_another_session_does_not_count() {
        let mut context = fixture::context();
        let archive = upload(&mut context);
        let stale = Archive {
            consent: archive.consent.clone().map(|it| Consent { given_in: None, ..it }),
            ..archive.clone()
        };
        for archive in [archive, stale] {
            let refused = submit((archive, &later_session()), (None, None), None, &mut context);
            assert_eq!(refused, Err(SubmitError::Consent(ConsentError::Missing)));
        }
    }

    #[test]
    fn consent_of_the_submitting_session_replaces_an_earlier_one() {
        let (mut context, session) = (fixture::context(), later_session());
        let archive = upload(&mut context);
        let (after, change) =
            submit((archive, &session), (None, None), Some(fixture::receipt()), &mut context).unwrap();
        assert_eq!(after.consent.and_then(|it| it.given_in), Some(GivenIn::from_session(&session, None)));
        assert!(change.rows.contains(&Row::ConsentCited(fixture::receipt().consent_template_id)));
    }

    /// Submits an archive with the consent of `earlier_session`, which declined some kinds, and a receipt that declines
    /// others. Returns what is declined then.
    fn declined_after(
        (earlier_session, earlier): (&LinkSession, &[DataPointKind]),
        later: Option<&[DataPointKind]>,
    ) -> Vec<DataPointKind> {
        let (mut context, session) = (fixture::context(), fixture::session());
        let (mut link, consent) = fixture::templates();
        link.template.optional_data = vec![DataPointKind::Incomes, DataPointKind::Ratings];
        let terms = Terms { link: &link, consent: &consent };
        let receipt = |declined: &[DataPointKind]| {
            let choice =
                DataChoice { optional: link.template.optional_data.clone(), declined: declined.to_vec() };
            ConsentReceipt { data_choice: Some(choice), ..fixture::receipt() }
        };
        let given = terms.read_consent(receipt(earlier), context.now().tenant()).unwrap();
        let given = given.with_place(GivenIn::from_session(earlier_session, None));
        let archive = Archive { consent: Some(given), ..upload(&mut context) };
        let terms = Some(terms);
        let stored = StoredSubmission {
            archive,
            given_in: GivenIn::from_session(&session, None),
            terms,
            invite: None,
            hosted_link: None,
            visit_id: None,
            visit: None,
            handoff: None,
        };
        let (after, _) = submit_archive(stored, later.map(receipt), &mut context).unwrap();
        let consent = after.consent.unwrap();
        assert_eq!(consent.given_in, Some(GivenIn::from_session(&session, None)));
        consent.declined_data().kinds().to_vec()
    }

    #[rstest]
    #[case::wider(&[Incomes], &[], &[Incomes])]
    #[case::other(&[Incomes], &[Ratings], &[Incomes, Ratings])]
    #[case::narrower(&[], &[Incomes], &[Incomes])]
    #[case::same(&[Ratings], &[Ratings], &[Ratings])]
    fn what_an_earlier_consent_declined_stays_declined(
        #[case] earlier: &[DataPointKind],
        #[case] later: &[DataPointKind],
        #[case] expected: &[DataPointKind],
        #[values(true, false)] in_this_session: bool,
    ) {
        let earlier_session = if in_this_session { fixture::session() } else { later_session() };
        assert_eq!(declined_after((&earlier_session, earlier), Some(later)), expected);
    }

    #[rstest]
    #[case::computer_and_phone(None, Some(1), false)]
    #[case::phone_and_computer(Some(1), None, false)]
    #[case::two_phones(Some(1), Some(2), false)]
    #[case::one_phone(Some(1), Some(1), true)]
    fn consent_counts_on_the_device_that_gave_it(
        #[case] given: Option<u32>,
        #[case] submitting: Option<u32>,
        #[case] counts: bool,
    ) {
        let (mut context, session) = (fixture::context(), fixture::session());
        let step = HandoffStep::Upload(ArchiveType::Payslip);
        let (first, _, _) = Handoff::create(&session, step.clone(), None, &mut context).unwrap();
        let (second, _, _) = Handoff::create(&session, step, Some(first.clone()), &mut context).unwrap();
        let device = |number: Option<u32>| number.map(|it| if it == 1 { &first } else { &second });
        let archive = upload(&mut context);
        let consent =
            archive.consent.clone().map(|it| it.with_place(GivenIn::from_session(&session, device(given))));
        let archive = Archive { consent, ..archive };
        let (link, consent) = fixture::templates();
        let stored = || StoredSubmission {
            archive: archive.clone(),
            given_in: GivenIn::from_session(&session, device(submitting)),
            terms: Some(Terms { link: &link, consent: &consent }),
            invite: None,
            hosted_link: None,
            visit_id: None,
            visit: None,
            handoff: None,
        };
        let without = submit_archive(stored(), None, &mut context);
        assert_eq!(without.is_ok(), counts);
        let (after, _) = submit_archive(stored(), Some(fixture::receipt()), &mut context).unwrap();
        assert_eq!(
            after.consent.unwrap().given_in,
            Some(GivenIn::from_session(&session, device(submitting)))
        );
    }

    #[test]
    fn consent_of_this_session_stays_without_a_receipt() {
        assert_eq!(declined_after((&fixture::session(), &[Incomes]), None), [Incomes]);
    }

    #[test]
    fn choice_outlives_a_template_that_offers_none() {
        let mut context = fixture::context();
        let archive = upload(&mut context);
        let choice = DataChoice { optional: vec![Incomes], declined: vec![Incomes] };
        let earlier = archive.consent.clone().map(|it| {
            let receipt = ConsentReceipt { data_choice: Some(choice), ..it.receipt };
            Consent { receipt, ..it }
        });
        let archive = Archive { consent: earlier, ..archive };
        let receipt = Some(fixture::receipt());
        let (after, _) = submit((archive, &later_session()), (None, None), receipt, &mut context).unwrap();
        assert_eq!(after.consent.unwrap().declined_data().kinds(), [Incomes]);
    }

    #[test]
    fn consent_to_other_terms_is_rejected() {
        let mut context = fixture::context();
        let archive = upload(&mut context);
        let optional = vec![DataPointKind::Incomes];
        let data_choice = Some(DataChoice { optional, declined: Vec::new() });
        let receipt = ConsentReceipt { data_choice, ..fixture::receipt() };
        let refused = submit((archive, &later_session()), (None, None), Some(receipt), &mut context);
        assert_eq!(refused, Err(SubmitError::Consent(ConsentError::OtherChoice)));
    }

    #[test]
    fn submitted_archive_completes_its_invitation() {
        let (mut context, session) = (fixture::context(), fixture::session());
        let archive = upload(&mut context);
        let invite = (Some(fixture::invite().0), None);
        let (_, change) = submit((archive, &session), invite, None, &mut context).unwrap();
        let status = change.rows.iter().find_map(|row| {
            let Row::Invite(invite) = row else { return None };
            Some(invite.progress.status)
        });
        assert_eq!(status, Some(InviteStatus::Uploaded));
    }

    #[test]
    fn revoked_invitation_does_not_stop_an_upload() {
        let (mut context, session) = (fixture::context(), fixture::session());
        let archive = upload(&mut context);
        let (revoked, _) = fixture::invite().0.apply(InviteInput::Revoke, &mut context).unwrap();
        let (after, change) = submit((archive, &session), (Some(revoked), None), None, &mut context).unwrap();
        assert!(after.submitted_at.is_some());
        assert!(!change.rows.iter().any(|row| matches!(row, Row::Invite(_))));
    }

    #[rstest]
    #[case::handed_off_kind(true)]
    #[case::other_kind(false)]
    fn submission_of_the_handed_off_kind_ends_the_hand_off(#[case] is_kind: bool) {
        let (mut context, session) = (fixture::context(), fixture::session());
        let archive = upload(&mut context);
        let other = ArchiveType::ALL.iter().copied().find(|it| *it != archive.archive_type).unwrap();
        let archive_type = if is_kind { archive.archive_type } else { other };
        let step = HandoffStep::Upload(archive_type);
        let handoff = Handoff::create(&session, step, None, &mut context).unwrap().0;
        let (_, change) = submit((archive, &session), (None, Some(handoff)), None, &mut context).unwrap();
        let ends = change.rows.iter().find_map(|row| {
            let Row::Handoff(handoff) = row else { return None };
            handoff.ended
        });
        assert_eq!(ends, is_kind.then_some(HandoffEnd::Submitted));
    }

    #[test]
    fn repeated_submission_ends_no_later_hand_off() {
        let (mut context, session) = (fixture::context(), fixture::session());
        let archive = upload(&mut context);
        let step = HandoffStep::Upload(archive.archive_type);
        let (after, _) = submit((archive, &session), (None, None), None, &mut context).unwrap();
        let handoff = Handoff::create(&session, step, None, &mut context).unwrap().0;
        let again = submit((after.clone(), &session), (None, Some(handoff)), None, &mut context);
        assert_eq!(again, Ok((after, Change::default())));
    }
}
