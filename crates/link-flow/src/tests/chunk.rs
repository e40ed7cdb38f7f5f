//! The deferred chunk: it is prefetched in time, and loading it is a request like any other.

use link_types::LinkErrorCode;
use link_types::host::WidgetOptions;
use link_types::link::LinkPhase;

use super::fixtures;
use super::harness::{self, Harness};
use crate::event::{Press, Refusal, Reply, RequestId};
use crate::generated::message::Message;
use crate::{Effect, Event, Flow};

/// Returns a flow in parts at the login, with the request of the prefetch.
fn signing_in() -> (Harness, RequestId) {
    let mut harness = Harness::new(WidgetOptions::default());
    harness.flow = Flow::in_parts(WidgetOptions::default());
    harness.send(harness::opened());
    harness.reply_session(fixtures::session());
    harness.press(Press::Agree);
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    harness.choose("mx_social_security");
    let effects = harness.reply_provider(fixtures::provider());
    let [Effect::LoadChunk { request }] = effects[..] else { panic!("{effects:?}") };
    (harness, request)
}

/// Submits the login. The service replies with this phase. Returns the effects.
fn submitted(harness: &mut Harness, phase: LinkPhase) -> Vec<Effect> {
    harness.edit("username", "mfa-otp");
    harness.submit("password");
    harness.reply_account(1, phase)
}

#[test]
fn chunk_is_prefetched_during_login() {
    let (mut harness, request) = signing_in();
    assert_eq!(harness.heading(), Message::LoginTitle);
    assert_eq!(harness.send(Event::Replied { request, reply: Reply::Done(Ok(())) }), vec![]);
    submitted(&mut harness, fixtures::challenged(fixtures::code()));
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn route_waits_for_chunk_under_way() {
    for (phase, heading) in [
        (fixtures::logging_in(), Message::ConnectingTitle),
        (LinkPhase::Connected {}, Message::SuccessTitle),
        (fixtures::challenged(fixtures::code()), Message::ChallengeCodeTitle),
        (fixtures::failed(LinkErrorCode::AccountLocked), Message::ErrorAccountLockedTitle),
    ] {
        let (mut harness, _) = signing_in();
        let effects = submitted(&mut harness, phase);
        assert_eq!(effects.last(), Some(&Effect::LoadChunk { request: harness.request }));
        assert_eq!(harness.heading(), Message::StartingTitle);
        harness.reply(Reply::Done(Ok(())));
        assert_eq!(harness.heading(), heading);
    }
}

#[test]
fn failed_prefetch_is_retried_when_needed() {
    let (mut harness, request) = signing_in();
    harness.send(Event::Replied { request, reply: Reply::Done(Err(Refusal::Unreachable)) });
    assert_eq!(harness.heading(), Message::LoginTitle, "the login page does not need the chunk");
    submitted(&mut harness, fixtures::challenged(fixtures::code()));
    for delay_ms in [800, 2_400] {
        harness.reply(Reply::Done(Err(Refusal::Unreachable)));
        harness.wait(delay_ms);
    }
    harness.reply(Reply::Done(Err(Refusal::Unreachable)));
    assert_eq!(harness.heading(), Message::OfflineTitle);
    harness.press(Press::Retry);
    harness.reply(Reply::Done(Ok(())));
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn chunk_load_survives_end_of_session() {
    let (mut harness, _) = signing_in();
    submitted(&mut harness, fixtures::challenged(fixtures::code()));
    harness.session_ends();
    harness.send(Event::TokenSet { token: harness::token("second") });
    harness
        .reply_session(fixtures::session_with(fixtures::progress(1, fixtures::challenged(fixtures::code()))));
    harness.reply(Reply::Done(Ok(())));
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn leaving_asks_during_chunk_load() {
    let (mut harness, _) = signing_in();
    submitted(&mut harness, fixtures::challenged(fixtures::code()));
    harness.send(Event::CloseRequested);
    assert_eq!(harness.overlay_heading(), Some(Message::LeaveTitle));
}
