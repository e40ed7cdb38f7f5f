use link_types::Mode;
use link_types::challenge::Challenge;
use link_types::host::{Callback, CloseReason, UiEventName};
use link_types::link::{LinkPhase, LinkSession};
use link_types::problem::ProblemCode;

use super::desk::{self, Desk, token};
use super::stock;
use crate::event::{Press, Refusal, Reply};
use crate::generated::message::Message;
use crate::view::FocusTarget;
use crate::view::block::ActionState;
use crate::{Effect, Event};

fn set_token(desk: &mut Desk, text: &str) -> Vec<Effect> {
    desk.send(Event::TokenSet { token: token(text) })
}

fn exchange(desk: &Desk, text: &str) -> Vec<Effect> {
    vec![Effect::Exchange { request: desk.request, token: token(text) }]
}

/// The login form with a name typed, at the end of its session.
fn paused_login() -> Desk {
    let mut desk = desk::at_login();
    desk.edit("username", "good");
    desk.session_ends();
    desk
}

#[test]
fn a_used_or_expired_token_is_told_and_a_new_one_starts() {
    for code in [ProblemCode::TokenUsed, ProblemCode::TokenExpired] {
        let mut desk = desk::exchanging();
        let effects = desk.refuse_session(stock::problem(401, code));
        let key = "opening/tokenExpired/0".to_owned();
        assert_eq!(effects, vec![Effect::Tell { key, callback: Callback::TokenExpired {} }]);
        assert_eq!(desk.heading(), Message::ExpiredStartTitle);
        assert_eq!(desk.ui_events(), [UiEventName::TokenExpiredPageOpened]);
        let effects = set_token(&mut desk, "second");
        assert_eq!(effects, exchange(&desk, "second"));
        desk.reply_session(stock::session());
        assert_eq!(desk.heading(), Message::ConsentTitle);
    }
}

#[test]
fn with_a_minute_left_the_flow_pauses_and_tells_once() {
    let mut desk = desk::at_login();
    let effects = desk.session_ends();
    let key = "opening/tokenExpired/5".to_owned();
    assert_eq!(effects, vec![Effect::Tell { key, callback: Callback::TokenExpired {} }]);
    assert_eq!((desk.overlay_heading(), desk.heading()), (Some(Message::ExpiredTitle), Message::LoginTitle));
    assert_eq!(desk.session_ends(), vec![], "and not a second time");
}

#[test]
fn each_answer_of_the_service_puts_the_end_off() {
    let mut desk = desk::at_login();
    let old = desk.session_timers.clone();
    desk.edit("username", "good");
    desk.submit("password");
    desk.reply_account(1, stock::logging_in());
    let end = old[1];
    for timer in old.into_iter().filter(|timer| *timer != end) {
        assert_eq!(desk.send(Event::TimerFired { timer, elapsed_ms: 1 }), vec![]);
    }
    assert_eq!(desk.overlay_heading(), None);
    assert_eq!(
        desk.send(Event::TimerFired { timer: end, elapsed_ms: 1 }).len(),
        1,
        "but not past the last end"
    );
}

#[test]
fn a_new_token_goes_on_at_the_same_step_with_what_was_typed() {
    let mut desk = paused_login();
    let page = desk.view().page;
    let effects = set_token(&mut desk, "second");
    assert_eq!(effects, exchange(&desk, "second"));
    assert_eq!(desk.overlay_heading(), Some(Message::ExpiredRenewingTitle));
    assert_eq!(desk.reply_session(stock::session()), vec![]);
    assert_eq!(desk.overlay_heading(), None);
    assert_eq!(desk.view().page, page, "the very same page, so that the password stays in its input too");
    assert_eq!(desk.view().focus.target, FocusTarget::Restore);
}

#[test]
fn a_session_the_service_refuses_pauses_too() {
    let mut desk = desk::at_connecting();
    desk.refuse_account(stock::problem(401, ProblemCode::Unauthorized));
    assert_eq!(desk.overlay_heading(), Some(Message::ExpiredTitle));
    assert_eq!(desk.callbacks(), ["onAccountCreated", "onTokenExpired"]);
}

#[test]
fn what_is_answered_while_paused_is_stale() {
    let mut desk = desk::at_connecting();
    let request = desk.request;
    desk.session_ends();
    let before = desk.view();
    let reply = Reply::Account(Ok(Box::new(stock::progress(2, LinkPhase::Connected {}))));
    assert_eq!(desk.send(Event::Replied { request, reply }), vec![]);
    assert_eq!(desk.view(), before);
}

#[test]
fn a_challenge_goes_on_with_the_time_that_is_left() {
    let mut desk = desk::at_challenge(stock::code());
    let key = desk.view().page.key;
    desk.session_ends();
    set_token(&mut desk, "second");
    let challenge = Challenge { expires_in_ms: Some(45_000), ..stock::code() };
    desk.reply_session(stock::session_with(stock::progress(2, stock::challenged(challenge))));
    assert_eq!((desk.heading(), desk.view().page.key), (Message::ChallengeCodeTitle, key));
    assert!(format!("{:?}", desk.view()).contains("0:45"));
}

#[test]
fn what_became_of_the_account_meanwhile_is_shown() {
    let mut desk = desk::at_challenge(stock::code());
    desk.session_ends();
    set_token(&mut desk, "second");
    desk.reply_session(stock::session_with(stock::progress(3, LinkPhase::Connected {})));
    assert_eq!(desk.heading(), Message::SuccessTitle);
}

