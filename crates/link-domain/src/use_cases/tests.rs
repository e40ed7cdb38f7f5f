//! Tests of the changes that the use cases return.

use std::time::Duration;

use link_types::event::EventType;
use link_types::invite::InviteStatus;
use rstest::rstest;

use super::*;
use crate::change::{Change, Row};
use crate::fixture;
use crate::invitations::invite::{Invite, InviteInput};
use crate::invitations::visit::VisitRef;
use crate::linking::account::{Account, Submission};
use crate::linking::link::{Attempt, LinkSession, LinkToken};
use crate::tenancy::quota::Quota;

fn mark_invited() -> (LinkSession, Invite) {
    let invite = fixture::invite().0;
    let visit = VisitRef { invite_id: Some(invite.id.clone()), ..fixture::visit().reference() };
    (LinkSession { visit: Some(visit), ..fixture::session() }, invite)
}

fn start(session: LinkSession, invite: Option<Invite>, submission: Submission) -> (Account, Change) {
    let mut context = fixture::context();
    let (session, attempt, _) = Attempt::enter(session, None, context.now().tenant());
    let target =
        LinkTarget::New { account: fixture::new_account(), accounts: fixture::unused_quota(Quota::Accounts) };
    let stored = StoredLink {
        session: &session,
        attempt,
        target,
        submits: fixture::unused_quota(Quota::Submits),
        invite,
        hosted_link: None,
        visit: None,
    };
    start_link(stored, submission, &mut context).unwrap()
}

#[test]
fn started_link_writes_its_attempt_consent_and_quotas() {
    let (account, change) = start(fixture::session(), None, fixture::submission());
    let of_attempt =
        |row: &Row| matches!(row, Row::Attempt(it) if it.account_id.as_ref() == Some(&account.id));
    assert!(change.rows.iter().any(of_attempt));
    assert!(change.rows.contains(&Row::ConsentCited(fixture::receipt().consent_template_id)));
    assert_eq!(change.rows.iter().filter(|row| matches!(row, Row::QuotaUse(_))).count(), 2);
    assert!(!change.rows.iter().any(|row| matches!(row, Row::InviteAccount { .. })));
}

#[rstest]
#[case::with_a_login(fixture::submission(), false)]
#[case::without_a_login(Submission { login: None, ..fixture::submission() }, true)]
fn invitation_is_linked_once_the_account_connects(#[case] submission: Submission, #[case] linked: bool) {
    let (session, invite) = mark_invited();
    assert_eq!(submission.connects_at_once(), linked);
    let (account, change) = start(session, Some(invite.clone()), submission);
    assert!(change.rows.contains(&Row::InviteAccount { account_id: account.id, invite_id: invite.id }));
    assert_eq!(change.rows.iter().any(|row| matches!(row, Row::Invite(_))), linked);
    assert_eq!(change.events.iter().any(|it| it.event_type == EventType::InviteLinked), linked);
}

#[test]
fn account_of_a_mailed_visit_belongs_to_its_address() {
    let (session, invite) = mark_invited();
    let handed_over = InviteInput::MailHandedOver { mail: 1 };
    let (invite, _) = invite.apply(handed_over, &mut fixture::context()).unwrap();
    let (account, change) = start(session, Some(invite), fixture::submission());
    let is_given = |row: &Row| matches!(row, Row::GivenData(it) if it.scope == account.scope());
    assert!(change.rows.iter().any(is_given));
    let (_, elsewhere) = start(fixture::session(), None, fixture::submission());
    assert!(!elsewhere.rows.iter().any(|row| matches!(row, Row::GivenData(_))));
}

#[test]
fn opened_session_uses_the_token_and_notes_the_invitation() {
    let (session, invite) = mark_invited();
    let mut context = fixture::context();
    let life = Duration::from_secs(60);
    let (token, _) = LinkToken::issue(fixture::owner(), fixture::user_id(), life, &mut context);
    let opened = open_session(token.clone(), session, None, Some(invite), &mut context);
    assert_eq!(opened.session.attempt_id, opened.attempt.id);
    assert!(opened.change.rows.contains(&Row::LinkToken(token)));
    assert!(opened.change.rows.contains(&Row::LinkSession(opened.session)));
    assert!(opened.change.rows.contains(&Row::Attempt(opened.attempt)));
    let is_opened = |row: &Row| matches!(row, Row::Invite(invite) if invite.progress.status == InviteStatus::WidgetOpened);
    assert!(opened.change.rows.iter().any(is_opened));
}
