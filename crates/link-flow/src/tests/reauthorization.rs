//! Signing in again to a connected account: consent only if it is needed, and only with the login of the account.

use link_types::id::AccountId;
use link_types::link::ConsentReceipt;
use link_types::problem::ProblemCode;
use link_types::template::SyncInterval;
use link_types::uploading::{Linked, ResumePoint};

use super::fixtures;
use super::harness::{self, Harness, token};
use crate::event::{Press, Reply};
use crate::generated::message::Message;
use crate::view::Typed;
use crate::view::block::{Input, Keyboard, Severity};
use crate::{Effect, Event};

fn account_id() -> AccountId {
    AccountId::from_bytes([8; 16])
}

/// Returns a flow after the person pressed "Sign in again" on the account that requires it.
fn again(consent_needed: bool) -> Harness {
    let mut session = fixtures::session();
    session.has_linked = true;
    let mut harness = harness::exchanging();
    harness.reply_session(session);
    let Linked { mut accounts, archives } = fixtures::linked_accounts();
    accounts[1].consent_needed = consent_needed;
    harness.reply(Reply::Linked(Ok(Box::new(Linked { accounts, archives }))));
    harness.choose(account_id().as_str());
    harness.press(Press::SignIn);
    harness
}

/// Returns a flow at the login of an account whose consent covers the terms.
fn at_login() -> Harness {
    let mut harness = again(false);
    harness.reply_provider(provider());
    harness
}

fn provider() -> link_types::provider::Provider {
    link_types::provider::Provider { id: "ph_pension".parse().unwrap(), ..fixtures::provider() }
}

/// Submits a login. Returns the account and the consent that were sent.
fn submit_login(harness: &mut Harness) -> (Option<AccountId>, Option<ConsentReceipt>) {
    harness.edit("username", "good");
    let effects = harness.submit("password");
    let [Effect::StartLink { body, .. }] = &effects[..] else { panic!("{effects:?}") };
    (body.account_id.clone(), body.consent.clone())
}

fn has_typed_name(harness: &Harness) -> bool {
    let typed = Input::Text { value: Typed::new("good"), keyboard: Keyboard::Text };
    harness.field("username").unwrap().input == typed
}

#[test]
fn unchanged_terms_are_not_asked_again() {
    let mut harness = at_login();
    assert_eq!(harness.heading(), Message::LoginTitle);
    assert_eq!(submit_login(&mut harness), (Some(account_id()), None));
    assert_eq!(harness.saved.last().unwrap().account_id, Some(account_id()));
}

#[test]
fn consent_to_another_account_keeps_the_current_one() {
    let mut harness = harness::at_success();
    harness.choose("/accounts");
    harness.reply(Reply::Linked(Ok(Box::new(fixtures::linked_accounts()))));
    harness.choose(account_id().as_str());
    harness.press(Press::SignIn);
    harness.reply_provider(provider());
    assert_eq!(submit_login(&mut harness), (Some(account_id()), None));
}

#[test]
fn changed_terms_are_asked_before_the_login() {
    let mut harness = again(true);
    assert_eq!(harness.heading(), Message::ConsentTitle);
    harness.press(Press::Agree);
    harness.reply_provider(provider());
    assert_eq!(submit_login(&mut harness), (Some(account_id()), Some(fixtures::receipt())));
}

/// Replies that the login of the account failed.
fn fail(harness: &mut Harness, code: link_types::LinkErrorCode) {
    let progress = link_types::link::AccountProgress {
        account_id: account_id(),
        provider_id: provider().id,
        ..fixtures::progress(3, fixtures::failed_phase(code))
    };
    harness.reply(Reply::Account(Ok(Box::new(progress))));
}

#[test]
fn failed_login_is_retried_without_a_consent() {
    let mut harness = at_login();
    submit_login(&mut harness);
    fail(&mut harness, link_types::LinkErrorCode::InvalidCredentials);
    harness.press(Press::TryAgain);
    assert_eq!(harness.heading(), Message::LoginTitle);
    assert_eq!(submit_login(&mut harness), (Some(account_id()), None));
}

#[test]
fn login_of_another_account_stays_on_the_form() {
    let mut harness = at_login();
    submit_login(&mut harness);
    let page = harness.view().page.key;
    harness.refuse_account(fixtures::problem(409, ProblemCode::AccountMismatch));
    let (severity, title, _) = harness.notice().unwrap();
    assert_eq!((severity, title), (Severity::Warning, Some(Message::LoginOtherTitle.into())));
    assert_eq!(harness.announcement(), Some(Message::LoginOtherTitle.into()));
    assert_eq!(harness.view().page.key, page, "the inputs keep the text of the secrets");
    assert!(has_typed_name(&harness));
    assert_eq!(harness.callbacks(), [""; 0]);
    assert_eq!(submit_login(&mut harness), (Some(account_id()), None));
}

