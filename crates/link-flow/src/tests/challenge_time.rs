//! More time for a challenge.

use link_types::challenge::{Challenge, ExtendChallenge};
use link_types::host::UiEventName;
use link_types::problem::ProblemCode;

use super::desk::{self, Desk};
use super::stock;
use crate::Effect;
use crate::event::Refusal;
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::Block;

fn extendable() -> Challenge {
    Challenge { extendable: true, ..stock::code() }
}

fn left(desk: &Desk) -> Option<u32> {
    desk.view()
        .page
        .blocks
        .into_iter()
        .find_map(|block| if let Block::Countdown { left, .. } = block { Some(left) } else { None })
}

#[test]
fn more_time_is_asked_for_and_what_was_typed_stays() {
    let mut desk = desk::at_challenge(extendable());
    desk.wait(100_000);
    let key = desk.view().page.key;
    let effects = desk.choose("/extend");
    let body = ExtendChallenge { challenge_id: stock::challenge_id(1) };
    assert_eq!(effects, vec![Effect::Extend { request: desk.request, account: stock::account_id(), body }]);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::MfaExtended));
    assert!(!desk.field("answer").unwrap().disabled, "who types is not stopped");
    let longer = Challenge { extendable: false, ..extendable() };
    desk.reply_account(3, stock::challenged(longer));
    assert_eq!((left(&desk), desk.view().page.key), (Some(120), key));
    assert_eq!(desk.said(), Some(Message::ChallengeExtended.into()));
    assert_eq!(desk.choose("/extend"), vec![], "the provider allows no more");
}

#[test]
fn more_time_is_offered_aloud_while_there_is_time_to_ask_for_it() {
    let mut desk = desk::at_challenge(extendable());
    desk.wait(60_000);
    assert_eq!(desk.said(), Some(Text::with(Message::ChallengeTimeLow, vec!["1:00".into()])));
    desk.wait(30_000);
    assert_eq!(desk.said(), Some(Text::with(Message::ChallengeTimeLeft, vec!["0:30".into()])));
    let mut desk = desk::at_challenge(stock::code());
    let turn = desk.view().announcement.turn;
    desk.wait(60_000);
    assert_eq!(desk.view().announcement.turn, turn, "where it cannot be had it is not offered");
}

#[test]
fn who_answers_while_more_time_is_asked_for_is_not_held_up() {
    let mut desk = desk::at_challenge(extendable());
    desk.choose("/extend");
    let extension = desk.request;
    desk.submit_code("1234");
    assert_ne!(desk.request, extension);
    assert_eq!(desk.actions().0.label, Message::ChallengeChecking.into());
}

#[test]
fn time_that_was_not_given_is_told_and_may_be_asked_for_again() {
    for (refusal, title) in [
        (Refusal::Unreachable, Message::OfflineTitle),
        (stock::problem(429, ProblemCode::RequestLimitExceeded), Message::BusyTitle),
    ] {
        let mut desk = desk::at_challenge(extendable());
        desk.choose("/extend");
        desk.refuse_account(refusal);
        assert_eq!(desk.notice().unwrap().1, Some(title.into()));
        assert_eq!(desk.choose("/extend").len(), 1);
    }
}

#[test]
fn a_wrong_answer_before_stays_told_when_there_is_more_time() {
    let wrong = Challenge { wrong_answer: true, ..extendable() };
    let mut desk = desk::at_challenge(wrong.clone());
    desk.choose("/extend");
    let key = desk.view().page.key;
    desk.reply_account(3, stock::challenged(wrong));
    assert_eq!(
        (desk.view().page.key, desk.notice().unwrap().1),
        (key, Some(Message::ChallengeWrongTitle.into()))
    );
}

#[test]
fn an_approval_is_waited_for_with_more_time() {
    let mut desk = desk::at_challenge(stock::approval());
    desk.choose("/extend");
    let effects = desk.reply_account(3, stock::challenged(stock::approval()));
    let polls = effects.iter().any(|effect| matches!(effect, Effect::PollAccount { after: 3, .. }));
    assert!(polls, "{effects:?}");
}
