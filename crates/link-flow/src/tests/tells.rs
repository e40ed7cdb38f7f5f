use link_types::Mode;
use link_types::host::{AccountSubject, Callback, UiEvent, UiEventAccount, UiEventName};

use super::desk::{self, opened};
use super::stock;
use crate::event::Press;
use crate::{Effect, Event, Flow};

fn ui_events(desk: &desk::Desk) -> Vec<UiEvent> {
    let told = desk.told.iter();
    told.filter_map(|(_, it)| if let Callback::UiEvent(event) = it { Some(event.clone()) } else { None })
        .collect()
}

#[test]
fn the_first_submit_tells_that_the_account_was_created() {
    let mut desk = desk::sending();
    let effects = desk.reply_account(1, stock::logging_in());
    let key = format!("{}/accountCreated/{}", stock::attempt_id(), stock::account_id());
    let argument = AccountSubject {
        account_id: stock::account_id(),
        user_id: stock::user_id(2),
        provider_id: stock::provider_id(),
    };
    assert_eq!(effects[0], Effect::Tell { key, callback: Callback::AccountCreated(argument) });
}

#[test]
fn the_main_way_has_one_ui_event_a_screen_and_one_an_action() {
    let mut desk = desk::at_challenge(stock::code());
    desk.submit_code("1234");
    desk.reply_account(3, link_types::link::LinkPhase::Connected {});
    desk.press(Press::Done);
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
    assert_eq!(desk.ui_events(), expected);
}

#[test]
fn a_ui_event_says_who_and_which_account_and_has_its_number() {
    let desk = desk::at_challenge(stock::code());
    let events = ui_events(&desk);
    let numbers: Vec<u32> = events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=8).collect::<Vec<_>>());
    let last = UiEvent {
        event_name: UiEventName::MfaPageOpened,
        event_time: String::new(),
        mode: Mode::Sandbox,
        user_id: Some(stock::user_id(2)),
        account: Some(UiEventAccount { account_id: stock::account_id(), provider_id: stock::provider_id() }),
        archive: None,
        seq: 8,
    };
    assert_eq!(events.last(), Some(&last));
}

#[test]
fn a_program_started_again_goes_on_counting() {
    let mut desk = desk::Desk::new(link_types::host::WidgetOptions::default());
    let Event::Opened { token, mode, opening, .. } = opened() else { unreachable!() };
    desk.send(Event::Opened { token, mode, opening, last_seq: 41 });
    desk.reply_session(stock::session());
    assert_eq!(ui_events(&desk)[0].seq, 42);
}

/// Keys told, and each key's callback without its arguments.
fn keys(desk: &desk::Desk) -> Vec<(String, &'static str)> {
    desk.told.iter().map(|(key, it)| (key.clone(), desk::callback_name(it).unwrap_or("onUIEvent"))).collect()
}

#[test]
fn a_later_opening_repeats_what_happened_to_the_account_and_nothing_else() {
    let run = |opening: &str| {
        let mut desk = desk::Desk::new(link_types::host::WidgetOptions::default());
        desk.send(desk::opened_as(opening));
        desk.refuse_session(stock::problem(401, link_types::problem::ProblemCode::TokenUsed));
        desk.send(Event::TokenSet { token: desk::token("second") });
        desk.reply_session(stock::session_with(stock::progress(1, stock::logging_in())));
        desk.reply_provider(stock::provider());
        desk.session_ends();
        keys(&desk)
    };
    let (first, second) = (run("one"), run("another"));
    let again: Vec<_> = second.iter().filter(|key| first.contains(key)).map(|(_, name)| *name).collect();
    assert_eq!(again, ["onAccountCreated"]);
    let asked = first.iter().chain(&second).filter(|(_, name)| *name == "onTokenExpired").count();
    assert_eq!(asked, 4, "each opening asks for its own tokens");
    let unique: std::collections::BTreeSet<_> = first.iter().map(|(key, _)| key).collect();
    assert_eq!(unique.len(), first.len(), "no key twice in one opening: {first:?}");
}

#[test]
fn no_callback_carries_what_was_typed() {
    let mut desk = desk::at_login();
    desk.edit("username", "canary-name");
    desk.submit("password");
    desk.reply_account(1, stock::failed(link_types::LinkErrorCode::InvalidCredentials));
    let told = format!("{:?}", desk.told);
    assert!(!told.contains("canary"), "{told}");
}

#[test]
fn the_flow_is_silent_before_it_is_opened() {
    let mut flow = Flow::new(link_types::host::WidgetOptions::default());
    assert_eq!(flow.handle(Event::Pressed(Press::Agree)), vec![]);
}
