//! The program in two parts: the second is there in time, and its way is a request like any other.

use link_types::LinkErrorCode;
use link_types::host::WidgetOptions;

use super::desk::{self, Desk};
use super::stock;
use crate::event::{Press, Refusal, Reply, RequestId};
use crate::generated::message::Message;
use crate::{Effect, Event, Flow};

/// At the login of a program in parts; with the request for the second part.
fn signing_in() -> (Desk, RequestId) {
    let mut desk = Desk::new(WidgetOptions::default());
    desk.flow = Flow::in_parts(WidgetOptions::default());
    desk.send(desk::opened());
    desk.reply_session(stock::session());
    desk.press(Press::Agree);
    desk.reply(Reply::Providers(Ok(stock::providers())));
    desk.choose("mx_social_security");
    let effects = desk.reply_provider(stock::provider());
    let [Effect::LoadRest { request }] = effects[..] else { panic!("{effects:?}") };
    (desk, request)
}

fn submitted(desk: &mut Desk) {
    desk.edit("username", "mfa-otp");
    desk.submit("password");
    desk.reply_account(1, stock::logging_in());
}

#[test]
fn it_comes_while_the_person_types_and_nobody_waits_for_it() {
    let (mut desk, request) = signing_in();
    assert_eq!(desk.heading(), Message::LoginTitle);
    assert_eq!(desk.send(Event::Replied { request, reply: Reply::Done(Ok(())) }), vec![]);
    submitted(&mut desk);
    desk.reply_account(2, stock::challenged(stock::code()));
    assert_eq!(desk.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn where_it_is_not_there_yet_it_is_waited_for() {
    for (phase, heading) in [
        (stock::challenged(stock::code()), Message::ChallengeCodeTitle),
        (stock::failed(LinkErrorCode::AccountLocked), Message::ErrorAccountLockedTitle),
    ] {
        let (mut desk, _) = signing_in();
        submitted(&mut desk);
        let effects = desk.reply_account(2, phase);
        assert_eq!(effects, vec![Effect::LoadRest { request: desk.request }]);
        assert_eq!(desk.heading(), Message::StartingTitle);
        desk.reply(Reply::Done(Ok(())));
        assert_eq!(desk.heading(), heading);
    }
}

#[test]
fn one_that_did_not_come_is_asked_for_again_where_it_is_needed() {
    let (mut desk, request) = signing_in();
    desk.send(Event::Replied { request, reply: Reply::Done(Err(Refusal::Unreachable)) });
    assert_eq!(desk.heading(), Message::LoginTitle, "the login needs none");
    submitted(&mut desk);
    desk.reply_account(2, stock::challenged(stock::code()));
    for rest in [800, 2_400] {
        desk.reply(Reply::Done(Err(Refusal::Unreachable)));
        desk.wait(rest);
    }
    desk.reply(Reply::Done(Err(Refusal::Unreachable)));
    assert_eq!(desk.heading(), Message::OfflineTitle);
    desk.press(Press::Retry);
    desk.reply(Reply::Done(Ok(())));
    assert_eq!(desk.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn a_session_that_ends_meanwhile_loses_nothing() {
    let (mut desk, _) = signing_in();
    submitted(&mut desk);
    desk.reply_account(2, stock::challenged(stock::code()));
    desk.session_ends();
    desk.send(Event::TokenSet { token: desk::token("second") });
    desk.reply_session(stock::session_with(stock::progress(2, stock::challenged(stock::code()))));
    desk.reply(Reply::Done(Ok(())));
    assert_eq!(desk.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn leaving_while_it_is_waited_for_asks_as_the_page_would() {
    let (mut desk, _) = signing_in();
    submitted(&mut desk);
    desk.reply_account(2, stock::challenged(stock::code()));
    desk.send(Event::CloseRequested);
    assert_eq!(desk.overlay_heading(), Some(Message::LeaveTitle));
}
