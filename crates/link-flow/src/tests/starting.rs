use link_types::host::{LinkMistake, UiEventName, WidgetOptions};
use link_types::id::ProviderId;
use link_types::link::LinkPhase;
use link_types::problem::ProblemCode;

use super::fixtures;
use super::harness::{self, Harness, open_event, token};
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::{Effect, Event};

fn going_straight_to_a_provider() -> Harness {
    let mut harness = Harness::new(WidgetOptions {
        provider_id: Some(fixtures::provider_id().as_str().to_owned()),
        ..WidgetOptions::default()
    });
    harness.send(open_event());
    harness.reply_session(fixtures::session());
    harness
}

fn load_provider(harness: &Harness) -> Vec<Effect> {
    vec![Effect::LoadProvider { request: harness.request, provider: fixtures::provider_id() }]
}

#[test]
fn opening_exchanges_token() {
    let mut harness = Harness::new(WidgetOptions::default());
    let effects = harness.send(open_event());
    assert_eq!(
        effects,
        vec![Effect::Ready, Effect::Exchange { request: harness.request, token: token("first") }]
    );
    assert_eq!(harness.heading(), Message::StartingTitle);
}

#[test]
fn slow_exchange_offers_retry_and_still_accepts_its_reply() {
    let mut harness = harness::exchanging();
    assert_eq!(harness.takes_long(), vec![]);
    assert_eq!(harness.heading(), Message::SlowTitle);
    assert_eq!(harness.actions().0.press, Press::Retry);
    harness.reply_session(fixtures::session());
    assert_eq!(harness.heading(), Message::ConsentTitle);
}

#[test]
fn retry_of_slow_exchange_sends_it_again() {
    let mut harness = harness::exchanging();
    harness.takes_long();
    let before = harness.request;
    let effects = harness.press(Press::Retry);
    assert_eq!(effects, vec![Effect::Exchange { request: harness.request, token: token("first") }]);
    assert_ne!(harness.request, before);
    assert_eq!(harness.heading(), Message::StartingTitle);
    harness.takes_long();
    assert_eq!(harness.heading(), Message::SlowTitle);
}

#[test]
fn slow_provider_list_offers_retry() {
    let mut harness = harness::listing();
    harness.takes_long();
    assert_eq!(harness.notice().unwrap().1, Some(Message::SlowTitle.into()));
    assert_eq!(harness.actions().0.press, Press::Retry);
    let effects = harness.press(Press::Retry);
    assert_eq!(effects, vec![Effect::LoadProviders { request: harness.request, cursor: None }]);
}

#[test]
fn slow_renewal_offers_retry() {
    let mut harness = harness::sending();
    harness.session_ends();
    harness.send(Event::TokenSet { token: token("second") });
    harness.takes_long();
    assert_eq!(harness.overlay_heading(), Some(Message::SlowTitle));
    let effects = harness.press(Press::Retry);
    assert_eq!(effects, vec![Effect::Exchange { request: harness.request, token: token("second") }]);
}

#[test]
fn session_leads_to_consent() {
    let mut harness = harness::exchanging();
    assert_eq!(harness.reply_session(fixtures::session()), vec![]);
    assert_eq!(harness.heading(), Message::ConsentTitle);
    assert_eq!(harness.ui_events(), [UiEventName::ConsentPageOpened]);
}

#[test]
fn lost_exchange_is_retried_with_same_token() {
    let mut harness = harness::exchanging();
    let delay = harness.refuse_session(RequestError::Unreachable);
    assert_eq!(delay, vec![Effect::StartTimer { timer: harness.timer, after_ms: 800 }]);
    let again = harness.wait(800);
    assert_eq!(again, vec![Effect::Exchange { request: harness.request, token: token("first") }]);
}

#[test]
fn exchange_stops_after_three_failures() {
    let mut harness = harness::exchanging();
    harness.refuse_session(RequestError::Unreachable);
    harness.wait(800);
    harness.refuse_session(RequestError::Unreachable);
    harness.wait(2_400);
    assert_eq!(harness.refuse_session(RequestError::Unreachable), vec![]);
    assert_eq!(harness.heading(), Message::OfflineTitle);
    let again = harness.press(Press::Retry);
    assert_eq!(again, vec![Effect::Exchange { request: harness.request, token: token("first") }]);
    assert_eq!(harness.heading(), Message::StartingTitle);
}

#[test]
fn unavailable_service_differs_from_offline() {
    let mut harness = harness::exchanging();
    for _ in 0..3 {
        harness.refuse_session(fixtures::problem(503, ProblemCode::ServiceUnavailable));
        harness.wait(1);
    }
    assert_eq!(harness.heading(), Message::UnavailableTitle);
}

