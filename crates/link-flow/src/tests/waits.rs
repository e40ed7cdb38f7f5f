//! Too many requests: a wait that the person sees, and that ends by itself.

use link_types::problem::ProblemCode;

use super::desk::{self, Desk};
use super::stock;
use crate::Effect;
use crate::event::{Press, Refusal, Reply};
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::ActionState;

fn limited() -> Refusal {
    Refusal::Limited { retry_in_ms: 2_500 }
}

fn waits(desk: &Desk, seconds: u32) -> bool {
    says(desk, Message::LoginWait, seconds)
}

fn says(desk: &Desk, message: Message, count: u32) -> bool {
    let words = Text::with(message, vec![count.into()]);
    format!("{:?}", desk.view()).contains(&format!("{words:?}"))
}

fn told(desk: &Desk) -> Option<Text> {
    desk.notice().and_then(|(_, title, _)| title)
}

#[test]
fn what_may_be_sent_again_is_sent_when_the_wait_is_over() {
    let mut desk = desk::exchanging();
    desk.refuse_session(limited());
    assert_eq!((desk.heading(), waits(&desk, 3)), (Message::BusyTitle, true));
    assert_eq!(desk.actions().0.state, ActionState::Off);
    assert_eq!(desk.press(Press::Retry), vec![], "the page shows when");
    desk.wait(1_000);
    assert!(waits(&desk, 2));
    let effects = desk.wait(60_000);
    assert!(matches!(effects[..], [Effect::Exchange { .. }]), "{effects:?}");
    desk.reply_session(stock::session());
    assert_eq!(desk.heading(), Message::ConsentTitle);
}

#[test]
fn the_provider_list_waits_and_goes_on() {
    let mut desk = desk::listing();
    desk.reply(Reply::Providers(Err(limited())));
    assert_eq!((told(&desk), waits(&desk, 3)), (Some(Message::BusyTitle.into()), true));
    let effects = desk.wait(2_500);
    assert!(matches!(effects[..], [Effect::LoadProviders { .. }]), "{effects:?}");
}

#[test]
fn a_login_that_came_too_soon_is_kept_and_may_be_sent_after_the_wait() {
    let mut desk = desk::sending();
    let key = desk.view().page.key;
    desk.refuse_account(limited());
    assert_eq!((told(&desk), waits(&desk, 3)), (Some(Message::BusyTitle.into()), true));
    assert_eq!((desk.view().page.key, desk.actions().0.state), (key, ActionState::Off));
    assert_eq!(desk.submit("password"), vec![]);
    desk.edit("username", "mfa-otp2");
    for _ in 0..3 {
        desk.wait(1_000);
    }
    assert_eq!((told(&desk), desk.actions().0.state), (None, ActionState::Ready));
    assert!(matches!(desk.submit("password")[..], [Effect::StartLink { .. }]));
}

#[test]
fn login_limit_shows_a_long_wait_and_keeps_what_was_typed() {
    let mut desk = desk::sending();
    let key = desk.view().page.key;
    desk.refuse_account(Refusal::LoginLimited { retry_in_ms: 3_600_000 });
    assert_eq!(told(&desk), Some(Message::LoginLimitTitle.into()));
    assert!(says(&desk, Message::LoginWaitMinutes, 60), "{:?}", desk.view());
    assert_eq!((desk.view().page.key, desk.actions().0.state), (key, ActionState::Off));
    assert!(format!("{:?}", desk.view()).contains("Typed(7 bytes)"), "{:?}", desk.view());
    desk.wait(3_600_000);
    assert_eq!((told(&desk), desk.actions().0.state), (None, ActionState::Ready));
    assert_eq!(desk.actions().1, None);
}

#[test]
fn login_limit_offers_another_provider() {
    let mut desk = desk::sending();
    assert_eq!(desk.press(Press::ChooseAnother), vec![]);
    desk.refuse_account(Refusal::LoginLimited { retry_in_ms: 3_600_000 });
    assert_eq!(desk.actions().1.map(|action| action.press), Some(Press::ChooseAnother));
    desk.press(Press::ChooseAnother);
    assert_eq!(desk.heading(), Message::ProvidersTitle);
}

