use link_types::host::{CloseReason, UiEventName};
use link_types::link::LinkPhase;

use super::desk;
use super::stock;
use crate::event::Press;
use crate::generated::message::Message;
use crate::view::FocusTarget;
use crate::{Effect, Event};

const CLOSED: [Effect; 2] = [Effect::EndSession, Effect::Close { reason: CloseReason::Close }];

#[test]
fn nothing_to_lose_closes_at_once() {
    for mut desk in [desk::at_consent(), desk::at_providers(), desk::at_login()] {
        assert_eq!(desk.send(Event::CloseRequested), CLOSED);
    }
}

#[test]
fn before_there_is_a_session_there_is_none_to_end() {
    let mut desk = desk::exchanging();
    assert_eq!(desk.send(Event::CloseRequested), vec![Effect::Close { reason: CloseReason::Close }]);
}

#[test]
fn typed_text_is_worth_a_question() {
    let mut desk = desk::at_login();
    desk.edit("username", "good");
    assert_eq!(desk.send(Event::CloseRequested), vec![]);
    assert_eq!((desk.overlay_heading(), desk.heading()), (Some(Message::LeaveTitle), Message::LoginTitle));
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::LeavePageOpened));
    let (stay, leave) = desk.actions();
    assert_eq!((stay.press, leave.unwrap().press), (Press::Stay, Press::Leave));
}

#[test]
fn a_typed_secret_is_worth_a_question_too() {
    let mut desk = desk::at_login();
    desk.send(Event::SecretLeft { field: "password".to_owned(), empty: false, stray_space: false });
    assert_eq!(desk.send(Event::CloseRequested), vec![]);
}

#[test]
fn staying_gives_the_page_back_as_it_was() {
    let mut desk = desk::at_challenge(stock::choice());
    desk.choose("father");
    let page = desk.view().page;
    desk.send(Event::CloseRequested);
    assert_eq!(desk.view().page, page, "it stays mounted beneath");
    desk.press(Press::Stay);
    assert_eq!((desk.view().page, desk.overlay_heading()), (page, None));
    assert_eq!(desk.view().focus.target, FocusTarget::Restore);
}

#[test]
fn leaving_closes() {
    let mut desk = desk::at_challenge(stock::code());
    desk.send(Event::CloseRequested);
    assert_eq!(desk.press(Press::Leave), CLOSED);
}

#[test]
fn escape_in_the_question_means_stay() {
    let mut desk = desk::at_connecting();
    desk.send(Event::CloseRequested);
    assert_eq!(desk.send(Event::CloseRequested), vec![]);
    assert_eq!((desk.overlay_heading(), desk.heading()), (None, Message::ConnectingTitle));
}

#[test]
fn the_work_goes_on_beneath_the_question() {
    let mut desk = desk::at_connecting();
    desk.send(Event::CloseRequested);
    desk.reply_account(2, stock::challenged(stock::code()));
    assert_eq!(
        (desk.overlay_heading(), desk.heading()),
        (Some(Message::LeaveTitle), Message::ChallengeCodeTitle)
    );
}

#[test]
fn when_nothing_is_left_to_lose_the_question_goes() {
    let mut desk = desk::at_connecting();
    desk.send(Event::CloseRequested);
    desk.reply_account(2, LinkPhase::Connected {});
    assert_eq!((desk.overlay_heading(), desk.heading()), (None, Message::SuccessTitle));
    assert_eq!(desk.callbacks(), ["onAccountCreated", "onAccountConnected"]);
}

#[test]
fn a_session_that_ends_takes_the_questions_place() {
    let mut desk = desk::at_connecting();
    desk.send(Event::CloseRequested);
    desk.session_ends();
    assert_eq!(desk.overlay_heading(), Some(Message::ExpiredTitle));
}

#[test]
fn after_closing_nothing_happens_any_more() {
    let mut desk = desk::at_login();
    desk.send(Event::CloseRequested);
    let effects = desk.edit("username", "good");
    assert_eq!(effects, vec![]);
    assert_eq!(desk.send(Event::CloseRequested), vec![]);
    assert_eq!(desk.press(Press::Leave), vec![]);
}