#[test]
fn suspended_tenant_is_not_shown_as_a_wrong_token() {
    let mut harness = harness::exchanging();
    for _ in 0..3 {
        harness.refuse_session(fixtures::problem(403, ProblemCode::TenantSuspended));
        harness.wait(1);
    }
    assert_eq!(harness.heading(), Message::UnavailableTitle);
    assert_eq!(harness.errors(), []);
}

#[test]
fn unknown_token_is_refused() {
    let mut harness = harness::exchanging();
    harness.refuse_session(fixtures::problem(401, ProblemCode::InvalidToken));
    assert_eq!(harness.heading(), Message::RefusedTitle);
    assert_eq!(harness.errors(), [LinkMistake::Token], "the developer is told");
    assert_eq!(harness.actions().0.press, Press::Leave);
}

#[test]
fn second_opening_is_ignored() {
    let mut harness = harness::at_consent();
    assert_eq!(harness.send(open_event()), vec![]);
    assert_eq!(harness.heading(), Message::ConsentTitle);
}

#[test]
fn reload_resumes_challenge() {
    let mut harness = harness::exchanging();
    let account = fixtures::progress(4, fixtures::challenge_phase(fixtures::code()));
    let effects = harness.reply_session(fixtures::session_with(account));
    assert_eq!(effects, load_provider(&harness));
    harness.reply_provider(fixtures::provider());
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
    assert_eq!(harness.ui_events(), [UiEventName::MfaPageOpened]);
    assert_eq!(harness.callbacks(), ["onAccountCreated"]);
}

#[test]
fn reload_resumes_poll_from_known_version() {
    let mut harness = harness::take_up(fixtures::progress(4, fixtures::logging_in()));
    let effects = harness.reply_provider(fixtures::provider());
    let poll = Effect::PollAccount {
        request: harness.request,
        account: fixtures::account_id(),
        after: 4,
        wait_ms: 20_000,
    };
    assert_eq!(effects.last(), Some(&poll));
    assert_eq!(harness.heading(), Message::ConnectingTitle);
}

#[test]
fn reload_after_success_shows_success() {
    let mut harness = harness::take_up(fixtures::progress(9, LinkPhase::Connected {}));
    harness.reply_provider(fixtures::provider());
    assert_eq!(harness.heading(), Message::SuccessTitle);
    assert_eq!(harness.callbacks(), ["onAccountCreated", "onAccountConnected"]);
}

#[test]
fn failed_attempt_starts_over() {
    let account = fixtures::progress(4, fixtures::failed_phase(link_types::LinkErrorCode::AccountLocked));
    assert_eq!(harness::take_up(account).heading(), Message::ConsentTitle);
}

#[test]
fn provider_option_is_opened_after_consent() {
    let mut harness = going_straight_to_a_provider();
    let effects = harness.press(Press::Agree);
    assert_eq!(effects, load_provider(&harness));
    harness.reply_provider(fixtures::provider());
    assert_eq!(harness.heading(), Message::LoginTitle);
    assert_eq!(harness.view().page.header.back, None);
}

#[test]
fn provider_option_has_no_way_back() {
    for provider in [fixtures::provider(), fixtures::provider_with_options()] {
        let mut harness = going_straight_to_a_provider();
        harness.press(Press::Agree);
        harness.reply_provider(provider);
        let before = harness.view();
        assert_eq!(before.page.header.back, None);
        assert_eq!(harness.press(Press::Back), vec![]);
        assert_eq!(harness.view(), before);
    }
}

#[test]
fn unknown_provider_option_leads_to_list() {
    let mut harness = going_straight_to_a_provider();
    harness.press(Press::Agree);
    harness.reply(Reply::Provider(Err(fixtures::problem(404, ProblemCode::MissingResource))));
    assert_eq!(harness.heading(), Message::ProviderMissingTitle);
    assert_eq!(harness.errors(), [LinkMistake::Provider]);
    let effects = harness.press(Press::ChooseAnother);
    assert_eq!(effects, vec![Effect::LoadProviders { request: harness.request, cursor: None }]);
}

#[test]
fn stale_reply_is_ignored() {
    let mut harness = harness::exchanging();
    let stale = harness.request;
    harness.reply_session(fixtures::session());
    let before = harness.view();
    let reply = Reply::Session(Err(RequestError::Unreachable));
    assert_eq!(harness.send(Event::Replied { request: stale, reply }), vec![]);
    assert_eq!(harness.view(), before);
}

#[test]
fn newer_token_replaces_token_under_way() {
    let mut harness = harness::exchanging();
    let effects = harness.send(Event::TokenSet { token: token("second") });
    assert_eq!(effects, vec![Effect::Exchange { request: harness.request, token: token("second") }]);
}

#[test]
fn provider_id_is_read_from_options() {
    let id: ProviderId = "mx_social_security".parse().unwrap();
    assert_eq!(going_straight_to_a_provider().flow.context.preferences.provider, Some(id));
}
