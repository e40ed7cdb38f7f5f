//! Tests of single sign-on.

use link_types::console::Role;
use link_types::console::single_sign_on::SingleSignOn;
use link_types::problem::{FaultCode, FieldFault};

use super::request::{SignOnField, SignOnRequest, SignOnResponse, Way};
use super::*;
use crate::core::request::{Request, Response};
use crate::core::tests::signed_in;
use crate::core::{Effect, Event, Failure, Page, State, Text};

fn input(state: &mut State, input: SignOnInput) -> Vec<Effect> {
    state.handle(Event::SignOn(input))
}

fn respond(state: &mut State, sent: SignOnRequest, response: SignOnResponse) -> Vec<Effect> {
    state.handle(Event::respond(Request::SignOn(sent), Ok(Response::SignOn(response))))
}

fn refuse(state: &mut State, sent: SignOnRequest, failure: Failure) -> Vec<Effect> {
    state.handle(Event::respond(Request::SignOn(sent), Err(failure)))
}

fn signed_out_state() -> State {
    let mut state = State::new();
    state.handle(Event::Started(Page::Overview, false));
    state.handle(Event::respond(Request::WhoIsThere, Err(Failure::SignedOut)));
    state
}

/// Opens the page as a member who is signed in.
fn open() -> State {
    let mut state = State::new();
    state.handle(Event::Started(Page::SingleSignOn, false));
    state.handle(Event::respond(Request::WhoIsThere, Ok(signed_in())));
    state
}

fn settings(issuer: &str) -> Box<SingleSignOn> {
    let provider = format!(
        r#"{{"issuer":"{issuer}","clientId":"portal","secretLastFour":"","role":"SUPPORT","isRequired":true,
            "changedAt":"2026-11-28T19:17:04.552Z"}}"#
    );
    let text =
        format!(r#"{{"organization":"demo","callbackUrl":"https://c","provider":{provider},"domains":[]}}"#);
    Box::new(serde_json::from_str(&text).unwrap())
}

#[test]
fn person_leaves_for_the_provider_of_their_organization() {
    let mut state = signed_out_state();
    input(&mut state, SignOnInput::OrganizationTyped("demo".into()));
    let sent = SignOnRequest::Leave(Way::Organization, "demo".into());
    let effects = input(&mut state, SignOnInput::Wanted(Way::Organization));
    assert_eq!(effects, [Effect::Send(Request::SignOn(sent.clone()))]);
    assert_eq!(input(&mut state, SignOnInput::Wanted(Way::Organization)), [], "a second press");
    let address = SignOnResponse::Address("https://login.example".into());
    assert_eq!(respond(&mut state, sent, address), [Effect::Leave("https://login.example".into())]);
}

#[test]
fn unknown_organization_stays_in_its_field() {
    let mut state = signed_out_state();
    input(&mut state, SignOnInput::OrganizationTyped("nowhere".into()));
    input(&mut state, SignOnInput::Wanted(Way::Organization));
    let failure = Failure::Busy(3);
    refuse(&mut state, SignOnRequest::Leave(Way::Organization, "nowhere".into()), failure.clone());
    let form = &state.sign_on.organization;
    assert_eq!((&*form.draft, form.failure.as_ref(), form.is_sending), ("nowhere", Some(&failure), false));
}

#[test]
fn invitation_without_a_provider_can_be_opened_otherwise() {
    let mut state = State::new();
    state.handle(Event::Started(Page::Enter, true));
    let sent = SignOnRequest::Leave(Way::Invitation, String::new());
    assert_eq!(
        input(&mut state, SignOnInput::Wanted(Way::Invitation)),
        [Effect::Send(Request::SignOn(sent.clone()))]
    );
    assert!(state.is_signing);
    let message = "the id of an organization".to_owned();
    let fault = FieldFault {
        field: "organization".into(),
        code: FaultCode::Unknown,
        message: message.clone(),
        file_fault: None,
    };
    refuse(&mut state, sent, Failure::Invalid(vec![fault]));
    assert_eq!((state.failure, state.is_signing), (Some(Failure::Refused(message)), false));
}

#[test]
fn settings_fill_the_form_until_it_is_changed() {
    let mut state = open();
    respond(&mut state, SignOnRequest::Settings, SignOnResponse::Settings(settings("https://a.example")));
    let draft = &state.sign_on.provider.draft;
    assert_eq!((&*draft.texts[0], &*draft.texts[2], draft.role), ("https://a.example", "", Role::Support));
    input(&mut state, SignOnInput::Typed(SignOnField::Issuer, "https://b.example".into()));
    respond(&mut state, SignOnRequest::Settings, SignOnResponse::Settings(settings("https://a.example")));
    assert_eq!(state.sign_on.provider.draft.texts[0], "https://b.example", "what was typed stays");
}

#[test]
fn saved_provider_leaves_no_secret_in_the_form() {
    let mut state = open();
    input(&mut state, SignOnInput::Typed(SignOnField::ClientSecret, "s3cret".into()));
    let effects = state.handle(Event::Submitted);
    let [Effect::Send(Request::SignOn(sent))] = effects.as_slice() else { panic!("{effects:?}") };
    let sent = sent.clone();
    respond(&mut state, sent, SignOnResponse::Settings(settings("https://a.example")));
    assert_eq!((&*state.sign_on.provider.draft.texts[2], state.notice), ("", Some(Text::SignOnSaved)));
}

#[test]
fn refused_provider_keeps_what_was_typed() {
    let mut state = open();
    input(&mut state, SignOnInput::Typed(SignOnField::Issuer, "https://b.example".into()));
    let effects = state.handle(Event::Submitted);
    let [Effect::Send(Request::SignOn(sent))] = effects.as_slice() else { panic!("{effects:?}") };
    let sent = sent.clone();
    refuse(&mut state, sent, Failure::Offline);
    let form = &state.sign_on.provider;
    assert_eq!(
        (&*form.draft.texts[0], form.failure.as_ref()),
        ("https://b.example", Some(&Failure::Offline))
    );
}

#[test]
fn only_owners_ask_for_the_settings() {
    let mut state = State::new();
    state.handle(Event::Started(Page::SingleSignOn, false));
    let effects = state.handle(Event::respond(Request::WhoIsThere, Ok(signed_in())));
    assert_eq!(
        effects,
        [Effect::Send(Request::SignOn(SignOnRequest::Own))],
        "this member may not manage members"
    );
}
