use link_types::Mode;
use link_types::challenge::Challenge;
use link_types::host::{Callback, CloseReason, LinkMistake, UiEventName};
use link_types::link::{LinkPhase, LinkSession};
use link_types::problem::ProblemCode;
use link_types::template::SyncInterval;

use super::fixtures;
use super::harness::{self, Harness, token};
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::view::FocusTarget;
use crate::view::block::ActionState;
use crate::{Effect, Event};

fn set_token(harness: &mut Harness, text: &str) -> Vec<Effect> {
    harness.send(Event::TokenSet { token: token(text) })
}

fn exchange(harness: &Harness, text: &str) -> Vec<Effect> {
    vec![Effect::Exchange { request: harness.request, token: token(text) }]
}

/// Returns the login form with a typed name, at the end of its session.
fn pause_login() -> Harness {
    let mut harness = harness::at_login();
    harness.edit("username", "good");
    harness.session_ends();
    harness
}

#[test]
fn expired_first_token_emits_and_new_one_starts() {
    for code in [ProblemCode::TokenUsed, ProblemCode::TokenExpired] {
        let mut harness = harness::exchanging();
        let effects = harness.refuse_session(fixtures::problem(401, code));
        let key = "opening/tokenExpired/0".to_owned();
        assert_eq!(effects, vec![Effect::Emit { key, callback: Callback::TokenExpired {} }]);
        assert_eq!(harness.heading(), Message::ExpiredStartTitle);
        assert_eq!(harness.ui_events(), [UiEventName::TokenExpiredPageOpened]);
        let effects = set_token(&mut harness, "second");
        assert_eq!(effects, exchange(&harness, "second"));
        harness.reply_session(fixtures::session());
        assert_eq!(harness.heading(), Message::ConsentTitle);
    }
}

#[test]
fn session_pauses_one_minute_before_end() {
    let mut harness = harness::at_login();
    let effects = harness.session_ends();
    let key = "opening/tokenExpired/5".to_owned();
    assert_eq!(effects, vec![Effect::Emit { key, callback: Callback::TokenExpired {} }]);
    assert_eq!(
        (harness.overlay_heading(), harness.heading()),
        (Some(Message::ExpiredTitle), Message::LoginTitle)
    );
    assert_eq!(harness.session_ends(), vec![], "the second timer has no effect");
}

#[test]
fn replies_extend_session() {
    let mut harness = harness::at_login();
    let old = harness.session_timers.clone();
    harness.edit("username", "good");
    harness.submit("password");
    harness.reply_account(1, fixtures::logging_in());
    let end = old[1];
    for timer in old.into_iter().filter(|timer| *timer != end) {
        assert_eq!(harness.send(Event::TimerFired { timer, elapsed_ms: 1 }), vec![]);
    }
    assert_eq!(harness.overlay_heading(), None);
    assert_eq!(
        harness.send(Event::TimerFired { timer: end, elapsed_ms: 1 }).len(),
        1,
        "the session pauses at its previous end"
    );
}

#[test]
fn new_token_resumes_step_with_typed_text() {
    let mut harness = pause_login();
    let page = harness.view().page;
    let effects = set_token(&mut harness, "second");
    assert_eq!(effects, exchange(&harness, "second"));
    assert_eq!(harness.overlay_heading(), Some(Message::ExpiredRenewingTitle));
    assert_eq!(harness.reply_session(fixtures::session()), vec![]);
    assert_eq!(harness.overlay_heading(), None);
    assert_eq!(harness.view().page, page, "the page is the same, so its input keeps the password");
    assert_eq!(harness.view().focus.target, FocusTarget::Restore);
}

#[test]
fn refused_session_pauses() {
    let mut harness = harness::at_connecting();
    harness.refuse_account(fixtures::problem(401, ProblemCode::Unauthorized));
    assert_eq!(harness.overlay_heading(), Some(Message::ExpiredTitle));
    assert_eq!(harness.callbacks(), ["onAccountCreated", "onTokenExpired"]);
}

