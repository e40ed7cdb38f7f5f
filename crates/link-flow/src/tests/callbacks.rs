use link_types::Mode;
use link_types::host::{AccountSubject, Callback, UiEvent, UiEventAccount, UiEventName};

use super::fixtures;
use super::harness::{self, open_event};
use crate::event::Press;
use crate::{Effect, Event, Flow};

fn ui_events(harness: &harness::Harness) -> Vec<UiEvent> {
    let emitted = harness.emitted.iter();
    emitted
        .filter_map(|(_, it)| if let Callback::UiEvent(event) = it { Some(event.clone()) } else { None })
        .collect()
}

#[test]
fn first_submit_emits_account_created() {
    let mut harness = harness::sending();
    let effects = harness.reply_account(1, fixtures::logging_in());
    let key = format!("{}/accountCreated/{}", fixtures::attempt_id(), fixtures::account_id());
    let argument = AccountSubject {
        account_id: fixtures::account_id(),
        user_id: fixtures::user_id(2),
        provider_id: fixtures::provider_id(),
    };
    assert_eq!(effects[0], Effect::Emit { key, callback: Callback::AccountCreated(argument) });
}

#[test]
fn main_path_emits_one_ui_event_per_step() {
    let mut harness = harness::at_challenge(fixtures::code());
    harness.submit_code("1234");
    harness.reply_account(3, link_types::link::LinkPhase::Connected {});
    harness.press(Press::Done);
    let expected = [
        UiEventName::ConsentPageOpened,
        UiEventName::ConsentGiven,
        UiEventName::ProviderListPageOpened,
        UiEventName::ProviderSelected,
        UiEventName::LoginPageOpened,
        UiEventName::LoginSubmitted,
        UiEventName::ConnectProgressPageOpened,
        UiEventName::MfaPageOpened,
        UiEventName::MfaSubmitted,
        UiEventName::ConnectSuccessPageOpened,
    ];
    assert_eq!(harness.ui_events(), expected);
}

#[test]
fn ui_event_has_user_account_and_number() {
    let harness = harness::at_challenge(fixtures::code());
    let events = ui_events(&harness);
    let numbers: Vec<u32> = events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=8).collect::<Vec<_>>());
    let last = UiEvent {
        event_name: UiEventName::MfaPageOpened,
        event_time: String::new(),
        mode: Mode::Sandbox,
        user_id: Some(fixtures::user_id(2)),
        account: Some(UiEventAccount {
            account_id: fixtures::account_id(),
            provider_id: fixtures::provider_id(),
        }),
        archive: None,
        seq: 8,
    };
    assert_eq!(events.last(), Some(&last));
}

#[test]
fn restarted_program_continues_numbers() {
    let mut harness = harness::Harness::new(link_types::host::WidgetOptions::default());
    let Event::Opened { token, mode, is_touch, opening, .. } = open_event() else { unreachable!() };
    harness.send(Event::Opened { token, mode, is_touch, opening, last_seq: 41 });
    harness.reply_session(fixtures::session());
    assert_eq!(ui_events(&harness)[0].seq, 42);
}

/// Returns the emitted keys and the name of each key's callback.
fn keys(harness: &harness::Harness) -> Vec<(String, &'static str)> {
    harness
        .emitted
        .iter()
        .map(|(key, it)| (key.clone(), harness::callback_name(it).unwrap_or("onUIEvent")))
        .collect()
}

#[test]
fn later_opening_repeats_account_keys_only() {
    let run = |opening: &str| {
        let mut harness = harness::Harness::new(link_types::host::WidgetOptions::default());
        harness.send(harness::open_event_as(opening));
        harness.refuse_session(fixtures::problem(401, link_types::problem::ProblemCode::TokenUsed));
        harness.send(Event::TokenSet { token: harness::token("second") });
        harness.reply_session(fixtures::session_with(fixtures::progress(1, fixtures::logging_in())));
        harness.reply_provider(fixtures::provider());
        harness.session_ends();
        keys(&harness)
    };
    let (first, second) = (run("one"), run("another"));
    let again: Vec<_> = second.iter().filter(|key| first.contains(key)).map(|(_, name)| *name).collect();
    assert_eq!(again, ["onAccountCreated"]);
    let asked = first.iter().chain(&second).filter(|(_, name)| *name == "onTokenExpired").count();
    assert_eq!(asked, 4, "both openings request their tokens");
    let unique: std::collections::BTreeSet<_> = first.iter().map(|(key, _)| key).collect();
    assert_eq!(unique.len(), first.len(), "each key is unique in an opening: {first:?}");
}

#[test]
fn callbacks_contain_no_typed_text() {
    let mut harness = harness::at_login();
    harness.edit("username", "canary-name");
    harness.submit("password");
    harness.reply_account(1, fixtures::failed_phase(link_types::LinkErrorCode::InvalidCredentials));
    let emitted = format!("{:?}", harness.emitted);
    assert!(!emitted.contains("canary"), "{emitted}");
}

#[test]
fn flow_emits_nothing_before_opening() {
    let mut flow = Flow::new(link_types::host::WidgetOptions::default());
    assert_eq!(flow.handle(Event::Pressed(Press::Agree)), vec![]);
}
