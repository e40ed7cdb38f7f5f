use crate::submission::{Answer, AnswerSubmission};
use link_types::LinkErrorCode;
use link_types::challenge::{Challenge, CodeChannel, ResendChallenge};
use link_types::host::UiEventName;
use link_types::link::{ConnectStep, LinkPhase};
use link_types::{Sensitive, problem::ProblemCode};

use super::fixtures;
use super::harness::{self, Harness};
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::view::block::{Action, ActionState, Block, Input};
use crate::view::{FocusTarget, Text};
use crate::{Effect, Event, Secrets};

fn at_code() -> Harness {
    harness::at_challenge(fixtures::code())
}

fn wrong(challenge: Challenge, number: u8, tries_left: u8) -> LinkPhase {
    let id = fixtures::challenge_id(number);
    fixtures::challenge_phase(Challenge { id, wrong_answer: true, tries_left: Some(tries_left), ..challenge })
}

fn countdown(harness: &Harness) -> Option<(Text, u32, u32)> {
    harness.view().page.blocks.into_iter().find_map(|block| {
        if let Block::Countdown { text, left, total } = block { Some((text, left, total)) } else { None }
    })
}

fn resend(harness: &Harness) -> Action {
    harness.actions().1.unwrap()
}

#[test]
fn code_is_single_autofill_field() {
    let harness = at_code();
    let field = harness.field("answer").unwrap();
    assert_eq!(
        (field.input, field.autocomplete.as_str()),
        (Input::OneTimeCode { numeric: true, length: Some(4) }, "one-time-code")
    );
    let sent = Text::with(Message::ChallengeCodeSmsTo, vec!["Seguro Social".into(), "•••• 5678".into()]);
    assert!(format!("{:?}", harness.view()).contains(&format!("{sent:?}")));
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::MfaPageOpened));
}

#[test]
fn code_is_sent_without_spaces() {
    let mut harness = at_code();
    let effects = harness.submit_code(" 12 34 ");
    let answer = Answer::Text { text: Sensitive::new("1234") };
    let body = AnswerSubmission { challenge_id: fixtures::challenge_id(1), answer };
    assert_eq!(
        effects,
        vec![Effect::Answer { request: harness.request, account: fixtures::account_id(), body }]
    );
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::MfaSubmitted));
    assert_eq!(harness.actions().0.state, ActionState::Busy);
}

#[test]
fn malformed_code_is_not_sent() {
    let mut harness = at_code();
    assert_eq!(harness.submit_code("12x"), vec![]);
    assert_eq!(harness.field("answer").unwrap().error, Some(Message::FieldDigits.into()));
    assert_eq!(harness.submit_code(""), vec![]);
    assert_eq!(harness.field("answer").unwrap().error, Some(Message::FieldEmpty.into()));
    assert_eq!(harness.view().focus.target, FocusTarget::Field("answer".to_owned()));
}

#[test]
fn correct_code_leads_to_success() {
    let mut harness = at_code();
    harness.submit_code("1234");
    harness.reply_account(3, LinkPhase::Connected {});
    assert_eq!(harness.heading(), Message::SuccessTitle);
    assert_eq!(harness.callbacks(), ["onAccountCreated", "onAccountConnected"]);
}

#[test]
fn page_stays_while_code_is_checked() {
    let mut harness = at_code();
    let key = harness.view().page.key;
    harness.submit_code("1234");
    let effects = harness.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    let poll = Effect::PollAccount {
        request: harness.request,
        account: fixtures::account_id(),
        after: 3,
        wait_ms: 20_000,
    };
    assert_eq!(effects, vec![poll]);
    assert_eq!((harness.heading(), harness.view().page.key), (Message::ChallengeCodeTitle, key));
    harness.reply_account(4, LinkPhase::Connected {});
    assert_eq!(harness.heading(), Message::SuccessTitle);
}

