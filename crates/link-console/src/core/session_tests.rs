//! Tests of what is shown once, and of what a session leaves behind.

use link_types::console::{
    CreatedKey, KeyCredentials, KeyDraft, Member, MemberDraft, OneTimeAddress, RoleChange,
};
use link_types::id::MemberId;
use link_types::{Mode, Timestamp};

use super::loaded::no_key;
use super::question::Act;
use super::state::Once;
use super::tests::{PRODUCTION, SANDBOX, key, member, signed_in, start};
use super::*;

fn make_key(name: &str) -> CreatedKey {
    CreatedKey {
        key: key(name),
        credentials: Some(KeyCredentials { api_key: "lpk".into(), api_secret: name.into() }),
    }
}

fn create(mode: Mode, name: &str) -> Request {
    Request::CreateKey(mode, KeyDraft { name: name.into(), ..no_key() })
}

fn key_created(mode: Mode, name: &str) -> Event {
    Event::respond(create(mode, name), Ok(Response::CreatedKey(Box::new(make_key(name)))))
}

fn address(url: &str) -> OneTimeAddress {
    OneTimeAddress { member: member(), url: url.into(), expires_at: Timestamp::from_micros(0) }
}

fn respond_with(request: Request, url: &str) -> Event {
    Event::respond(request, Ok(Response::Address(Box::new(address(url)))))
}

/// Returns the request that is sent.
fn last_request(effects: &[Effect]) -> Request {
    match effects {
        [Effect::Send(request)] => request.clone(),
        _ => panic!("{effects:?}"),
    }
}

/// Another member signs in.
fn other_signed_in() -> Response {
    let Response::SignedIn(mut other) = signed_in() else { panic!("not signed in") };
    other.member.id = MemberId::from_bytes([2; 16]);
    Response::SignedIn(other)
}

/// The state of a member who typed, saw a list and created a key.
fn busy() -> State {
    let mut state = start(Page::Members);
    state.handle(Event::NameTyped("Bo".into()));
    state.handle(Event::respond(Request::ListMembers, Ok(Response::Members(vec![member()]))));
    state.handle(key_created(Mode::Sandbox, "Payroll"));
    state
}

#[test]
fn secret_is_shown_on_every_page_until_dismissed() {
    let mut state = start(SANDBOX);
    state.handle(Event::NameTyped("Payroll".into()));
    state.handle(Event::Submitted);
    state.handle(Event::Opened(PRODUCTION));
    let effects = state.handle(key_created(Mode::Sandbox, "Payroll"));
    assert_eq!(effects, [Effect::Focus(".once"), Effect::Send(Request::ListKeys(Mode::Production))]);
    assert_eq!(state.sandbox_form.draft.name, "");
    state.handle(key_created(Mode::Production, "Live"));
    state.handle(Event::Opened(Page::Overview));
    let [live, payroll] =
        [(Mode::Production, "Live"), (Mode::Sandbox, "Payroll")].map(|it| Once::Key(it.0, make_key(it.1)));
    assert_eq!(state.once, [live, payroll.clone()]);
    state.handle(Event::Dismissed(0));
    assert_eq!(state.once, [payroll]);
}

#[test]
fn each_environment_has_its_own_form() {
    let mut state = start(SANDBOX);
    state.handle(Event::NameTyped("Payroll".into()));
    state.handle(Event::Submitted);
    state.handle(Event::Opened(PRODUCTION));
    state.handle(Event::NameTyped("Live".into()));
    state.handle(key_created(Mode::Sandbox, "Payroll"));
    assert_eq!(state.production_form.draft.name, "Live");
    assert_eq!(state.handle(Event::Submitted), [Effect::Send(create(Mode::Production, "Live"))]);
}

#[test]
fn text_typed_during_a_request_survives_its_response() {
    let mut state = start(SANDBOX);
    state.handle(Event::NameTyped("Payroll".into()));
    state.handle(Event::Submitted);
    state.handle(Event::NameTyped("Next".into()));
    state.handle(key_created(Mode::Sandbox, "Payroll"));
    assert_eq!((state.sandbox_form.draft.name.as_str(), state.sandbox_form.is_sending), ("Next", false));
}