#[test]
fn replies_during_pause_are_stale() {
    let mut harness = harness::at_connecting();
    let request = harness.request;
    harness.session_ends();
    let before = harness.view();
    let reply = Reply::Account(Ok(Box::new(fixtures::progress(2, LinkPhase::Connected {}))));
    assert_eq!(harness.send(Event::Replied { request, reply }), vec![]);
    assert_eq!(harness.view(), before);
}

#[test]
fn challenge_resumes_with_time_left() {
    let mut harness = harness::at_challenge(fixtures::code());
    let key = harness.view().page.key;
    harness.session_ends();
    set_token(&mut harness, "second");
    let challenge = Challenge { expires_in_ms: Some(45_000), ..fixtures::code() };
    harness
        .reply_session(fixtures::session_with(fixtures::progress(2, fixtures::challenge_phase(challenge))));
    assert_eq!((harness.heading(), harness.view().page.key), (Message::ChallengeCodeTitle, key));
    assert!(format!("{:?}", harness.view()).contains("0:45"));
}

#[test]
fn resume_shows_current_phase_of_account() {
    let mut harness = harness::at_challenge(fixtures::code());
    harness.session_ends();
    set_token(&mut harness, "second");
    harness.reply_session(fixtures::session_with(fixtures::progress(3, LinkPhase::Connected {})));
    assert_eq!(harness.heading(), Message::SuccessTitle);
}

#[test]
fn connecting_resumes_with_new_poll() {
    let mut harness = harness::at_connecting();
    harness.session_ends();
    set_token(&mut harness, "second");
    let effects =
        harness.reply_session(fixtures::session_with(fixtures::progress(1, fixtures::logging_in())));
    let account = fixtures::account_id();
    assert_eq!(
        effects,
        vec![Effect::PollAccount { request: harness.request, account, after: 1, wait_ms: 20_000 }]
    );
}

#[test]
fn login_under_way_is_settled_by_attempt() {
    let mut harness = harness::sending();
    harness.session_ends();
    set_token(&mut harness, "second");
    harness.reply_session(fixtures::session_with(fixtures::progress(1, fixtures::logging_in())));
    assert_eq!(harness.heading(), Message::ConnectingTitle);

    let mut harness = harness::sending();
    harness.session_ends();
    set_token(&mut harness, "second");
    harness.reply_session(fixtures::session());
    assert_eq!(harness.notice().unwrap().1, Some(Message::LoginRenewedTitle.into()));
}

#[test]
fn list_under_way_is_loaded_again() {
    let mut harness = harness::listing();
    harness.session_ends();
    set_token(&mut harness, "second");
    let effects = harness.reply_session(fixtures::session());
    assert_eq!(effects, vec![Effect::LoadProviders { request: harness.request, cursor: None }]);
}

#[test]
fn foreign_token_is_refused_and_clears_data() {
    let another_user = LinkSession { user_id: fixtures::user_id(9), ..fixtures::session() };
    let another_mode = LinkSession { mode: Mode::Production, ..fixtures::session() };
    let mut another_template = fixtures::session();
    another_template.template.id = link_types::id::LinkTemplateId::from_bytes([9; 16]);
    for session in [another_user, another_mode, another_template] {
        let mut harness = pause_login();
        set_token(&mut harness, "second");
        assert_eq!(harness.reply_session(session), vec![Effect::EndSession]);
        assert_eq!((harness.heading(), harness.overlay_heading()), (Message::ExpiredMismatchTitle, None));
        assert!(!format!("{:?}", harness.flow).contains("Typed(4 bytes)"), "the login name is erased");
        let effects = harness.press(Press::Leave);
        assert_eq!(effects, vec![harness::close(CloseReason::Close)], "page and provider are erased");
    }
}

#[test]
fn only_first_person_resumes_after_mismatch() {
    let mut harness = pause_login();
    let other = || LinkSession { user_id: fixtures::user_id(9), ..fixtures::session() };
    set_token(&mut harness, "second");
    harness.reply_session(other());
    set_token(&mut harness, "third");
    harness.reply_session(other());
    assert_eq!(harness.heading(), Message::ExpiredMismatchTitle);
    set_token(&mut harness, "fourth");
    harness.reply_session(fixtures::session());
    assert_eq!(harness.heading(), Message::ConsentTitle);
}

