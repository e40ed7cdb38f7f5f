//! More time for a challenge.

use link_types::challenge::{Challenge, ExtendChallenge};
use link_types::host::UiEventName;
use link_types::problem::ProblemCode;

use super::fixtures;
use super::harness::{self, Harness};
use crate::Effect;
use crate::event::RequestError;
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::Block;

fn extendable() -> Challenge {
    Challenge { extendable: true, ..fixtures::code() }
}

fn time_left(harness: &Harness) -> Option<u32> {
    harness
        .view()
        .page
        .blocks
        .into_iter()
        .find_map(|block| if let Block::Countdown { left, .. } = block { Some(left) } else { None })
}

#[test]
fn extension_keeps_typed_text() {
    let mut harness = harness::at_challenge(extendable());
    harness.wait(100_000);
    let key = harness.view().page.key;
    let effects = harness.choose("/extend");
    let body = ExtendChallenge { challenge_id: fixtures::challenge_id(1) };
    assert_eq!(
        effects,
        vec![Effect::Extend { request: harness.request, account: fixtures::account_id(), body }]
    );
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::MfaExtended));
    assert!(!harness.field("answer").unwrap().disabled, "the person can keep typing");
    let longer = Challenge { extendable: false, ..extendable() };
    harness.reply_account(3, fixtures::challenge_phase(longer));
    assert_eq!((time_left(&harness), harness.view().page.key), (Some(120), key));
    assert_eq!(harness.announcement(), Some(Message::ChallengeExtended.into()));
    assert_eq!(harness.choose("/extend"), vec![], "the provider does not extend it again");
}

#[test]
fn extension_is_announced_in_time() {
    let mut harness = harness::at_challenge(extendable());
    harness.wait(60_000);
    assert_eq!(harness.announcement(), Some(Text::with(Message::ChallengeTimeLow, vec!["1:00".into()])));
    harness.wait(30_000);
    assert_eq!(harness.announcement(), Some(Text::with(Message::ChallengeTimeLeft, vec!["0:30".into()])));
    let mut harness = harness::at_challenge(fixtures::code());
    let turn = harness.view().announcement.turn;
    harness.wait(60_000);
    assert_eq!(harness.view().announcement.turn, turn, "more time is offered only if the provider allows it");
}

#[test]
fn short_challenge_announces_its_time_once() {
    for (extendable, message) in [(false, Message::ChallengeTimeLeft), (true, Message::ChallengeTimeLow)] {
        let short = Challenge { expires_in_ms: Some(15_000), extendable, ..fixtures::code() };
        let mut harness = harness::at_challenge(short);
        harness.wait(1_000);
        assert_eq!(harness.announcement(), Some(Text::with(message, vec!["0:14".into()])));
        let turn = harness.view().announcement.turn;
        harness.wait(1_000);
        assert_eq!(harness.view().announcement.turn, turn);
    }
}

#[test]
fn answer_is_sent_during_extension() {
    let mut harness = harness::at_challenge(extendable());
    harness.choose("/extend");
    let extension = harness.request;
    harness.submit_code("1234");
    assert_ne!(harness.request, extension);
    assert_eq!(harness.actions().0.label, Message::ChallengeChecking.into());
}

#[test]
fn failed_extension_can_be_retried() {
    for (refusal, title) in [
        (RequestError::Unreachable, Message::OfflineTitle),
        (fixtures::problem(429, ProblemCode::RequestLimitExceeded), Message::BusyTitle),
    ] {
        let mut harness = harness::at_challenge(extendable());
        harness.choose("/extend");
        harness.refuse_account(refusal);
        assert_eq!(harness.notice().unwrap().1, Some(title.into()));
        assert_eq!(harness.choose("/extend").len(), 1);
    }
}

#[test]
fn extension_keeps_wrong_answer_notice() {
    let wrong = Challenge { wrong_answer: true, ..extendable() };
    let mut harness = harness::at_challenge(wrong.clone());
    harness.choose("/extend");
    let key = harness.view().page.key;
    harness.reply_account(3, fixtures::challenge_phase(wrong));
    assert_eq!(
        (harness.view().page.key, harness.field("answer").unwrap().error),
        (key, Some(Text::with(Message::ChallengeWrongLeft, vec![3.into()])))
    );
}

#[test]
fn approval_is_polled_after_extension() {
    let mut harness = harness::at_challenge(fixtures::approval());
    harness.choose("/extend");
    let effects = harness.reply_account(3, fixtures::challenge_phase(fixtures::approval()));
    let polls = effects.iter().any(|effect| matches!(effect, Effect::PollAccount { after: 3, .. }));
    assert!(polls, "{effects:?}");
}