#[test]
fn terms_that_changed_meanwhile_are_shown_before_another_try() {
    let mut harness = at_login();
    submit_login(&mut harness);
    let effects = harness.refuse_account(fixtures::problem(409, ProblemCode::ConsentRequired));
    assert_eq!(effects, vec![Effect::LoadSession { request: harness.request }]);
    // A typed login is discarded only after a confirmation.
    for reply in [None, Some(fixtures::session())] {
        if let Some(mut session) = reply {
            session.template.sync_interval = Some(SyncInterval::Daily);
            harness.reply_session(session);
        }
        harness.send(Event::CloseRequested);
        assert_eq!(harness.overlay_heading(), Some(Message::LeaveTitle));
        harness.press(Press::Stay);
    }
    assert_eq!(harness.heading(), Message::ConsentTitle);
    assert_eq!(harness.notice().unwrap().2, Message::ConsentChanged.into());
    harness.press(Press::Agree);
    assert!(has_typed_name(&harness), "the open fields are kept");
    let receipt = ConsentReceipt { sync_interval: Some(SyncInterval::Daily), ..fixtures::receipt() };
    assert_eq!(submit_login(&mut harness), (Some(account_id()), Some(receipt)));
}

#[test]
fn back_returns_to_the_accounts_and_ends_the_reauthorization() {
    let mut harness = at_login();
    harness.press(Press::Back);
    assert_eq!(harness.heading(), Message::AccountsTitle);
    harness.reply(Reply::Linked(Ok(Box::new(fixtures::linked_accounts()))));
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ConsentTitle, "another account needs its own consent");
    harness.press(Press::Agree);
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    harness.choose("mx_social_security");
    harness.reply_provider(fixtures::provider());
    assert_eq!(submit_login(&mut harness), (None, Some(fixtures::receipt())));
}

#[test]
fn other_provider_after_a_failure_needs_a_consent() {
    let mut harness = at_login();
    submit_login(&mut harness);
    fail(&mut harness, link_types::LinkErrorCode::AccountLocked);
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ConsentTitle);
    assert_eq!(harness.flow.context.resume_point.at.account_id, None);
}

#[test]
fn reload_resumes_the_reauthorization() {
    for (consent_needed, heading) in [(false, Message::LoginTitle), (true, Message::ConsentTitle)] {
        let mut session = fixtures::session();
        session.attempt.place = ResumePoint {
            provider_id: Some(provider().id),
            account_id: Some(account_id()),
            ..ResumePoint::default()
        };
        session.attempt.consent_needed = consent_needed;
        let mut harness = harness::exchanging();
        harness.reply_session(session);
        if !consent_needed {
            harness.reply_provider(provider());
        }
        assert_eq!(harness.heading(), heading);
    }
}

#[test]
fn consent_page_opens_again_if_a_new_session_has_other_terms() {
    let mut harness = harness::at_login();
    harness.edit("username", "good");
    harness.session_ends();
    harness.send(Event::TokenSet { token: token("second") });
    let mut session = fixtures::session();
    session.template.sync_interval = Some(SyncInterval::Daily);
    harness.reply_session(session);
    assert_eq!(harness.submit("password"), vec![]);
    assert_eq!(harness.heading(), Message::ConsentTitle);
    assert!(!format!("{:?} {:?}", harness.flow, harness.view()).contains(harness::CANARY));
}

#[test]
fn other_terms_in_a_new_session_end_the_earlier_cover() {
    let mut harness = at_login();
    harness.edit("username", "good");
    harness.session_ends();
    harness.send(Event::TokenSet { token: token("second") });
    let mut session = fixtures::session();
    session.template.sync_interval = Some(SyncInterval::Daily);
    session.attempt.place = harness.saved.last().unwrap().clone();
    session.attempt.consent_needed = true;
    harness.reply_session(session);
    assert_eq!(harness.submit("password"), vec![], "the service would reject the login");
    assert_eq!(harness.heading(), Message::ConsentTitle);
    assert_eq!(harness.notice().unwrap().2, Message::ConsentChanged.into());
}

#[test]
fn stored_account_without_a_provider_is_dropped() {
    let mut session = fixtures::session();
    session.attempt.consent_needed = false;
    session.attempt.place = ResumePoint { account_id: Some(account_id()), ..ResumePoint::default() };
    let mut harness = harness::exchanging();
    harness.reply_session(session);
    assert_eq!(harness.heading(), Message::ConsentTitle);
    assert_eq!(harness.saved.last().unwrap().account_id, None);
}