#[test]
fn wrong_code_clears_field_and_shows_tries_left() {
    let mut harness = at_code();
    let key = harness.view().page.key;
    harness.submit_code("9999");
    harness.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    harness.reply_account(4, wrong(fixtures::code(), 2, 1));
    assert_ne!(harness.view().page.key, key);
    let wrong = Some(Text::with(Message::ChallengeWrongLeft, vec![1.into()]));
    assert_eq!((harness.field("answer").unwrap().error, harness.notice()), (wrong, None), "one message");
    assert_eq!(harness.view().focus.target, FocusTarget::Field("answer".to_owned()));
    let opened = harness.ui_events().into_iter().filter(|name| *name == UiEventName::MfaPageOpened).count();
    assert_eq!(opened, 1, "the page opened only once");
    assert_eq!(harness.callbacks(), ["onAccountCreated"], "a wrong code is not a failure yet");
}

#[test]
fn next_answer_names_new_challenge() {
    let mut harness = at_code();
    harness.submit_code("9999");
    harness.reply_account(3, wrong(fixtures::code(), 2, 1));
    let effects = harness.submit_code("1234");
    let [Effect::Answer { body, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(body.challenge_id, fixtures::challenge_id(2));
}

#[test]
fn too_many_wrong_codes_lead_to_failure() {
    let mut harness = at_code();
    harness.submit_code("9999");
    harness.reply_account(3, fixtures::failed_phase(LinkErrorCode::InvalidMfa));
    assert_eq!(harness.heading(), Message::ErrorInvalidMfaTitle);
}

#[test]
fn countdown_uses_elapsed_time() {
    let mut harness = at_code();
    let time = |text: &str| Text::with(Message::ChallengeTimeLeft, vec![text.into()]);
    let both =
        |text: &str, resend: u32| Text::with(Message::ChallengeTimeBoth, vec![text.into(), resend.into()]);
    assert_eq!(countdown(&harness), Some((both("2:00", 20), 120, 120)));
    let effects = harness.wait(1_000);
    assert_eq!(effects, vec![Effect::StartTimer { timer: harness.timer, after_ms: 1_000 }]);
    assert_eq!(countdown(&harness), Some((both("1:59", 19), 119, 120)));
    harness.wait(54_000);
    assert_eq!(countdown(&harness), Some((time("1:05"), 65, 120)), "includes the tab's sleep");
}

#[test]
fn resend_delay_counts_down_without_a_limit() {
    let harness = harness::at_challenge(Challenge { expires_in_ms: None, ..fixtures::code() });
    let text = Text::with(Message::ChallengeResendWait, vec![20.into()]);
    assert_eq!(countdown(&harness), Some((text, 20, 20)));
}

#[test]
fn code_field_has_focus_and_is_announced() {
    let harness = at_code();
    assert_eq!(harness.view().focus.target, FocusTarget::Field("answer".to_owned()));
    let sent = Text::with(Message::ChallengeCodeSmsTo, vec!["Seguro Social".into(), "•••• 5678".into()]);
    assert_eq!(harness.announcement(), Some(sent));
    let picture = harness::at_challenge(fixtures::image());
    assert_eq!(picture.view().focus.target, FocusTarget::Heading, "a keyboard would hide the picture");
}

#[test]
fn last_30_seconds_are_announced_once() {
    let mut harness = at_code();
    harness.wait(90_000);
    assert_eq!(harness.announcement(), Some(Text::with(Message::ChallengeTimeLeft, vec!["0:30".into()])));
    let turn = harness.view().announcement.turn;
    harness.wait(1_000);
    assert_eq!(harness.view().announcement.turn, turn);
}

#[test]
fn expired_challenge_polls_service() {
    let mut harness = at_code();
    let effects = harness.wait(120_000);
    let poll = Effect::PollAccount {
        request: harness.request,
        account: fixtures::account_id(),
        after: 2,
        wait_ms: 20_000,
    };
    assert_eq!(effects, vec![poll]);
    assert_eq!(countdown(&harness), None);
    harness.reply_account(3, fixtures::failed_phase(LinkErrorCode::MfaTimeout));
    assert_eq!(harness.heading(), Message::ErrorMfaTimeoutTitle);
}

fn poll_after(harness: &harness::Harness, after: u32) -> Effect {
    Effect::PollAccount { request: harness.request, account: fixtures::account_id(), after, wait_ms: 20_000 }
}

#[test]
fn challenge_expired_on_arrival_polls_service() {
    let late = || fixtures::challenge_phase(Challenge { expires_in_ms: Some(0), ..fixtures::code() });
    let mut harness = harness::at_connecting();
    let effects = harness.reply_account(2, late());
    assert!(effects.contains(&poll_after(&harness, 2)), "{effects:?}");

    let mut harness = at_code();
    harness.session_ends();
    harness.send(Event::TokenSet { token: harness::token("second") });
    let effects = harness.reply_session(fixtures::session_with(fixtures::progress(2, late())));
    assert!(effects.contains(&poll_after(&harness, 2)), "{effects:?}");
}

#[test]
fn expiry_during_answer_polls_after_reply() {
    let mut harness = at_code();
    let clock = harness.timer;
    harness.submit_code("1234");
    let request = harness.request;
    harness.send(Event::TimerFired { timer: clock, elapsed_ms: 120_000 });
    let reply = Reply::Account(Err(fixtures::problem(429, ProblemCode::RequestLimitExceeded)));
    let effects = harness.send(Event::Replied { request, reply });
    assert!(effects.contains(&poll_after(&harness, 2)), "{effects:?}");
}

#[test]
fn missing_account_leads_to_provider_list() {
    let gone = || fixtures::problem(404, ProblemCode::MissingResource);
    let mut harness = at_code();
    harness.wait(120_000);
    harness.refuse_account(gone());
    assert_eq!(harness.heading(), Message::ProvidersTitle);
    let mut harness = at_code();
    harness.submit_code("1234");
    harness.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    harness.refuse_account(gone());
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}

#[test]
fn code_can_be_resent_after_cooldown() {
    let mut harness = at_code();
    assert_eq!(resend(&harness).state, ActionState::Off);
    assert_eq!(resend(&harness).label, Message::ChallengeResend.into());
    assert_eq!(harness.press(Press::Resend), vec![], "too early");
    harness.wait(20_000);
    assert_eq!(
        (resend(&harness).state, resend(&harness).label),
        (ActionState::Ready, Message::ChallengeResend.into())
    );
    let effects = harness.press(Press::Resend);
    let body = ResendChallenge { challenge_id: fixtures::challenge_id(1), channel: CodeChannel::Sms };
    assert_eq!(
        effects,
        vec![Effect::Resend { request: harness.request, account: fixtures::account_id(), body }]
    );
}

#[test]
fn resent_code_clears_field_and_restarts_clocks() {
    let mut harness = at_code();
    let key = harness.view().page.key;
    harness.wait(20_000);
    harness.press(Press::Resend);
    harness.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    assert_eq!((harness.heading(), harness.view().page.key), (Message::ChallengeCodeTitle, key));
    assert_eq!((resend(&harness).state, harness.actions().0.state), (ActionState::Busy, ActionState::Off));
    harness.reply_account(
        4,
        fixtures::challenge_phase(Challenge { id: fixtures::challenge_id(2), ..fixtures::code() }),
    );
    assert_eq!(harness.announcement(), Some(Message::ChallengeResent.into()));
    assert_ne!(harness.view().page.key, key);
    assert_eq!(harness.view().focus.target, FocusTarget::Field("answer".to_owned()));
    assert_eq!((countdown(&harness).unwrap().1, resend(&harness).state), (120, ActionState::Off));
    let opened = harness.ui_events().into_iter().filter(|name| *name == UiEventName::MfaPageOpened).count();
    assert_eq!(opened, 1, "the page opened only once");
}

#[test]
fn failed_resend_shows_notice() {
    let mut harness = at_code();
    harness.wait(20_000);
    harness.press(Press::Resend);
    harness.refuse_account(fixtures::problem(429, ProblemCode::RequestLimitExceeded));
    assert_eq!(harness.notice().unwrap().1, Some(Message::BusyTitle.into()));
}

#[test]
fn lost_connection_during_check_shows_notice() {
    let mut harness = at_code();
    harness.submit_code("1234");
    harness.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    for delay_ms in [1_000, 2_000] {
        harness.refuse_account(RequestError::Unreachable);
        harness.wait(delay_ms);
    }
    assert_eq!(harness.notice().unwrap().1, Some(Message::ConnectingLostTitle.into()));
    assert_eq!(harness.announcement(), Some(Message::ConnectingLostTitle.into()));
}

#[test]
fn lost_reply_to_answer_is_looked_up() {
    let mut harness = at_code();
    harness.submit_code("1234");
    let effects = harness.refuse_account(RequestError::Unreachable);
    assert_eq!(effects, vec![Effect::LoadSession { request: harness.request }]);
    harness.reply_session(fixtures::session_with(fixtures::progress(3, LinkPhase::Connected {})));
    assert_eq!(harness.heading(), Message::SuccessTitle);
}

#[test]
fn lost_answer_can_be_sent_again() {
    let mut harness = at_code();
    let key = harness.view().page.key;
    harness.submit_code("1234");
    harness.refuse_account(RequestError::Unreachable);
    harness.reply_session(fixtures::session_with(fixtures::progress(
        2,
        fixtures::challenge_phase(fixtures::code()),
    )));
    let (_, title, text) = harness.notice().unwrap();
    assert_eq!(
        (title, text),
        (Some(Message::ChallengeNotSentTitle.into()), Message::ChallengeNotSentText.into())
    );
    assert_eq!(
        (harness.view().page.key, harness.actions().0.state),
        (key, ActionState::Ready),
        "the text stays"
    );
}

#[test]
fn selected_choice_is_sent() {
    let mut harness = harness::at_challenge(fixtures::choice());
    assert_eq!(harness.choices(), ["mother", "father"]);
    assert_eq!(harness.send(Event::Submitted(Secrets::none())), vec![]);
    assert_eq!(harness.notice().unwrap().2, Message::ChallengeChoiceMissing.into());
    harness.choose("father");
    let selected: Vec<bool> = harness.lists()[0].choices.iter().map(|choice| choice.selected).collect();
    assert_eq!((selected, harness.notice()), (vec![false, true], None));
    let effects = harness.send(Event::Submitted(Secrets::none()));
    let answer = Answer::Choice { value: "father".to_owned() };
    let body = AnswerSubmission { challenge_id: fixtures::challenge_id(1), answer };
    assert_eq!(
        effects,
        vec![Effect::Answer { request: harness.request, account: fixtures::account_id(), body }]
    );
}

#[test]
fn wrong_choice_asks_for_another() {
    let mut harness = harness::at_challenge(fixtures::choice());
    let wrong = Challenge { wrong_answer: true, tries_left: None, ..fixtures::choice() };
    harness.choose("father");
    harness.send(Event::Submitted(Secrets::none()));
    harness.reply_account(3, fixtures::challenge_phase(wrong));
    assert_eq!(harness.notice().unwrap().2, Message::ChallengeWrongChoice.into());
}

#[test]
fn unknown_choice_is_ignored() {
    let mut harness = harness::at_challenge(fixtures::choice());
    harness.choose("neighbour");
    assert_eq!(harness.send(Event::Submitted(Secrets::none())), vec![]);
}

#[test]
fn code_after_choice_is_new_page() {
    let mut harness = harness::at_challenge(fixtures::choice());
    harness.choose("father");
    harness.send(Event::Submitted(Secrets::none()));
    harness.reply_account(3, fixtures::challenge_phase(fixtures::code()));
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::MfaPageOpened));
}

#[test]
fn second_code_starts_with_empty_field() {
    let mut harness = at_code();
    let key = harness.view().page.key;
    harness.submit_code("1234");
    harness.reply_account(
        3,
        fixtures::challenge_phase(Challenge { id: fixtures::challenge_id(2), ..fixtures::code() }),
    );
    assert_ne!(harness.view().page.key, key);
    assert_eq!(harness.notice(), None);
}