#[test]
fn connecting_goes_on_with_a_new_poll() {
    let mut desk = desk::at_connecting();
    desk.session_ends();
    set_token(&mut desk, "second");
    let effects = desk.reply_session(stock::session_with(stock::progress(1, stock::logging_in())));
    let account = stock::account_id();
    assert_eq!(
        effects,
        vec![Effect::PollAccount { request: desk.request, account, after: 1, wait_ms: 20_000 }]
    );
}

#[test]
fn a_login_on_its_way_is_settled_by_the_attempt() {
    let mut desk = desk::sending();
    desk.session_ends();
    set_token(&mut desk, "second");
    desk.reply_session(stock::session_with(stock::progress(1, stock::logging_in())));
    assert_eq!(desk.heading(), Message::ConnectingTitle);

    let mut desk = desk::sending();
    desk.session_ends();
    set_token(&mut desk, "second");
    desk.reply_session(stock::session());
    assert_eq!(desk.notice().unwrap().1, Some(Message::LoginNotSentTitle.into()));
}

#[test]
fn a_list_that_was_loading_is_loaded_again() {
    let mut desk = desk::listing();
    desk.session_ends();
    set_token(&mut desk, "second");
    let effects = desk.reply_session(stock::session());
    assert_eq!(effects, vec![Effect::LoadProviders { request: desk.request, cursor: None }]);
}

#[test]
fn a_token_of_somebody_else_is_refused_and_everything_is_cleared() {
    let another_user = LinkSession { user_id: stock::user_id(9), ..stock::session() };
    let another_mode = LinkSession { mode: Mode::Production, ..stock::session() };
    let mut another_template = stock::session();
    another_template.template.id = link_types::id::LinkTemplateId::from_bytes([9; 16]);
    for session in [another_user, another_mode, another_template] {
        let mut desk = paused_login();
        set_token(&mut desk, "second");
        assert_eq!(desk.reply_session(session), vec![Effect::EndSession]);
        assert_eq!((desk.heading(), desk.overlay_heading()), (Message::ExpiredMismatchTitle, None));
        assert!(!format!("{:?}", desk.flow).contains("Typed(4 bytes)"), "the login name is gone");
        assert_eq!(desk.press(Press::Leave), vec![Effect::Close { reason: CloseReason::Close }]);
    }
}

#[test]
fn after_a_refusal_only_the_first_person_may_begin_again() {
    let mut desk = paused_login();
    let other = || LinkSession { user_id: stock::user_id(9), ..stock::session() };
    set_token(&mut desk, "second");
    desk.reply_session(other());
    set_token(&mut desk, "third");
    desk.reply_session(other());
    assert_eq!(desk.heading(), Message::ExpiredMismatchTitle);
    set_token(&mut desk, "fourth");
    desk.reply_session(stock::session());
    assert_eq!(desk.heading(), Message::ConsentTitle);
}

#[test]
fn a_token_given_in_good_time_is_used_when_the_session_ends() {
    let mut desk = desk::at_login();
    assert_eq!(set_token(&mut desk, "spare"), vec![]);
    let effects = desk.session_ends();
    assert_eq!(effects, exchange(&desk, "spare"));
    assert_eq!(desk.callbacks(), Vec::<&str>::new(), "nobody had to be asked");
}

#[test]
fn a_page_whose_tokens_are_all_expired_is_not_asked_for_ever() {
    let mut desk = paused_login();
    for _ in 0..5 {
        set_token(&mut desk, "stale");
        desk.refuse_session(stock::problem(401, ProblemCode::TokenExpired));
    }
    assert_eq!(desk.callbacks(), ["onTokenExpired"; 3]);
    assert_eq!(desk.overlay_heading(), Some(Message::ExpiredTitle));
}

#[test]
fn a_renewal_that_fails_can_be_tried_again() {
    let mut desk = paused_login();
    set_token(&mut desk, "second");
    for _ in 0..3 {
        desk.refuse_session(Refusal::Unreachable);
        desk.wait(1);
    }
    assert_eq!(desk.overlay_heading(), Some(Message::OfflineTitle));
    let place = |desk: &Desk| (desk.actions().0.label, desk.actions().1.map(|action| action.press));
    let before = place(&desk);
    let effects = desk.press(Press::Retry);
    assert_eq!(effects, exchange(&desk, "second"));
    assert_eq!(place(&desk), before, "no other button comes under the pointer");
    assert_eq!(desk.actions().0.state, ActionState::Busy);
}

#[test]
fn leaving_a_paused_flow_asks_when_something_would_be_lost() {
    let mut desk = desk::at_providers();
    desk.session_ends();
    let effects = desk.send(Event::CloseRequested);
    assert_eq!(effects, vec![Effect::EndSession, Effect::Close { reason: CloseReason::Close }]);

    let mut desk = paused_login();
    assert_eq!(desk.send(Event::CloseRequested), vec![]);
    assert_eq!(desk.overlay_heading(), Some(Message::LeaveTitle));
    desk.press(Press::Stay);
    assert_eq!(desk.overlay_heading(), Some(Message::ExpiredTitle));
}

#[test]
fn a_token_that_comes_while_the_person_is_asked_is_used() {
    let mut desk = paused_login();
    desk.send(Event::CloseRequested);
    let effects = set_token(&mut desk, "stale");
    assert_eq!(effects, exchange(&desk, "stale"));
    desk.refuse_session(stock::problem(401, ProblemCode::TokenExpired));
    let effects = set_token(&mut desk, "second");
    assert_eq!(effects, exchange(&desk, "second"));
    desk.reply_session(stock::session());
    assert_eq!((desk.overlay_heading(), desk.heading()), (Some(Message::LeaveTitle), Message::LoginTitle));
    assert_eq!(desk.view().focus.target, FocusTarget::Heading, "the question keeps the focus");
    desk.press(Press::Stay);
    assert_eq!(desk.overlay_heading(), None);
}
