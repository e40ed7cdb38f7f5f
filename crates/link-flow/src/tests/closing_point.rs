//! `onClose` names the last page, provider and failure.

use link_types::LinkErrorCode;
use link_types::host::{CloseReason, Closed, UiEventName};
use link_types::link::LinkPhase;

use super::fixtures;
use super::harness::{self, Harness};
use crate::event::Press;
use crate::{Effect, Event};

fn unwrap_closed(effects: &[Effect]) -> Closed {
    match effects.last() {
        Some(Effect::Close { closed }) => closed.clone(),
        last => panic!("not closed: {last:?}"),
    }
}

fn leave(harness: &mut Harness) -> Closed {
    unwrap_closed(&harness.press(Press::Leave))
}

#[test]
fn close_at_consent_names_the_page_only() {
    let expected = Closed {
        reason: CloseReason::Close,
        last_page: Some(UiEventName::ConsentPageOpened),
        provider_id: None,
        error_code: None,
    };
    assert_eq!(leave(&mut harness::at_consent()), expected);
}

#[test]
fn close_before_the_first_page_names_nothing() {
    let mut harness = harness::exchanging();
    assert_eq!(harness.send(Event::CloseRequested), vec![harness::close(CloseReason::Close)]);
}

#[test]
fn close_at_login_names_the_provider() {
    let closed = unwrap_closed(&harness::at_login().send(Event::CloseRequested));
    assert_eq!(closed.last_page, Some(UiEventName::LoginPageOpened));
    assert_eq!(closed.provider_id, Some(fixtures::provider_id()));
}

#[test]
fn question_before_leaving_is_not_a_page() {
    let mut harness = harness::at_login();
    harness.edit("username", "good");
    harness.send(Event::CloseRequested);
    assert_eq!(leave(&mut harness).last_page, Some(UiEventName::LoginPageOpened));
}

#[test]
fn close_after_a_failure_names_its_code() {
    let mut harness = harness::at_failure(LinkErrorCode::ServiceUnavailable);
    let closed = unwrap_closed(&harness.send(Event::CloseRequested));
    assert_eq!(closed.last_page, Some(UiEventName::ConnectErrorPageOpened));
    assert_eq!(closed.error_code, Some(LinkErrorCode::ServiceUnavailable.into()));
    assert_eq!(closed.provider_id, Some(fixtures::provider_id()));
}

#[test]
fn success_after_a_failure_names_no_code() {
    let mut harness = harness::at_failure(LinkErrorCode::InvalidCredentials);
    harness.press(Press::TryAgain);
    harness.submit("password");
    harness.reply_account(3, LinkPhase::Connected {});
    let closed = unwrap_closed(&harness.press(Press::Done));
    assert_eq!((closed.reason, closed.error_code), (CloseReason::Exit, None));
    assert_eq!(closed.last_page, Some(UiEventName::ConnectSuccessPageOpened));
}

#[test]
fn login_at_another_provider_after_retry_has_its_own_point() {
    let mut harness = harness::at_failure(LinkErrorCode::InvalidCredentials);
    harness.press(Press::TryAgain);
    harness.press(Press::Back);
    harness.choose("ph_pension");
    let provider = "ph_pension".parse().unwrap();
    harness.reply_provider(link_types::provider::Provider { id: provider, ..fixtures::provider() });
    let closed = unwrap_closed(&harness.send(Event::CloseRequested));
    assert_eq!(closed.provider_id, Some("ph_pension".parse().unwrap()));
    assert_eq!(closed.error_code, None, "the failure was at the other provider");
}