#[test]
fn limit_on_answers_is_named_as_the_reason_to_wait() {
    let mut desk = desk::at_challenge(stock::choice());
    desk.choose("father");
    desk.send(crate::Event::Submitted(crate::Secrets::none()));
    desk.refuse_account(Refusal::LoginLimited { retry_in_ms: 30_000 });
    assert_eq!(told(&desk), Some(Message::LoginLimitTitle.into()));
    assert!(waits(&desk, 30), "{:?}", desk.view());
}

#[test]
fn waits_are_said_in_seconds_minutes_or_hours() {
    for (left_ms, message, count) in [
        (1, Message::LoginWait, 1),
        (90_000, Message::LoginWait, 90),
        (90_001, Message::LoginWaitMinutes, 2),
        (5_400_000, Message::LoginWaitMinutes, 90),
        (5_401_000, Message::LoginWaitHours, 2),
        (86_400_000, Message::LoginWaitHours, 24),
    ] {
        assert_eq!(crate::wait::words(left_ms), Text::with(message, vec![count.into()]), "{left_ms}");
    }
}

#[test]
fn an_answer_that_came_too_soon_is_kept_and_may_be_sent_after_the_wait() {
    let mut desk = desk::at_challenge(stock::choice());
    desk.choose("father");
    desk.send(crate::Event::Submitted(crate::Secrets::none()));
    desk.refuse_account(limited());
    assert_eq!((waits(&desk, 3), desk.actions().0.state), (true, ActionState::Off));
    assert_eq!(desk.send(crate::Event::Submitted(crate::Secrets::none())), vec![]);
    for _ in 0..3 {
        desk.wait(1_000);
    }
    assert_eq!(desk.actions().0.state, ActionState::Ready);
    let effects = desk.send(crate::Event::Submitted(crate::Secrets::none()));
    assert!(matches!(effects[..], [Effect::Answer { .. }]), "{effects:?}");
}

#[test]
fn a_poll_rests_for_as_long_as_the_service_asks() {
    let mut desk = desk::at_connecting();
    let effects = desk.refuse_account(Refusal::Limited { retry_in_ms: 15_000 });
    assert_eq!(effects, vec![Effect::StartTimer { timer: desk.timer, after_ms: 15_000 }]);
}

#[test]
fn poll_that_ends_early_is_sent_again_with_growing_rests() {
    let mut desk = desk::at_connecting();
    let mut rests = Vec::new();
    for _ in 0..5 {
        let effects = desk.reply(Reply::Account(Ok(Box::new(stock::progress(1, stock::logging_in())))));
        let [Effect::StartTimer { timer, after_ms }] = effects[..] else { panic!("{effects:?}") };
        rests.push(after_ms);
        let effects = desk.send(crate::Event::TimerFired { timer, elapsed_ms: after_ms });
        assert!(matches!(effects[..], [Effect::PollAccount { .. }]), "{effects:?}");
    }
    assert_eq!(rests, [500, 1_000, 2_000, 2_000, 2_000]);
}

#[test]
fn a_service_that_does_not_say_for_how_long_is_left_alone_for_half_a_minute() {
    let mut desk = desk::exchanging();
    desk.refuse_session(stock::problem(429, ProblemCode::RequestLimitExceeded));
    assert!(waits(&desk, 30));
}

#[test]
fn a_new_session_does_not_cut_the_wait_short() {
    let mut desk = desk::sending();
    desk.refuse_account(limited());
    desk.session_ends();
    desk.send(crate::Event::TokenSet { token: desk::token("second") });
    desk.reply_session(stock::session());
    assert!(waits(&desk, 3));
    desk.wait(2_500);
    assert_eq!(desk.actions().0.state, ActionState::Ready);
}
