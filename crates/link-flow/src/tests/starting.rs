use link_types::host::{UiEventName, WidgetOptions};
use link_types::id::ProviderId;
use link_types::link::LinkPhase;
use link_types::problem::ProblemCode;

use super::desk::{self, Desk, opened, token};
use super::stock;
use crate::event::{Press, Refusal, Reply};
use crate::generated::message::Message;
use crate::{Effect, Event};

fn going_straight_to_a_provider() -> Desk {
    let mut desk = Desk::new(WidgetOptions {
        provider_id: Some(stock::provider_id().as_str().to_owned()),
        ..WidgetOptions::default()
    });
    desk.send(opened());
    desk.reply_session(stock::session());
    desk
}

fn load_provider(desk: &Desk) -> Vec<Effect> {
    vec![Effect::LoadProvider { request: desk.request, provider: stock::provider_id() }]
}

#[test]
fn opening_exchanges_the_token() {
    let mut desk = Desk::new(WidgetOptions::default());
    let effects = desk.send(opened());
    assert_eq!(
        effects,
        vec![Effect::Ready, Effect::Exchange { request: desk.request, token: token("first") }]
    );
    assert_eq!(desk.heading(), Message::StartingTitle);
}

#[test]
fn a_session_leads_to_the_consent_page() {
    let mut desk = desk::exchanging();
    assert_eq!(desk.reply_session(stock::session()), vec![]);
    assert_eq!(desk.heading(), Message::ConsentTitle);
    assert_eq!(desk.ui_events(), [UiEventName::ConsentPageOpened]);
}

#[test]
fn a_lost_answer_is_asked_for_again_with_the_same_token() {
    let mut desk = desk::exchanging();
    let rest = desk.refuse_session(Refusal::Unreachable);
    assert_eq!(rest, vec![Effect::StartTimer { timer: desk.timer, after_ms: 800 }]);
    let again = desk.wait(800);
    assert_eq!(again, vec![Effect::Exchange { request: desk.request, token: token("first") }]);
}

#[test]
fn after_three_failures_the_person_decides() {
    let mut desk = desk::exchanging();
    desk.refuse_session(Refusal::Unreachable);
    desk.wait(800);
    desk.refuse_session(Refusal::Unreachable);
    desk.wait(2_400);
    assert_eq!(desk.refuse_session(Refusal::Unreachable), vec![]);
    assert_eq!(desk.heading(), Message::OfflineTitle);
    let again = desk.press(Press::Retry);
    assert_eq!(again, vec![Effect::Exchange { request: desk.request, token: token("first") }]);
    assert_eq!(desk.heading(), Message::StartingTitle);
}

#[test]
fn a_service_in_trouble_is_told_from_a_lost_connection() {
    let mut desk = desk::exchanging();
    for _ in 0..3 {
        desk.refuse_session(stock::problem(503, ProblemCode::ServiceUnavailable));
        desk.wait(1);
    }
    assert_eq!(desk.heading(), Message::UnavailableTitle);
}

#[test]
fn a_token_the_service_does_not_know_ends_honestly() {
    let mut desk = desk::exchanging();
    assert_eq!(desk.refuse_session(stock::problem(401, ProblemCode::InvalidToken)), vec![]);
    assert_eq!(desk.heading(), Message::RefusedTitle);
    assert_eq!(desk.actions().0.press, Press::Leave);
}

#[test]
fn a_second_opening_changes_nothing() {
    let mut desk = desk::at_consent();
    assert_eq!(desk.send(opened()), vec![]);
    assert_eq!(desk.heading(), Message::ConsentTitle);
}

#[test]
fn a_reload_in_the_middle_of_a_challenge_goes_on_there() {
    let mut desk = desk::exchanging();
    let account = stock::progress(4, stock::challenged(stock::code()));
    let effects = desk.reply_session(stock::session_with(account));
    assert_eq!(effects, load_provider(&desk));
    desk.reply_provider(stock::provider());
    assert_eq!(desk.heading(), Message::ChallengeCodeTitle);
    assert_eq!(desk.ui_events(), [UiEventName::MfaPageOpened]);
    assert_eq!(desk.callbacks(), ["onAccountCreated"]);
}

#[test]
fn a_reload_while_connecting_polls_on_from_the_version_known() {
    let mut desk = desk::taken_up(stock::progress(4, stock::logging_in()));
    let effects = desk.reply_provider(stock::provider());
    let poll = Effect::PollAccount {
        request: desk.request,
        account: stock::account_id(),
        after: 4,
        wait_ms: 20_000,
    };
    assert_eq!(effects.last(), Some(&poll));
    assert_eq!(desk.heading(), Message::ConnectingTitle);
}

#[test]
fn a_reload_after_success_shows_success() {
    let mut desk = desk::taken_up(stock::progress(9, LinkPhase::Connected {}));
    desk.reply_provider(stock::provider());
    assert_eq!(desk.heading(), Message::SuccessTitle);
    assert_eq!(desk.callbacks(), ["onAccountCreated", "onAccountConnected"]);
}

#[test]
fn an_attempt_that_failed_begins_anew() {
    let account = stock::progress(4, stock::failed(link_types::LinkErrorCode::AccountLocked));
    assert_eq!(desk::taken_up(account).heading(), Message::ConsentTitle);
}

#[test]
fn a_provider_the_page_names_is_opened_after_the_consent() {
    let mut desk = going_straight_to_a_provider();
    let effects = desk.press(Press::Agree);
    assert_eq!(effects, load_provider(&desk));
    desk.reply_provider(stock::provider());
    assert_eq!(desk.heading(), Message::LoginTitle);
    assert_eq!(desk.view().page.header.back, None);
}

#[test]
fn a_provider_the_page_names_wrongly_leads_to_the_list() {
    let mut desk = going_straight_to_a_provider();
    desk.press(Press::Agree);
    desk.reply(Reply::Provider(Err(stock::problem(404, ProblemCode::MissingResource))));
    assert_eq!(desk.heading(), Message::ProviderMissingTitle);
    let effects = desk.press(Press::ChooseAnother);
    assert_eq!(effects, vec![Effect::LoadProviders { request: desk.request, cursor: None }]);
}

#[test]
fn a_stale_answer_changes_nothing() {
    let mut desk = desk::exchanging();
    let stale = desk.request;
    desk.reply_session(stock::session());
    let before = desk.view();
    let reply = Reply::Session(Err(Refusal::Unreachable));
    assert_eq!(desk.send(Event::Replied { request: stale, reply }), vec![]);
    assert_eq!(desk.view(), before);
}

#[test]
fn a_newer_token_takes_the_place_of_one_that_is_being_exchanged() {
    let mut desk = desk::exchanging();
    let effects = desk.send(Event::TokenSet { token: token("second") });
    assert_eq!(effects, vec![Effect::Exchange { request: desk.request, token: token("second") }]);
}

#[test]
fn a_provider_id_is_read_from_the_options() {
    let id: ProviderId = "mx_social_security".parse().unwrap();
    assert_eq!(going_straight_to_a_provider().flow.context.preferences.provider, Some(id));
}
