//! Tests of the rules.

use link_types::console::{
    ConsoleKey, CreatedKey, KeyDraft, KeyRotation, KeyScope, KeyState, Member, Permission, Role, SignedIn,
    full_access,
};
use link_types::id::MemberId;
use link_types::problem::{FaultCode, FieldFault};
use link_types::{Mode, Timestamp};

use super::failure::Problem;
use super::loaded::no_key;
use super::question::Act;
use super::*;

pub(super) fn member() -> Member {
    Member {
        id: MemberId::from_bytes([1; 16]),
        email: "ana@shop.example".into(),
        name: "Ana".into(),
        role: Role::Owner,
        created_at: Timestamp::from_micros(0),
    }
}

pub(super) fn signed_in() -> Response {
    Response::SignedIn(Box::new(SignedIn {
        member: member(),
        tenant_id: "demo".parse().unwrap(),
        tenant_name: "Demo".into(),
        sandbox: Permission::ALL.to_vec(),
        production: vec![Permission::ReadKeys],
        sandbox_url: String::new(),
        production_url: String::new(),
        ends_at: Timestamp::from_micros(0),
        has_passkeys: true,
    }))
}

pub(super) fn key(name: &str) -> ConsoleKey {
    ConsoleKey {
        id: "abc".into(),
        name: name.into(),
        last_four: "1f30".into(),
        scopes: full_access(),
        state: KeyState::Active,
        expires_at: None,
        last_used_at: None,
        created_at: Timestamp::from_micros(0),
        revoked_at: None,
    }
}

/// Starts on a page, signed in, with its list requested.
pub(super) fn start(page: Page) -> State {
    let mut state = State::new();
    assert_eq!(state.handle(Event::Started(page, false)), [Effect::Send(Request::WhoIsThere)]);
    let effects = state.handle(Event::respond(Request::WhoIsThere, Ok(signed_in())));
    assert_eq!(effects, page.lists(&Default::default()).into_iter().map(Effect::Send).collect::<Vec<_>>());
    state
}

pub(super) const SANDBOX: Page = Page::Keys(Mode::Sandbox);
pub(super) const PRODUCTION: Page = Page::Keys(Mode::Production);

#[test]
fn code_is_exchanged_only_if_the_person_asks() {
    let mut state = State::new();
    state.handle(Event::Started(Page::Enter, true));
    let effects = state.handle(Event::respond(Request::WhoIsThere, Err(Failure::SignedOut)));
    assert!(!effects.contains(&Effect::Send(Request::SignIn)));
    assert_eq!(state.handle(Event::SignIn), [Effect::Send(Request::SignIn)]);
    assert_eq!(state.handle(Event::SignIn), [], "a second press");
    let effects = state.handle(Event::respond(Request::SignIn, Ok(signed_in())));
    assert_eq!(effects, [Effect::GoTo(Page::Overview)]);
}

#[test]
fn used_address_is_reported_on_its_page() {
    let mut state = State::new();
    state.handle(Event::Started(Page::Enter, true));
    state.handle(Event::SignIn);
    state.handle(Event::respond(Request::SignIn, Err(Failure::SignedOut)));
    assert_eq!((state.failure, state.is_signing), (Some(Failure::SignedOut), false));
}

#[test]
fn typed_text_survives_errors_and_the_end_of_the_session() {
    let mut state = start(SANDBOX);
    state.handle(Event::NameTyped("Payroll".into()));
    let draft = KeyDraft { name: "Payroll".into(), ..no_key() };
    let create = Request::CreateKey(Mode::Sandbox, draft.clone());
    for failure in [Failure::Offline, Failure::Busy(3), Failure::Refused("limit".into()), Failure::SignedOut]
    {
        assert_eq!(state.handle(Event::Submitted), [Effect::Send(create.clone())]);
        assert_eq!(state.handle(Event::Submitted), [], "a second press");
        state.handle(Event::respond(create.clone(), Err(failure)));
        assert_eq!((&state.sandbox_form.draft, state.sandbox_form.is_sending), (&draft, false));
    }
    assert_eq!(state.visitor, Visitor::SignedOut);
    state.handle(Event::Retry);
    state.handle(Event::respond(Request::WhoIsThere, Ok(signed_in())));
    assert_eq!(state.sandbox_form.draft, draft);
}

