use link_types::host::{CloseReason, UiEventName};
use link_types::link::LinkPhase;

use super::fixtures;
use super::harness;
use crate::event::Press;
use crate::generated::message::Message;
use crate::view::FocusTarget;
use crate::{Effect, Event};

const CLOSED: [Effect; 2] = [Effect::EndSession, harness::close(CloseReason::Close)];

#[test]
fn close_does_not_ask_if_nothing_is_lost() {
    for mut harness in [harness::at_consent(), harness::at_providers(), harness::at_login()] {
        assert_eq!(harness::without_closing_point(harness.send(Event::CloseRequested)), CLOSED);
    }
}

#[test]
fn close_ends_no_session_before_start() {
    let mut harness = harness::exchanging();
    assert_eq!(harness.send(Event::CloseRequested), vec![harness::close(CloseReason::Close)]);
}

#[test]
fn close_asks_if_text_was_typed() {
    let mut harness = harness::at_login();
    harness.edit("username", "good");
    assert_eq!(harness.send(Event::CloseRequested), vec![]);
    assert_eq!(
        (harness.overlay_heading(), harness.heading()),
        (Some(Message::LeaveTitle), Message::LoginTitle)
    );
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::LeavePageOpened));
    let (stay, leave) = harness.actions();
    assert_eq!((stay.press, leave.unwrap().press), (Press::Stay, Press::Leave));
}

#[test]
fn close_asks_if_secret_was_typed() {
    let mut harness = harness::at_login();
    harness.send(Event::SecretLeft { field: "password".to_owned(), empty: false, stray_space: false });
    assert_eq!(harness.send(Event::CloseRequested), vec![]);
}

#[test]
fn stay_restores_page() {
    let mut harness = harness::at_challenge(fixtures::choice());
    harness.choose("father");
    let page = harness.view().page;
    harness.send(Event::CloseRequested);
    assert_eq!(harness.view().page, page, "the page stays mounted below the overlay");
    harness.press(Press::Stay);
    assert_eq!((harness.view().page, harness.overlay_heading()), (page, None));
    assert_eq!(harness.view().focus.target, FocusTarget::Restore);
}

#[test]
fn leave_button_closes_the_widget() {
    let mut harness = harness::at_challenge(fixtures::code());
    harness.send(Event::CloseRequested);
    assert_eq!(harness::without_closing_point(harness.press(Press::Leave)), CLOSED);
}

#[test]
fn escape_in_leave_dialog_stays() {
    let mut harness = harness::at_connecting();
    harness.send(Event::CloseRequested);
    assert_eq!(harness.send(Event::CloseRequested), vec![]);
    assert_eq!((harness.overlay_heading(), harness.heading()), (None, Message::ConnectingTitle));
}

#[test]
fn screen_continues_below_leave_dialog() {
    let mut harness = harness::at_connecting();
    harness.send(Event::CloseRequested);
    harness.reply_account(2, fixtures::challenge_phase(fixtures::code()));
    assert_eq!(
        (harness.overlay_heading(), harness.heading()),
        (Some(Message::LeaveTitle), Message::ChallengeCodeTitle)
    );
}

#[test]
fn leave_dialog_closes_if_nothing_is_lost() {
    let mut harness = harness::at_connecting();
    harness.send(Event::CloseRequested);
    harness.reply_account(2, LinkPhase::Connected {});
    assert_eq!((harness.overlay_heading(), harness.heading()), (None, Message::SuccessTitle));
    assert_eq!(harness.callbacks(), ["onAccountCreated", "onAccountConnected"]);
}

#[test]
fn end_of_session_replaces_leave_dialog() {
    let mut harness = harness::at_connecting();
    harness.send(Event::CloseRequested);
    harness.session_ends();
    assert_eq!(harness.overlay_heading(), Some(Message::ExpiredTitle));
}

#[test]
fn closed_flow_ignores_events() {
    let mut harness = harness::at_login();
    harness.send(Event::CloseRequested);
    let effects = harness.edit("username", "good");
    assert_eq!(effects, vec![]);
    assert_eq!(harness.send(Event::CloseRequested), vec![]);
    assert_eq!(harness.press(Press::Leave), vec![]);
}
