use std::time::Duration;

use link_types::event::EventType;
use link_types::invite::{InviteMailError, InviteStatus};
use rstest::rstest;

use super::*;
use crate::change::job::JobKind;
use crate::change::{Change, Deletion, Row};
use crate::fixture;

const DAY: Duration = Duration::from_secs(86_400);

fn create_invite() -> Invite {
    fixture::invite().0
}

fn after(inputs: &[InviteInput]) -> Invite {
    let mut context = fixture::context();
    inputs.iter().fold(create_invite(), |invite, input| invite.apply(*input, &mut context).unwrap().0)
}

fn types(change: &Change) -> Vec<EventType> {
    change.events.iter().map(|event| event.event_type).collect()
}

const HANDED_OVER: InviteInput = InviteInput::MailHandedOver { mail: 1 };

#[test]
fn invitation_progresses_from_mail_to_linked_account() {
    use InviteInput::*;
    let steps = [HANDED_OVER, MailOpened, LandingOpened, Enter, WidgetOpened, Linked];
    let invite = after(&steps);
    let logged: Vec<_> = invite.progress.logs.iter().map(|log| log.status).collect();
    let expected = [
        InviteStatus::Invited,
        InviteStatus::EmailOpened,
        InviteStatus::LandingPageOpened,
        InviteStatus::WidgetOpened,
        InviteStatus::Linked,
    ];
    assert_eq!(logged, expected);
    assert_eq!((invite.event_count, invite.progress.linked_at), (2, Some(fixture::context().now().tenant())));
}

#[rstest]
#[case::mail(InviteInput::MailHandedOver { mail: 1 }, &[EventType::InviteInvited])]
#[case::pixel(InviteInput::MailOpened, &[])]
#[case::page(InviteInput::LandingOpened, &[])]
#[case::widget(InviteInput::WidgetOpened, &[])]
#[case::linked(InviteInput::Linked, &[EventType::InviteLinked])]
#[case::uploaded(InviteInput::Uploaded, &[])]
fn each_step_emits_its_event_once(#[case] input: InviteInput, #[case] expected: &[EventType]) {
    let mut context = fixture::context();
    let (invite, change) = create_invite().apply(input, &mut context).unwrap();
    assert_eq!(types(&change), expected);
    if input != HANDED_OVER {
        let (again, change) = invite.clone().apply(input, &mut context).unwrap();
        assert_eq!((again, change), (invite, Change::default()), "a repeated input writes nothing");
    }
}

#[test]
fn late_input_does_not_move_the_status_back() {
    let invite = after(&[HANDED_OVER, InviteInput::WidgetOpened, InviteInput::MailOpened]);
    assert_eq!(invite.progress.status, InviteStatus::WidgetOpened);
    assert_eq!(invite.progress.logs.len(), 2);
}

#[test]
fn invite_link_works_once_within_30_days() {
    let used = after(&[InviteInput::Enter]);
    assert_eq!(used.clone().apply(InviteInput::Enter, &mut fixture::context()), Err(InviteError::LinkUsed));
    assert_eq!(used.view("https://h").landing_page_url, None);
    let late = create_invite().apply(InviteInput::Enter, &mut fixture::context_after(30 * DAY));
    assert_eq!(late, Err(InviteError::LinkLapsed));
    assert!(create_invite().view("https://h").landing_page_url.unwrap().starts_with("https://h/invite/"));
}

#[test]
fn linked_invitation_opens_no_further_visits() {
    use InviteInput::*;
    // The mail requested in between has a new link.
    let invite = after(&[Enter, Resend(AskedBy::Tenant), Linked]);
    assert!(!invite.progress.link_used);
    assert_eq!(invite.apply(Enter, &mut fixture::context()), Err(InviteError::Linked));
}

#[test]
fn uploaded_invitation_is_complete_until_the_tenant_resends_it() {
    use InviteInput::*;
    let invite = after(&[Enter, WidgetOpened, Uploaded]);
    assert_eq!(
        (invite.completion(), invite.progress.status),
        (Some(Completion::Uploaded), InviteStatus::Uploaded)
    );
    assert!(!invite.owes_mail(1, invite.progress.asked_at));
    for input in [Enter, Resend(AskedBy::Person)] {
        let result = invite.clone().apply(input, &mut fixture::context_after(DAY));
        assert_eq!(result, Err(InviteError::Uploaded), "{input:?}");
    }
    let (open, _) = invite.apply(Resend(AskedBy::Tenant), &mut fixture::context_after(DAY)).unwrap();
    assert_eq!((open.completion(), open.progress.status), (None, InviteStatus::Uploaded), "never moves back");
    assert!(open.view("https://h").landing_page_url.is_some());
    let (entered, _) = open.apply(Enter, &mut fixture::context_after(DAY)).unwrap();
    let (again, change) = entered.apply(Uploaded, &mut fixture::context_after(DAY)).unwrap();
    assert_eq!(again.completion(), Some(Completion::Uploaded));
    assert_eq!(types(&change), []);
}

#[test]
fn uploaded_invitation_can_still_link_an_account() {
    use InviteInput::*;
    for inputs in [[Enter, Uploaded, Linked], [Enter, Linked, Uploaded]] {
        let invite = after(&inputs);
        assert_eq!(
            (invite.completion(), invite.progress.status),
            (Some(Completion::Linked), InviteStatus::Linked)
        );
        assert!(invite.progress.uploaded_at.is_some());
        let result = invite.apply(Resend(AskedBy::Tenant), &mut fixture::context());
        assert_eq!(result, Err(InviteError::Linked));
    }
}

