use link_types::host::{AccountSubject, Callback, CloseReason, UiEventName};

use super::fixtures;
use super::harness;
use crate::Effect;
use crate::event::Press;
use crate::generated::message::Message;

#[test]
fn success_emits_account_connected() {
    let mut harness = harness::at_connecting();
    let effects = harness.reply_account(2, link_types::link::LinkPhase::Connected {});
    let argument = AccountSubject {
        account_id: fixtures::account_id(),
        user_id: fixtures::user_id(2),
        provider_id: fixtures::provider_id(),
    };
    let key = format!("{}/accountConnected/{}", fixtures::attempt_id(), fixtures::account_id());
    assert_eq!(effects, vec![Effect::Emit { key, callback: Callback::AccountConnected(argument) }]);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::ConnectSuccessPageOpened));
}

#[test]
fn done_on_success_page_closes_with_exit() {
    let mut harness = harness::at_success();
    let effects = harness::without_closing_point(harness.press(Press::Done));
    assert_eq!(effects, vec![Effect::EndSession, harness::close(CloseReason::Exit)]);
}

#[test]
fn close_icon_on_success_page_does_not_ask() {
    let mut harness = harness::at_success();
    let effects = harness::without_closing_point(harness.send(crate::Event::CloseRequested));
    assert_eq!(effects, vec![Effect::EndSession, harness::close(CloseReason::Close)]);
}

#[test]
fn success_page_connects_another_account() {
    let mut harness = harness::at_success();
    assert_eq!(harness.press(Press::ChooseAnother), vec![]);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}

#[test]
fn end_of_session_after_success_is_ignored() {
    let mut harness = harness::at_success();
    assert_eq!(harness.session_ends(), vec![]);
    assert_eq!(harness.heading(), Message::SuccessTitle);
    assert_eq!(harness.overlay_heading(), None);
}