#[test]
fn changed_terms_of_a_person_are_forgotten_after_mismatch() {
    let mut harness = pause_login();
    set_token(&mut harness, "second");
    let mut session = fixtures::session();
    session.template.sync_interval = Some(SyncInterval::Daily);
    harness.reply_session(session);
    harness.session_ends();
    set_token(&mut harness, "third");
    harness.reply_session(LinkSession { user_id: fixtures::user_id(9), ..fixtures::session() });
    set_token(&mut harness, "fourth");
    harness.reply_session(fixtures::session());
    assert_eq!((harness.heading(), harness.notice()), (Message::ConsentTitle, None));
}

#[test]
fn spare_token_is_used_when_session_ends() {
    let mut harness = harness::at_login();
    assert_eq!(set_token(&mut harness, "spare"), vec![]);
    let effects = harness.session_ends();
    assert_eq!(effects, exchange(&harness, "spare"));
    assert_eq!(harness.callbacks(), Vec::<&str>::new(), "the host page is not asked for a token");
}

#[test]
fn expired_tokens_are_requested_three_times() {
    let mut harness = pause_login();
    for _ in 0..5 {
        set_token(&mut harness, "stale");
        harness.refuse_session(fixtures::problem(401, ProblemCode::TokenExpired));
    }
    let asked = harness.callbacks().into_iter().filter(|name| *name == "onTokenExpired").count();
    assert_eq!(asked, 3);
    assert_eq!(harness.overlay_heading(), Some(Message::ExpiredTitle));
    assert_eq!(harness.errors()[0], LinkMistake::TokenExpired);
}

#[test]
fn unknown_token_for_renewal_is_an_error() {
    let mut harness = pause_login();
    set_token(&mut harness, "of another tenant");
    harness.refuse_session(fixtures::problem(401, ProblemCode::InvalidToken));
    assert_eq!(harness.errors(), [LinkMistake::Token]);
}

#[test]
fn failed_renewal_can_be_retried() {
    let mut harness = pause_login();
    set_token(&mut harness, "second");
    for _ in 0..3 {
        harness.refuse_session(RequestError::Unreachable);
        harness.wait(1);
    }
    assert_eq!(harness.overlay_heading(), Some(Message::OfflineTitle));
    let place =
        |harness: &Harness| (harness.actions().0.label, harness.actions().1.map(|action| action.press));
    let before = place(&harness);
    let effects = harness.press(Press::Retry);
    assert_eq!(effects, exchange(&harness, "second"));
    assert_eq!(place(&harness), before, "the buttons keep their positions");
    assert_eq!(harness.actions().0.state, ActionState::Busy);
}

#[test]
fn close_asks_during_pause_if_something_is_lost() {
    let mut harness = harness::at_providers();
    harness.session_ends();
    let effects = harness::without_closing_point(harness.send(Event::CloseRequested));
    assert_eq!(effects, vec![Effect::EndSession, harness::close(CloseReason::Close)]);

    let mut harness = pause_login();
    assert_eq!(harness.send(Event::CloseRequested), vec![]);
    assert_eq!(harness.overlay_heading(), Some(Message::LeaveTitle));
    harness.press(Press::Stay);
    assert_eq!(harness.overlay_heading(), Some(Message::ExpiredTitle));
}

#[test]
fn token_during_leave_dialog_is_used() {
    let mut harness = pause_login();
    harness.send(Event::CloseRequested);
    let effects = set_token(&mut harness, "stale");
    assert_eq!(effects, exchange(&harness, "stale"));
    harness.refuse_session(fixtures::problem(401, ProblemCode::TokenExpired));
    let effects = set_token(&mut harness, "second");
    assert_eq!(effects, exchange(&harness, "second"));
    harness.reply_session(fixtures::session());
    assert_eq!(
        (harness.overlay_heading(), harness.heading()),
        (Some(Message::LeaveTitle), Message::LoginTitle)
    );
    assert_eq!(harness.view().focus.target, FocusTarget::Heading, "the focus stays on the question");
    harness.press(Press::Stay);
    assert_eq!(harness.overlay_heading(), None);
}
