//! The deferred chunk: it is prefetched in time, and loading it is a request like any other.

use link_types::LinkErrorCode;
use link_types::host::WidgetOptions;
use link_types::link::LinkPhase;

use super::fixtures;
use super::harness::{self, Harness};
use crate::event::{Press, Reply, RequestError, RequestId};
use crate::generated::message::Message;
use crate::{Effect, Event, Flow};

/// Returns a flow in parts at the provider list, with the request of the prefetch.
fn choosing() -> (Harness, RequestId) {
    let mut harness = Harness::new(WidgetOptions::default());
    harness.flow = Flow::in_parts(WidgetOptions::default());
    harness.send(harness::open_event());
    harness.reply_session(fixtures::session());
    let effects = harness.press(Press::Agree);
    let request = |effect: &Effect| {
        if let Effect::LoadChunk { request } = effect { Some(*request) } else { None }
    };
    let prefetch = effects.iter().find_map(request);
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    (harness, prefetch.unwrap_or_else(|| panic!("{effects:?}")))
}

/// Chooses a provider. Returns the effects.
fn choose_provider(harness: &mut Harness) -> Vec<Effect> {
    harness.choose("mx_social_security");
    harness.reply_provider(fixtures::provider())
}

/// Signs in. The service replies with this phase. Returns the effects.
fn sign_in(harness: &mut Harness, phase: LinkPhase) -> Vec<Effect> {
    harness.edit("username", "mfa-otp");
    harness.submit("password");
    harness.reply_account(1, phase)
}

#[test]
fn chunk_is_prefetched_while_the_person_chooses_a_provider() {
    let (mut harness, request) = choosing();
    assert_eq!(harness.send(Event::Replied { request, reply: Reply::Done(Ok(())) }), vec![]);
    choose_provider(&mut harness);
    assert_eq!(harness.heading(), Message::LoginTitle);
    sign_in(&mut harness, fixtures::challenge_phase(fixtures::code()));
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn chunk_is_prefetched_while_the_provider_of_the_page_loads() {
    let mut harness = Harness::new(WidgetOptions::default());
    let options = WidgetOptions {
        provider_id: Some("mx_social_security".parse().unwrap()),
        ..WidgetOptions::default()
    };
    harness.flow = Flow::in_parts(options);
    harness.send(harness::open_event());
    harness.reply_session(fixtures::session());
    let effects = harness.press(Press::Agree);
    assert!(effects.iter().any(|it| matches!(it, Effect::LoadProvider { .. })), "{effects:?}");
    assert!(effects.iter().any(|it| matches!(it, Effect::LoadChunk { .. })), "{effects:?}");
}

#[test]
fn login_waits_for_chunk_under_way() {
    let (mut harness, _) = choosing();
    let effects = choose_provider(&mut harness);
    assert_eq!(effects.last(), Some(&Effect::LoadChunk { request: harness.request }));
    assert_eq!(harness.heading(), Message::StartingTitle);
    harness.reply(Reply::Done(Ok(())));
    assert_eq!(harness.heading(), Message::LoginTitle);
}

#[test]
fn resumed_account_waits_for_chunk() {
    for (phase, heading) in [
        (fixtures::logging_in(), Message::ConnectingTitle),
        (LinkPhase::Connected {}, Message::SuccessTitle),
        (fixtures::challenge_phase(fixtures::code()), Message::ChallengeCodeTitle),
        (fixtures::failed_phase(LinkErrorCode::AccountLocked), Message::ErrorAccountLockedTitle),
    ] {
        let mut harness = resume(phase);
        assert_eq!(harness.heading(), Message::StartingTitle);
        harness.reply(Reply::Done(Ok(())));
        assert_eq!(harness.heading(), heading);
    }
}

/// Returns a flow in parts that resumes an account in this phase, and loads the chunk.
fn resume(phase: LinkPhase) -> Harness {
    let mut harness = Harness::new(WidgetOptions::default());
    harness.flow = Flow::in_parts(WidgetOptions::default());
    harness.send(harness::open_event());
    let mut session = fixtures::session_with(fixtures::progress(1, phase));
    session.attempt.place.provider_id = Some(fixtures::provider().id);
    harness.reply_session(session);
    harness.reply_provider(fixtures::provider());
    harness
}

#[test]
fn failed_prefetch_is_retried_when_needed() {
    let (mut harness, request) = choosing();
    harness.send(Event::Replied { request, reply: Reply::Done(Err(RequestError::Unreachable)) });
    assert_eq!(harness.heading(), Message::ProvidersTitle, "the list does not need the chunk");
    choose_provider(&mut harness);
    for delay_ms in [800, 2_400] {
        harness.reply(Reply::Done(Err(RequestError::Unreachable)));
        harness.wait(delay_ms);
    }
    harness.reply(Reply::Done(Err(RequestError::Unreachable)));
    assert_eq!(harness.heading(), Message::OfflineTitle);
    harness.press(Press::Retry);
    harness.reply(Reply::Done(Ok(())));
    assert_eq!(harness.heading(), Message::LoginTitle);
}

#[test]
fn chunk_load_survives_end_of_session() {
    let mut harness = resume(fixtures::challenge_phase(fixtures::code()));
    harness.session_ends();
    harness.send(Event::TokenSet { token: harness::token("second") });
    harness.reply_session(fixtures::session_with(fixtures::progress(
        1,
        fixtures::challenge_phase(fixtures::code()),
    )));
    harness.reply(Reply::Done(Ok(())));
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn leaving_asks_during_chunk_load() {
    let mut harness = resume(fixtures::challenge_phase(fixtures::code()));
    harness.send(Event::CloseRequested);
    assert_eq!(harness.overlay_heading(), Some(Message::LeaveTitle));
}