#[test]
fn mails_per_invitation_are_limited() {
    let again = InviteInput::Resend(AskedBy::Tenant);
    let invite = after(&vec![again; MAX_MAILS as usize - 1]);
    assert_eq!(invite.progress.mails, MAX_MAILS);
    for asked_by in [AskedBy::Tenant, AskedBy::Person] {
        let result = invite.clone().apply(InviteInput::Resend(asked_by), &mut fixture::context_after(DAY));
        assert_eq!(result, Err(InviteError::MailsSpent));
    }
}

#[test]
fn resent_mail_has_a_new_link_only_if_the_old_was_used() {
    let mut later = fixture::context_after(DAY);
    let unused = create_invite();
    let (again, change) = unused.clone().apply(InviteInput::Resend(AskedBy::Tenant), &mut later).unwrap();
    assert_eq!(again.code_hash(), unused.code_hash());
    assert!(change.jobs.iter().any(|job| matches!(job.kind, JobKind::SendInvite { mail: 2, .. })));
    let used = after(&[InviteInput::Enter]);
    let (again, _) = used.clone().apply(InviteInput::Resend(AskedBy::Tenant), &mut later).unwrap();
    assert_ne!(again.code_hash(), used.code_hash());
    let stale = again.apply(HANDED_OVER, &mut later);
    assert_eq!(stale, Err(InviteError::StaleMail));
}

#[test]
fn resend_delay_applies_to_the_person_not_the_tenant() {
    let mut soon = fixture::context_after(Duration::from_secs(59));
    let wait = Duration::from_secs(1);
    let asked = create_invite().apply(InviteInput::Resend(AskedBy::Person), &mut soon);
    assert_eq!(asked, Err(InviteError::TooEarly { wait }));
    assert!(create_invite().apply(InviteInput::Resend(AskedBy::Tenant), &mut soon).is_ok());
}

#[test]
fn mail_error_is_shown_until_another_mail_is_requested() {
    let error = InviteMailError::Refused;
    let failed = after(&[InviteInput::MailFailed { mail: 1, error }]);
    assert_eq!((failed.progress.mail_error, failed.progress.status), (Some(error), InviteStatus::Invited));
    let again = failed.apply(InviteInput::Resend(AskedBy::Tenant), &mut fixture::context()).unwrap().0;
    assert_eq!(again.progress.mail_error, None);
}

#[test]
fn revoked_invitation_erases_recipient_and_rejects_inputs() {
    let invite = after(&[HANDED_OVER]);
    let (revoked, change) = invite.apply(InviteInput::Revoke, &mut fixture::context()).unwrap();
    assert_eq!((revoked.progress.status, revoked.details.clone()), (InviteStatus::Revoked, None));
    assert_eq!(change.erasures, [revoked.scope()]);
    for input in [InviteInput::Enter, InviteInput::Linked, InviteInput::Revoke, HANDED_OVER] {
        let result = revoked.clone().apply(input, &mut fixture::context());
        assert_eq!(result, Err(InviteError::Revoked), "{input:?}");
    }
}

#[rstest]
#[case::never_opened(&[HANDED_OVER], 90)]
#[case::linked(&[HANDED_OVER, InviteInput::Linked], 60)]
#[case::uploaded(&[HANDED_OVER, InviteInput::Uploaded], 60)]
#[case::revoked(&[HANDED_OVER, InviteInput::Revoke], 60)]
fn invitation_is_deleted_60_days_after_its_end(#[case] inputs: &[InviteInput], #[case] days: u32) {
    let (invite, due_at) = (after(inputs), fixture::context().now().tenant() + DAY * days);
    let early = invite.clone().apply(InviteInput::Expire, &mut fixture::context_after(DAY * (days - 1)));
    assert_eq!(early, Err(InviteError::NotDue { due_at }));
    let (_, change) =
        invite.clone().apply(InviteInput::Expire, &mut fixture::context_after(DAY * days)).unwrap();
    assert_eq!(change.deletions, [Deletion::Invite(invite.id)]);
}

#[test]
fn debug_output_hides_the_recipient() {
    let (invite, change) = fixture::invite();
    assert!(matches!(change.rows.first(), Some(Row::Invite(_))));
    let printed = format!("{invite:?} {change:?} {:?}", invite.view("https://h"));
    assert!(!printed.contains("Ana") && !printed.contains("ana@"), "{printed}");
}

#[test]
fn stored_mail_counts_as_invited_with_error_unverified() {
    let kept = after(&[InviteInput::MailKept { mail: 1 }]);
    assert_eq!(kept.progress.mail_error, Some(InviteMailError::Unverified));
    assert!(kept.progress.invited_at.is_some());
    let (_, change) =
        create_invite().apply(InviteInput::MailKept { mail: 1 }, &mut fixture::context()).unwrap();
    assert_eq!(types(&change), [EventType::InviteInvited]);
}

#[test]
fn counted_mail_clears_the_limited_error() {
    let limited = InviteInput::MailFailed { mail: 1, error: InviteMailError::Limited };
    let counted = after(&[limited, InviteInput::MailCounted { mail: 1 }]);
    assert_eq!((counted.progress.mail_error, counted.progress.counted_mail), (None, 1));
    let stale = create_invite().apply(InviteInput::MailCounted { mail: 2 }, &mut fixture::context());
    assert_eq!(stale, Err(InviteError::StaleMail));
}

#[test]
fn mail_is_pending_while_its_link_is_valid() {
    let invite = create_invite();
    let asked_at = invite.progress.asked_at;
    assert!(invite.owes_mail(1, asked_at));
    assert!(!invite.owes_mail(2, asked_at));
    assert!(!invite.owes_mail(1, asked_at + LINK_LIFE));
    assert!(!after(&[InviteInput::Linked]).owes_mail(1, asked_at));
}
