//! Too many requests: a wait that the person sees, and an automatic retry.

use link_types::problem::ProblemCode;

use super::fixtures;
use super::harness::{self, Harness};
use crate::Effect;
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::ActionState;

fn limit_refusal() -> RequestError {
    RequestError::Limited { retry_in_ms: 2_500 }
}

fn waits(harness: &Harness, seconds: u32) -> bool {
    says(harness, Message::LoginWait, seconds)
}

fn says(harness: &Harness, message: Message, count: u32) -> bool {
    let words = Text::with(message, vec![count.into()]);
    format!("{:?}", harness.view()).contains(&format!("{words:?}"))
}

fn notice_title(harness: &Harness) -> Option<Text> {
    harness.notice().and_then(|(_, title, _)| title)
}

#[test]
fn limited_request_is_sent_after_wait() {
    let mut harness = harness::exchanging();
    harness.refuse_session(limit_refusal());
    assert_eq!((harness.heading(), waits(&harness, 3)), (Message::BusyTitle, true));
    assert_eq!(harness.actions().0.state, ActionState::Off);
    assert_eq!(harness.press(Press::Retry), vec![], "the page counts down until the retry");
    harness.wait(1_000);
    assert!(waits(&harness, 2));
    let effects = harness.wait(60_000);
    assert!(matches!(effects[..], [Effect::Exchange { .. }]), "{effects:?}");
    harness.reply_session(fixtures::session());
    assert_eq!(harness.heading(), Message::ConsentTitle);
}

#[test]
fn limited_provider_list_is_loaded_after_wait() {
    let mut harness = harness::listing();
    harness.reply(Reply::Providers(Err(limit_refusal())));
    assert_eq!((notice_title(&harness), waits(&harness, 3)), (Some(Message::BusyTitle.into()), true));
    let effects = harness.wait(2_500);
    assert!(matches!(effects[..], [Effect::LoadProviders { .. }]), "{effects:?}");
}

#[test]
fn limited_login_can_be_sent_after_wait() {
    let mut harness = harness::sending();
    let key = harness.view().page.key;
    harness.refuse_account(limit_refusal());
    assert_eq!((notice_title(&harness), waits(&harness, 3)), (Some(Message::BusyTitle.into()), true));
    assert_eq!((harness.view().page.key, harness.actions().0.state), (key, ActionState::Off));
    assert_eq!(harness.submit("password"), vec![]);
    harness.edit("username", "mfa-otp2");
    for _ in 0..3 {
        harness.wait(1_000);
    }
    assert_eq!((notice_title(&harness), harness.actions().0.state), (None, ActionState::Ready));
    assert!(matches!(harness.submit("password")[..], [Effect::StartLink { .. }]));
}

#[test]
fn login_limit_keeps_typed_text() {
    let mut harness = harness::sending();
    let key = harness.view().page.key;
    harness.refuse_account(RequestError::LoginLimited { retry_in_ms: 3_600_000 });
    assert_eq!(notice_title(&harness), Some(Message::LoginLimitTitle.into()));
    assert!(says(&harness, Message::LoginWaitMinutes, 60), "{:?}", harness.view());
    assert_eq!((harness.view().page.key, harness.actions().0.state), (key, ActionState::Off));
    assert!(format!("{:?}", harness.view()).contains("Typed(7 bytes)"), "{:?}", harness.view());
    harness.wait(3_600_000);
    assert_eq!((notice_title(&harness), harness.actions().0.state), (None, ActionState::Ready));
    assert_eq!(harness.actions().1, None);
}

#[test]
fn login_limit_offers_another_provider() {
    let mut harness = harness::sending();
    assert_eq!(harness.press(Press::ChooseAnother), vec![]);
    harness.refuse_account(RequestError::LoginLimited { retry_in_ms: 3_600_000 });
    assert_eq!(harness.actions().1.map(|action| action.press), Some(Press::ChooseAnother));
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}

#[test]
fn answer_limit_shows_reason() {
    let mut harness = harness::at_challenge(fixtures::choice());
    harness.choose("father");
    harness.send(crate::Event::Submitted(crate::Secrets::none()));
    harness.refuse_account(RequestError::LoginLimited { retry_in_ms: 30_000 });
    assert_eq!(notice_title(&harness), Some(Message::LoginLimitTitle.into()));
    assert!(waits(&harness, 30), "{:?}", harness.view());
}

#[test]
fn wait_is_shown_in_largest_clear_unit() {
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
fn limited_answer_can_be_sent_after_wait() {
    let mut harness = harness::at_challenge(fixtures::choice());
    harness.choose("father");
    harness.send(crate::Event::Submitted(crate::Secrets::none()));
    harness.refuse_account(limit_refusal());
    assert_eq!((waits(&harness, 3), harness.actions().0.state), (true, ActionState::Off));
    assert_eq!(harness.send(crate::Event::Submitted(crate::Secrets::none())), vec![]);
    for _ in 0..3 {
        harness.wait(1_000);
    }
    assert_eq!(harness.actions().0.state, ActionState::Ready);
    let effects = harness.send(crate::Event::Submitted(crate::Secrets::none()));
    assert!(matches!(effects[..], [Effect::Answer { .. }]), "{effects:?}");
}

#[test]
fn poll_waits_as_long_as_service_asks() {
    let mut harness = harness::at_connecting();
    let effects = harness.refuse_account(RequestError::Limited { retry_in_ms: 15_000 });
    assert_eq!(effects, vec![Effect::StartTimer { timer: harness.timer, after_ms: 15_000 }]);
}

#[test]
fn early_poll_replies_delay_next_poll() {
    let mut harness = harness::at_connecting();
    let mut rests = Vec::new();
    for _ in 0..5 {
        let effects =
            harness.reply(Reply::Account(Ok(Box::new(fixtures::progress(1, fixtures::logging_in())))));
        let [Effect::StartTimer { timer, after_ms }] = effects[..] else { panic!("{effects:?}") };
        rests.push(after_ms);
        let effects = harness.send(crate::Event::TimerFired { timer, elapsed_ms: after_ms });
        assert!(matches!(effects[..], [Effect::PollAccount { .. }]), "{effects:?}");
    }
    assert_eq!(rests, [500, 1_000, 2_000, 2_000, 2_000]);
}

#[test]
fn limit_without_time_waits_30_seconds() {
    let mut harness = harness::exchanging();
    harness.refuse_session(fixtures::problem(429, ProblemCode::RequestLimitExceeded));
    assert!(waits(&harness, 30));
}

#[test]
fn new_session_continues_wait() {
    let mut harness = harness::sending();
    harness.refuse_account(limit_refusal());
    harness.session_ends();
    harness.send(crate::Event::TokenSet { token: harness::token("second") });
    harness.reply_session(fixtures::session());
    assert!(waits(&harness, 3));
    harness.wait(2_500);
    assert_eq!(harness.actions().0.state, ActionState::Ready);
}
