use link_types::Mode;
use link_types::console::people::{FoundBy, FoundPerson, Happening, Person, PersonDelivery, TimelineEntry};
use link_types::event::EventType;
use link_types::id::{DeliveryId, EventId, InviteId, UserId, WebhookId};
use link_types::webhook::DeliveryStatus;

use super::request::{PeopleRequest, PeopleResponse};
use super::{PeopleInput, Removal};
use crate::core::page::Page;
use crate::core::question::Act;
use crate::core::tests::start;
use crate::core::webhook_key::PersonKey;
use crate::core::{Effect, Event, Failure, Loaded, Request, Response, State, Text};

const SEARCH: Page = Page::People(Mode::Sandbox);

fn user() -> UserId {
    "demo-0192f0c1a2b37c4d8e5f60718293a4b5".parse().unwrap()
}

fn key() -> PersonKey {
    PersonKey::new(&user())
}

fn found_people() -> Vec<FoundPerson> {
    let created_at = "2026-11-20T10:00:00.000Z".parse().unwrap();
    vec![FoundPerson { id: user(), reference: None, created_at, found_by: FoundBy::Address }]
}

fn person(status: DeliveryStatus) -> Box<Person> {
    let at = "2026-11-20T10:00:00.000Z".parse().unwrap();
    let delivery = PersonDelivery {
        id: DeliveryId::from_bytes([1; 16]),
        webhook_id: WebhookId::from_bytes([1; 16]),
        status,
        attempts: 1,
    };
    let what = Happening::Event {
        id: EventId::from_bytes([1; 16]),
        event_type: EventType::AccountConnected,
        subject_id: "a-1".into(),
        deliveries: vec![delivery],
    };
    Box::new(Person {
        id: user(),
        reference: Some("customer-7".into()),
        created_at: at,
        accounts: Vec::new(),
        archives: Vec::new(),
        invites: Vec::new(),
        timeline: vec![TimelineEntry { at, what }],
        has_more: false,
    })
}

fn respond(state: &mut State, sent: PeopleRequest, response: Result<PeopleResponse, Failure>) -> Vec<Effect> {
    let sent = Request::People(Mode::Sandbox, sent);
    state.handle(Event::respond(sent, response.map(Response::People)))
}

fn send_effect(request: PeopleRequest) -> Effect {
    Effect::Send(Request::People(Mode::Sandbox, request))
}

fn search(state: &mut State, text: &str) -> Vec<Effect> {
    state.handle(Event::People(PeopleInput::FindTyped(text.into())));
    state.handle(Event::Submitted)
}

/// Returns the portal on the page of the person.
fn open_person() -> State {
    let mut state = start(Page::Person(Mode::Sandbox, key()));
    let response = PeopleResponse::Person(person(DeliveryStatus::Delivered));
    respond(&mut state, PeopleRequest::Get(key()), Ok(response));
    state
}

#[test]
fn search_stays_while_the_member_looks_at_a_person_of_it() {
    let mut state = start(SEARCH);
    assert_eq!(
        search(&mut state, "ana@example.com"),
        [send_effect(PeopleRequest::Search("ana@example.com".into()))]
    );
    assert_eq!(state.handle(Event::Submitted), [], "one search at a time");
    let request = PeopleRequest::Search("ana@example.com".into());
    let effects = respond(&mut state, request, Ok(PeopleResponse::Found(found_people())));
    assert_eq!(effects, [Effect::Focus("#found")]);
    state.handle(Event::Opened(Page::Person(Mode::Sandbox, key())));
    state.handle(Event::Opened(SEARCH));
    assert_eq!(state.people.found, Some(found_people()));
    assert_eq!(state.people.search.draft, "ana@example.com");
    state.handle(Event::Opened(Page::People(Mode::Production)));
    assert_eq!(state.people.found, None, "production does not show people of the sandbox");
    state.handle(Event::Opened(Page::Members));
    assert_eq!(state.people.search.draft, "");
}

#[test]
fn refused_search_keeps_the_text() {
    let mut state = start(SEARCH);
    search(&mut state, "customer-7");
    let effects = respond(&mut state, PeopleRequest::Search("customer-7".into()), Err(Failure::Offline));
    assert_eq!(effects, [Effect::Focus("[aria-invalid=true], #failure")]);
    assert_eq!((state.people.search.draft.as_str(), state.people.search.is_sending), ("customer-7", false));
}

#[test]
fn page_of_a_person_asks_again_while_a_delivery_is_sent() {
    let mut state = start(Page::Person(Mode::Sandbox, key()));
    let get = PeopleRequest::Get(key());
    let pending = PeopleResponse::Person(person(DeliveryStatus::Pending));
    let effects = respond(&mut state, get.clone(), Ok(pending));
    assert_eq!(effects, [Effect::SendLater(Request::People(Mode::Sandbox, get.clone()))]);
    let delivered = PeopleResponse::Person(person(DeliveryStatus::Delivered));
    assert_eq!(respond(&mut state, get, Ok(delivered)), []);
}

#[test]
fn one_act_at_a_time() {
    let mut state = open_person();
    let invite = InviteId::from_bytes([1; 16]);
    let mail = PeopleRequest::Mail(key(), invite.clone());
    let wanted = Event::People(PeopleInput::MailWanted(invite));
    assert_eq!(state.handle(wanted.clone()), [send_effect(mail.clone())]);
    assert_eq!(state.handle(wanted.clone()), []);
    assert_eq!(
        respond(&mut state, mail.clone(), Ok(PeopleResponse::Done)),
        [send_effect(PeopleRequest::Get(key()))]
    );
    assert_eq!(state.notice, Some(Text::InviteSent));
    assert_eq!(state.handle(wanted), [send_effect(mail.clone())]);
    respond(&mut state, mail, Err(Failure::Refused("20 mails".into())));
    assert_eq!((state.failure, state.people.acting), (Some(Failure::Refused("20 mails".into())), None));
}

#[test]
fn erased_person_leads_back_to_the_search() {
    let mut state = open_person();
    let removal = Removal::User(user());
    state.handle(Event::Asked(Act::Remove(Mode::Sandbox, removal.clone())));
    assert_eq!(state.handle(Event::Confirmed), [send_effect(removal.request())]);
    let effects = respond(&mut state, removal.request(), Ok(PeopleResponse::Done));
    assert_eq!(effects, [Effect::GoTo(SEARCH)]);
    state.handle(Event::Opened(SEARCH));
    assert_eq!((state.notice, state.question), (Some(Text::PersonErased), None));
}

#[test]
fn production_asks_for_the_end_of_the_id() {
    let mut state = open_person();
    state.handle(Event::Asked(Act::Remove(Mode::Production, Removal::User(user()))));
    assert_eq!(state.handle(Event::Confirmed), [], "the word is missing");
    state.handle(Event::WordTyped("93a4b5".into()));
    assert_eq!(state.handle(Event::Confirmed).len(), 1);
}

#[test]
fn late_response_about_another_person_is_not_shown() {
    let mut state = open_person();
    let other = PersonKey::new(&"demo-00000000000000000000000000000001".parse().unwrap());
    state.handle(Event::Opened(Page::Person(Mode::Sandbox, other)));
    let response = PeopleResponse::Person(person(DeliveryStatus::Delivered));
    respond(&mut state, PeopleRequest::Get(key()), Ok(response));
    assert_eq!(state.people.person, Loaded::Loading);
}