#[test]
fn fault_of_a_field_is_found_by_its_name() {
    let fault = FieldFault {
        field: "name".into(),
        code: FaultCode::Invalid,
        message: "1 to 80 characters".into(),
        file_fault: None,
    };
    let problem = Problem { errors: vec![fault], ..Problem::default() };
    let failure = Failure::from_response(422, problem, None, Language::English);
    assert_eq!(failure.about("name"), Some("1 to 80 characters"));
    assert_eq!(failure.about("email"), None);
}

#[test]
fn each_status_has_its_failure() {
    let of = |status| {
        let problem = Problem { detail: "why".into(), request_id: "r1".into(), ..Problem::default() };
        Failure::from_response(status, problem, (status == 429).then_some(7), Language::English)
    };
    assert_eq!(of(401), Failure::SignedOut);
    assert_eq!(of(404), Failure::Gone);
    assert_eq!(of(409), Failure::Refused("why".into()));
    assert_eq!(of(429), Failure::Busy(7));
    assert_eq!(of(422), Failure::Broken("r1".into()), "without faults");
    assert_eq!(of(503), Failure::Broken("r1".into()));
}

#[test]
fn refusal_is_the_role_s_only_if_the_service_says_so() {
    let of = |detail: &str| {
        let problem = Problem { detail: detail.into(), ..Problem::default() };
        Failure::from_response(403, problem, None, Language::English)
    };
    assert_eq!(of("Your role does not include this permission."), Failure::Denied);
    assert_eq!(of(""), Failure::Denied);
    let foreign = "The request does not come from a page of the developer portal.";
    assert_eq!(of(foreign), Failure::Refused(foreign.into()));
}

#[test]
fn late_list_of_the_other_environment_is_ignored() {
    let mut state = start(SANDBOX);
    state.handle(Event::Opened(PRODUCTION));
    let late = Event::respond(Request::ListKeys(Mode::Sandbox), Ok(Response::Keys(vec![key("test")])));
    state.handle(late);
    assert_eq!(state.keys, Loaded::Loading);
    let late = Event::respond(Request::ListKeys(Mode::Sandbox), Err(Failure::Offline));
    state.handle(late);
    assert_eq!(state.keys, Loaded::Loading);
}

#[test]
fn production_key_is_revoked_only_after_its_name_was_typed() {
    let mut state = start(PRODUCTION);
    state.handle(Event::Asked(Act::RevokeKey(Mode::Production, key("Payroll"))));
    assert_eq!(state.handle(Event::Confirmed), []);
    state.handle(Event::WordTyped("payroll".into()));
    assert_eq!(state.handle(Event::Confirmed), []);
    state.handle(Event::WordTyped(" Payroll ".into()));
    let revoke = Request::RevokeKey(Mode::Production, "abc".into());
    assert_eq!(state.handle(Event::Confirmed), [Effect::Send(revoke.clone())]);
    assert_eq!(state.handle(Event::Confirmed), [], "a second press");
    state.handle(Event::respond(revoke, Ok(Response::Done)));
    assert_eq!((state.question, state.notice), (None, Some(Text::KeyRevoked)));
}

#[test]
fn chosen_access_and_life_are_sent() {
    let mut state = start(SANDBOX);
    state.handle(Event::NameTyped("Payroll".into()));
    state.handle(Event::AccessChosen(2));
    state.handle(Event::LifeChosen(1));
    state.handle(Event::LifeChosen(9));
    let draft = KeyDraft {
        scopes: vec![KeyScope::Webhooks],
        expires_in_days: Some(30),
        name: "Payroll".into(),
        code: None,
    };
    assert_eq!(state.handle(Event::Submitted), [Effect::Send(Request::CreateKey(Mode::Sandbox, draft))]);
}