#[test]
fn address_for_a_member_leaves_the_form_alone() {
    let mut state = start(Page::Members);
    state.handle(Event::NameTyped("Bo".into()));
    let wanted = last_request(&state.handle(Event::AddressWanted(member())));
    assert_eq!(state.handle(Event::Submitted), [], "while the address is on its way");
    assert_eq!(state.handle(Event::AddressWanted(member())), [], "a second press");
    state.handle(respond_with(wanted, "first"));
    assert_eq!((state.member_form.draft.name.as_str(), state.member_form.is_sending), ("Bo", false));

    let invite = last_request(&state.handle(Event::Submitted));
    assert_eq!(state.handle(Event::AddressWanted(member())), [], "while the invitation is on its way");
    assert!(matches!(invite, Request::InviteMember(MemberDraft { .. })));
    state.handle(respond_with(invite, "second"));
    assert_eq!((state.member_form.draft.name.as_str(), state.awaits_address()), ("", false));
    assert_eq!(state.once, [Once::Address(address("second"))], "the first one does not work any more");
}

#[test]
fn failed_address_can_be_wanted_again() {
    let mut state = start(Page::Members);
    state.handle(Event::AddressWanted(member()));
    state.handle(Event::respond(Request::CreateAddress(member().id), Err(Failure::Offline)));
    assert_eq!(state.failure, Some(Failure::Offline));
    assert_eq!(state.handle(Event::AddressWanted(member())).len(), 1);
}

#[test]
fn question_survives_the_response_to_another_act() {
    let mut state = start(Page::Members);
    state.handle(Event::Asked(Act::RemoveMember(member())));
    let Member { id, role, .. } = member();
    state.handle(Event::respond(Request::ChangeRole(id, RoleChange { role }), Ok(Response::Done)));
    assert!(state.question.is_some());
    let other = Request::RemoveMember(MemberId::from_bytes([2; 16]));
    state.handle(Event::respond(other, Err(Failure::Gone)));
    assert_eq!((state.question.unwrap().failure, state.failure), (None, Some(Failure::Gone)));
}

#[test]
fn ended_session_leaves_only_what_was_typed() {
    let mut state = busy();
    state.handle(Event::respond(Request::ListMembers, Err(Failure::SignedOut)));
    let mut left = State { visitor: Visitor::SignedOut, page: Page::Members, ..State::new() };
    left.member_form.draft.name = "Bo".into();
    left.last_member = Some(member().id);
    assert_eq!(state, left);

    state.handle(key_created(Mode::Sandbox, "late"));
    assert_eq!(state, left, "a late response");
    let mut same = state.clone();
    same.handle(Event::respond(Request::WhoIsThere, Ok(signed_in())));
    assert_eq!(same.member_form.draft.name, "Bo");
    state.handle(Event::respond(Request::WhoIsThere, Ok(other_signed_in())));
    assert!(!state.has_typed(), "another member");
}

#[test]
fn signing_out_of_an_ended_session_leaves_nothing() {
    let mut state = busy();
    state.handle(Event::SignOut);
    assert_eq!(state.handle(Event::SignOut), [], "a second press");
    state.handle(Event::respond(Request::SignOut, Err(Failure::SignedOut)));
    assert_eq!(state, State { visitor: Visitor::SignedOut, page: Page::Members, ..State::new() });
}

#[test]
fn new_address_in_the_same_tab_replaces_the_used_one() {
    let mut state = State::new();
    state.handle(Event::Started(Page::Enter, true));
    state.handle(Event::SignIn);
    state.handle(Event::respond(Request::SignIn, Err(Failure::SignedOut)));
    assert_eq!(state.handle(Event::CodeChanged(true)), [Effect::Focus("h1")]);
    assert_eq!((state.failure.as_ref(), state.has_code), (None, true));
    state.handle(Event::SignIn);
    state.handle(Event::CodeChanged(true));
    assert_eq!(state.handle(Event::respond(Request::SignIn, Err(Failure::SignedOut))), []);
    assert_eq!(state.failure, None, "it was about the earlier address");
    state.handle(Event::CodeChanged(false));
    assert!(!state.has_code);
}

#[test]
fn link_within_a_page_changes_nothing() {
    let mut state = start(Page::Members);
    let before = state.clone();
    assert_eq!(state.handle(Event::CodeChanged(true)), []);
    assert_eq!(state, before);
}

#[test]
fn slow_first_question_does_not_end_a_new_session() {
    let mut state = State::new();
    state.handle(Event::Started(Page::Enter, true));
    state.handle(Event::SignIn);
    state.handle(Event::respond(Request::SignIn, Ok(signed_in())));
    state.handle(Event::respond(Request::WhoIsThere, Err(Failure::SignedOut)));
    assert!(matches!(state.visitor, Visitor::SignedIn(_)));
}
