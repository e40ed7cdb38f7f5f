use link_types::host::{AccountSubject, Callback, CloseReason, UiEventName};

use super::desk;
use super::stock;
use crate::Effect;
use crate::event::Press;
use crate::generated::message::Message;

#[test]
fn the_host_page_is_told_that_the_account_is_connected() {
    let mut desk = desk::at_connecting();
    let effects = desk.reply_account(2, link_types::link::LinkPhase::Connected {});
    let argument = AccountSubject {
        account_id: stock::account_id(),
        user_id: stock::user_id(2),
        provider_id: stock::provider_id(),
    };
    let key = format!("{}/accountConnected/{}", stock::attempt_id(), stock::account_id());
    assert_eq!(effects, vec![Effect::Tell { key, callback: Callback::AccountConnected(argument) }]);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::ConnectSuccessPageOpened));
}

#[test]
fn done_closes_with_exit() {
    let mut desk = desk::at_success();
    let effects = desk.press(Press::Done);
    assert_eq!(effects, vec![Effect::EndSession, Effect::Close { reason: CloseReason::Exit }]);
}

#[test]
fn the_close_icon_closes_with_close_and_without_asking() {
    let mut desk = desk::at_success();
    let effects = desk.send(crate::Event::CloseRequested);
    assert_eq!(effects, vec![Effect::EndSession, Effect::Close { reason: CloseReason::Close }]);
}

#[test]
fn another_account_can_be_connected_in_the_same_session() {
    let mut desk = desk::at_success();
    assert_eq!(desk.press(Press::ChooseAnother), vec![]);
    assert_eq!(desk.heading(), Message::ProvidersTitle);
}

#[test]
fn a_session_that_ends_after_success_disturbs_nobody() {
    let mut desk = desk::at_success();
    assert_eq!(desk.session_ends(), vec![]);
    assert_eq!(desk.heading(), Message::SuccessTitle);
    assert_eq!(desk.overlay_heading(), None);
}