#[test]
fn rotated_key_shows_its_successor_once() {
    let mut state = start(PRODUCTION);
    state.handle(Event::Asked(Act::RotateKey(Mode::Production, key("Payroll"))));
    state.handle(Event::HoursChosen(1));
    let rotate = Request::RotateKey(Mode::Production, "abc".into(), KeyRotation { hours: 1 });
    assert_eq!(state.handle(Event::Confirmed), [Effect::Send(rotate.clone())]);
    let created = CreatedKey { key: key("Payroll"), credentials: None };
    state.handle(Event::respond(rotate, Ok(Response::CreatedKey(Box::new(created)))));
    assert_eq!((state.question, state.once.len()), (None, 1));
}

#[test]
fn sandbox_key_and_unnamed_key_have_their_own_confirmation() {
    let mut state = start(SANDBOX);
    state.handle(Event::Asked(Act::RevokeKey(Mode::Sandbox, key("test"))));
    assert_eq!(state.question.as_ref().unwrap().word(), None);
    state.handle(Event::Asked(Act::RevokeKey(Mode::Production, key(""))));
    assert_eq!(state.question.unwrap().word(), Some("1f30"));
}

#[test]
fn signing_out_leaves_nothing_behind() {
    let mut state = start(Page::Members);
    state.handle(Event::NameTyped("Bo".into()));
    state.handle(Event::respond(Request::ListMembers, Ok(Response::Members(vec![member()]))));
    assert_eq!(state.handle(Event::SignOut), [Effect::Send(Request::SignOut)]);
    state.handle(Event::respond(Request::SignOut, Ok(Response::Done)));
    assert_eq!(state, State { visitor: Visitor::SignedOut, page: Page::Members, ..State::new() });
}

#[test]
fn role_texts_promise_only_pages_that_exist() {
    for role in Role::ALL {
        for language in [Language::English, Language::Spanish] {
            let text = Text::for_role(*role).in_language(language);
            let names_page = ["keys", "claves"].iter().any(|word| text.contains(word));
            let names_other = ["tatus", "stado", "data", "datos"].iter().any(|word| text.contains(word));
            assert!(names_page && !names_other, "{role}: {text}");
        }
    }
}

#[test]
fn refused_role_loads_the_members_again() {
    let mut state = start(Page::Members);
    let effects = state.handle(Event::RoleGiven(member(), Role::Viewer));
    let [Effect::Send(change)] = effects.as_slice() else { panic!("{effects:?}") };
    let conflict = Failure::Refused("A tenant must keep one owner.".into());
    let effects = state.handle(Event::respond(change.clone(), Err(conflict.clone())));
    assert!(effects.contains(&Effect::Send(Request::ListMembers)));
    assert_eq!(state.failure, Some(conflict));
}

#[test]
fn texts_with_a_value_have_its_place_in_both_languages() {
    for text in [Text::Busy, Text::Broken, Text::TypeToConfirm, Text::RevokeNamed, Text::AddressText] {
        for language in [Language::English, Language::Spanish] {
            assert!(language.fill(text, "X").contains('X'), "{text:?} {language:?}");
        }
    }
    assert_eq!(Language::from_tag("es-AR").tag(), "es-MX");
    assert_eq!(Language::from_tag("est").tag(), "en");
}

#[test]
fn lists_to_choose_from_are_loaded_to_their_end() {
    let kind = templates::kind::TemplateKind::Link;
    let query = Default::default();
    for page in [
        Page::NewTemplate(Mode::Sandbox, kind),
        Page::NewSite(Mode::Sandbox),
        Page::Inviting(Mode::Production),
    ] {
        for request in page.lists(&query) {
            assert!(request.is_whole_list(), "{request:?}");
            // The shell adds the cursor of the next page.
            assert!(request.parts().1.ends_with("?size=150"), "{request:?}");
        }
    }
    let read = Page::Templates(Mode::Sandbox, kind).lists(&query);
    assert!(read.iter().all(|it| !it.is_whole_list()), "a member loads more of {read:?}");
}
