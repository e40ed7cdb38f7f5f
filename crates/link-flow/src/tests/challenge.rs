use crate::submission::{Answer, AnswerSubmission};
use link_types::LinkErrorCode;
use link_types::challenge::{Challenge, CodeChannel, ResendChallenge};
use link_types::host::UiEventName;
use link_types::link::{ConnectStep, LinkPhase};
use link_types::{Sensitive, problem::ProblemCode};

use super::desk::{self, Desk};
use super::stock;
use crate::event::{Press, Refusal, Reply};
use crate::generated::message::Message;
use crate::view::block::{Action, ActionState, Block, Input};
use crate::view::{FocusTarget, Text};
use crate::{Effect, Event, Secrets};

fn at_code() -> Desk {
    desk::at_challenge(stock::code())
}

fn wrong(challenge: Challenge, number: u8, tries_left: u8) -> LinkPhase {
    let id = stock::challenge_id(number);
    stock::challenged(Challenge { id, wrong_answer: true, tries_left: Some(tries_left), ..challenge })
}

fn countdown(desk: &Desk) -> Option<(Text, u32, u32)> {
    desk.view().page.blocks.into_iter().find_map(|block| {
        if let Block::Countdown { text, left, total } = block { Some((text, left, total)) } else { None }
    })
}

fn resend(desk: &Desk) -> Action {
    desk.actions().1.unwrap()
}

#[test]
fn a_code_is_one_field_for_autofill() {
    let desk = at_code();
    let field = desk.field("answer").unwrap();
    assert_eq!(
        (field.input, field.autocomplete.as_str()),
        (Input::OneTimeCode { numeric: true }, "one-time-code")
    );
    let sent = Text::with(Message::ChallengeCodeSmsTo, vec!["Seguro Social".into(), "•••• 5678".into()]);
    assert!(format!("{:?}", desk.view()).contains(&format!("{sent:?}")));
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::MfaPageOpened));
}

#[test]
fn a_code_is_sent_without_the_spaces_it_is_printed_with() {
    let mut desk = at_code();
    let effects = desk.submit_code(" 12 34 ");
    let answer = Answer::Text { text: Sensitive::new("1234") };
    let body = AnswerSubmission { challenge_id: stock::challenge_id(1), answer };
    assert_eq!(effects, vec![Effect::Answer { request: desk.request, account: stock::account_id(), body }]);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::MfaSubmitted));
    assert_eq!(desk.actions().0.state, ActionState::Busy);
}

#[test]
fn what_cannot_be_a_code_is_not_sent() {
    let mut desk = at_code();
    assert_eq!(desk.submit_code("12x"), vec![]);
    assert_eq!(desk.field("answer").unwrap().error, Some(Message::FieldDigits.into()));
    assert_eq!(desk.submit_code(""), vec![]);
    assert_eq!(desk.field("answer").unwrap().error, Some(Message::FieldEmpty.into()));
    assert_eq!(desk.view().focus.target, FocusTarget::Field("answer".to_owned()));
}

#[test]
fn a_right_code_leads_to_success() {
    let mut desk = at_code();
    desk.submit_code("1234");
    desk.reply_account(3, LinkPhase::Connected {});
    assert_eq!(desk.heading(), Message::SuccessTitle);
    assert_eq!(desk.callbacks(), ["onAccountCreated", "onAccountConnected"]);
}

#[test]
fn the_page_stays_while_the_provider_checks_the_code() {
    let mut desk = at_code();
    let key = desk.view().page.key;
    desk.submit_code("1234");
    let effects = desk.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    let poll = Effect::PollAccount {
        request: desk.request,
        account: stock::account_id(),
        after: 3,
        wait_ms: 20_000,
    };
    assert_eq!(effects, vec![poll]);
    assert_eq!((desk.heading(), desk.view().page.key), (Message::ChallengeCodeTitle, key));
    desk.reply_account(4, LinkPhase::Connected {});
    assert_eq!(desk.heading(), Message::SuccessTitle);
}

#[test]
fn a_wrong_code_empties_the_field_and_says_how_many_tries_are_left() {
    let mut desk = at_code();
    let key = desk.view().page.key;
    desk.submit_code("9999");
    desk.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    desk.reply_account(4, wrong(stock::code(), 2, 1));
    assert_ne!(desk.view().page.key, key);
    assert_eq!(desk.notice().unwrap().2, Text::with(Message::ChallengeWrongLeft, vec![1.into()]));
    assert_eq!(desk.field("answer").unwrap().error, Some(Message::ChallengeWrong.into()));
    assert_eq!(desk.view().focus.target, FocusTarget::Field("answer".to_owned()));
    let opened = desk.ui_events().into_iter().filter(|name| *name == UiEventName::MfaPageOpened).count();
    assert_eq!(opened, 1, "it is the same page");
    assert_eq!(desk.callbacks(), ["onAccountCreated"], "a wrong code is no failure yet");
}

#[test]
fn the_next_answer_goes_to_the_new_challenge() {
    let mut desk = at_code();
    desk.submit_code("9999");
    desk.reply_account(3, wrong(stock::code(), 2, 1));
    let effects = desk.submit_code("1234");
    let [Effect::Answer { body, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(body.challenge_id, stock::challenge_id(2));
}

#[test]
fn too_many_wrong_codes_end_in_the_error_page() {
    let mut desk = at_code();
    desk.submit_code("9999");
    desk.reply_account(3, stock::failed(LinkErrorCode::InvalidMfa));
    assert_eq!(desk.heading(), Message::ErrorInvalidMfaTitle);
}

#[test]
fn time_runs_by_the_bodys_clock() {
    let mut desk = at_code();
    let time = |text: &str| Text::with(Message::ChallengeTimeLeft, vec![text.into()]);
    assert_eq!(countdown(&desk), Some((time("2:00"), 120, 120)));
    let effects = desk.wait(1_000);
    assert_eq!(effects, vec![Effect::StartTimer { timer: desk.timer, after_ms: 1_000 }]);
    assert_eq!(countdown(&desk), Some((time("1:59"), 119, 120)));
    desk.wait(54_000);
    assert_eq!(countdown(&desk), Some((time("1:05"), 65, 120)), "the tab had slept");
}

#[test]
fn the_last_half_minute_is_announced_once() {
    let mut desk = at_code();
    desk.wait(90_000);
    assert_eq!(desk.said(), Some(Text::with(Message::ChallengeTimeLeft, vec!["0:30".into()])));
    let turn = desk.view().announcement.turn;
    desk.wait(1_000);
    assert_eq!(desk.view().announcement.turn, turn);
}

#[test]
fn when_time_is_over_the_service_is_asked_what_became_of_it() {
    let mut desk = at_code();
    let effects = desk.wait(120_000);
    let poll = Effect::PollAccount {
        request: desk.request,
        account: stock::account_id(),
        after: 2,
        wait_ms: 20_000,
    };
    assert_eq!(effects, vec![poll]);
    assert_eq!(countdown(&desk), None);
    desk.reply_account(3, stock::failed(LinkErrorCode::MfaTimeout));
    assert_eq!(desk.heading(), Message::ErrorMfaTimeoutTitle);
}

fn poll_after(desk: &desk::Desk, after: u32) -> Effect {
    Effect::PollAccount { request: desk.request, account: stock::account_id(), after, wait_ms: 20_000 }
}

#[test]
fn a_challenge_whose_time_was_over_before_it_came_is_polled() {
    let late = || stock::challenged(Challenge { expires_in_ms: Some(0), ..stock::code() });
    let mut desk = desk::at_connecting();
    let effects = desk.reply_account(2, late());
    assert!(effects.contains(&poll_after(&desk, 2)), "{effects:?}");

    let mut desk = at_code();
    desk.session_ends();
    desk.send(Event::TokenSet { token: desk::token("second") });
    let effects = desk.reply_session(stock::session_with(stock::progress(2, late())));
    assert!(effects.contains(&poll_after(&desk, 2)), "{effects:?}");
}

#[test]
fn time_that_ran_out_while_the_answer_was_on_its_way_is_polled_when_it_comes_back() {
    let mut desk = at_code();
    let clock = desk.timer;
    desk.submit_code("1234");
    let request = desk.request;
    desk.send(Event::TimerFired { timer: clock, elapsed_ms: 120_000 });
    let reply = Reply::Account(Err(stock::problem(429, ProblemCode::RequestLimitExceeded)));
    let effects = desk.send(Event::Replied { request, reply });
    assert!(effects.contains(&poll_after(&desk, 2)), "{effects:?}");
}

#[test]
fn an_account_that_is_gone_leads_back_to_the_list() {
    let gone = || stock::problem(404, ProblemCode::MissingResource);
    let mut desk = at_code();
    desk.wait(120_000);
    desk.refuse_account(gone());
    assert_eq!(desk.heading(), Message::ProvidersTitle);
    let mut desk = at_code();
    desk.submit_code("1234");
    desk.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    desk.refuse_account(gone());
    assert_eq!(desk.heading(), Message::ProvidersTitle);
}

#[test]
fn a_new_code_can_be_asked_for_after_the_cool_down() {
    let mut desk = at_code();
    assert_eq!(resend(&desk).state, ActionState::Off);
    assert_eq!(resend(&desk).label, Text::with(Message::ChallengeResendWait, vec![20.into()]));
    assert_eq!(desk.press(Press::Resend), vec![], "too early");
    desk.wait(20_000);
    assert_eq!(
        (resend(&desk).state, resend(&desk).label),
        (ActionState::Ready, Message::ChallengeResend.into())
    );
    let effects = desk.press(Press::Resend);
    let body = ResendChallenge { challenge_id: stock::challenge_id(1), channel: CodeChannel::Sms };
    assert_eq!(effects, vec![Effect::Resend { request: desk.request, account: stock::account_id(), body }]);
}

#[test]
fn a_new_code_comes_to_the_same_page_with_its_field_empty_and_its_clocks_anew() {
    let mut desk = at_code();
    let key = desk.view().page.key;
    desk.wait(20_000);
    desk.press(Press::Resend);
    desk.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    assert_eq!((desk.heading(), desk.view().page.key), (Message::ChallengeCodeTitle, key));
    assert_eq!((resend(&desk).state, desk.actions().0.state), (ActionState::Busy, ActionState::Off));
    desk.reply_account(4, stock::challenged(Challenge { id: stock::challenge_id(2), ..stock::code() }));
    assert_eq!(desk.said(), Some(Message::ChallengeResent.into()));
    assert_ne!(desk.view().page.key, key);
    assert_eq!(desk.view().focus.target, FocusTarget::Field("answer".to_owned()));
    assert_eq!((countdown(&desk).unwrap().1, resend(&desk).state), (120, ActionState::Off));
    let opened = desk.ui_events().into_iter().filter(|name| *name == UiEventName::MfaPageOpened).count();
    assert_eq!(opened, 1, "it is the same page");
}

#[test]
fn a_new_code_that_was_not_sent_says_so() {
    let mut desk = at_code();
    desk.wait(20_000);
    desk.press(Press::Resend);
    desk.refuse_account(stock::problem(429, ProblemCode::RequestLimitExceeded));
    assert_eq!(desk.notice().unwrap().1, Some(Message::BusyTitle.into()));
}

#[test]
fn a_connection_lost_while_the_code_is_checked_is_told() {
    let mut desk = at_code();
    desk.submit_code("1234");
    desk.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    for rest in [1_000, 2_000] {
        desk.refuse_account(Refusal::Unreachable);
        desk.wait(rest);
    }
    assert_eq!(desk.notice().unwrap().1, Some(Message::ConnectingLostTitle.into()));
}

#[test]
fn a_lost_answer_is_looked_up() {
    let mut desk = at_code();
    desk.submit_code("1234");
    let effects = desk.refuse_account(Refusal::Unreachable);
    assert_eq!(effects, vec![Effect::LoadSession { request: desk.request }]);
    desk.reply_session(stock::session_with(stock::progress(3, LinkPhase::Connected {})));
    assert_eq!(desk.heading(), Message::SuccessTitle);
}

#[test]
fn an_answer_that_never_arrived_is_asked_for_again() {
    let mut desk = at_code();
    desk.submit_code("1234");
    desk.refuse_account(Refusal::Unreachable);
    desk.reply_session(stock::session_with(stock::progress(2, stock::challenged(stock::code()))));
    assert_eq!(desk.notice().unwrap().1, Some(Message::ChallengeNotSentTitle.into()));
    assert_eq!(desk.actions().0.state, ActionState::Ready);
}

#[test]
fn a_choice_is_made_and_sent() {
    let mut desk = desk::at_challenge(stock::choice());
    assert_eq!(desk.choices(), ["mother", "father"]);
    assert_eq!(desk.send(Event::Submitted(Secrets::none())), vec![]);
    assert_eq!(desk.notice().unwrap().2, Message::ChallengeChoiceMissing.into());
    desk.choose("father");
    let selected: Vec<bool> = desk.lists()[0].choices.iter().map(|choice| choice.selected).collect();
    assert_eq!((selected, desk.notice()), (vec![false, true], None));
    let effects = desk.send(Event::Submitted(Secrets::none()));
    let answer = Answer::Choice { value: "father".to_owned() };
    let body = AnswerSubmission { challenge_id: stock::challenge_id(1), answer };
    assert_eq!(effects, vec![Effect::Answer { request: desk.request, account: stock::account_id(), body }]);
}

#[test]
fn a_choice_that_is_not_offered_is_not_taken() {
    let mut desk = desk::at_challenge(stock::choice());
    desk.choose("neighbour");
    assert_eq!(desk.send(Event::Submitted(Secrets::none())), vec![]);
}

#[test]
fn a_code_after_a_choice_is_a_page_of_its_own() {
    let mut desk = desk::at_challenge(stock::choice());
    desk.choose("father");
    desk.send(Event::Submitted(Secrets::none()));
    desk.reply_account(3, stock::challenged(stock::code()));
    assert_eq!(desk.heading(), Message::ChallengeCodeTitle);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::MfaPageOpened));
}

#[test]
fn a_second_code_after_a_right_one_starts_empty() {
    let mut desk = at_code();
    let key = desk.view().page.key;
    desk.submit_code("1234");
    desk.reply_account(3, stock::challenged(Challenge { id: stock::challenge_id(2), ..stock::code() }));
    assert_ne!(desk.view().page.key, key);
    assert_eq!(desk.notice(), None);
}
