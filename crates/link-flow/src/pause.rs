//! Pausing when the session ends, and going on at the same step when a new one is there.

use link_types::link::LinkSession;

use crate::call::Ask;
use crate::context::Context;
use crate::screen::starting::{Starting, Then};
use crate::screen::token_expired::TokenExpired;
use crate::session::Session;
use crate::state::State;
use crate::view::FocusTarget;

/// The session has ended, or is about to.
pub(crate) fn pause(state: State, context: &mut Context) -> State {
    match state {
        State::Leaving(leaving) => pause(*leaving.under, context),
        state @ (State::Starting(Starting::Loading { .. })
        | State::Consent(_)
        | State::Providers(_)
        | State::LoginOptions(_)
        | State::Login(_)
        | State::Connecting(_)
        | State::Challenge(_)
        | State::Failure(_)
        | State::Accounts(_)
        | State::Survey(_)
        | State::Uploads(_)) => TokenExpired::over(state, context),
        // After success nothing needs the session; before the start and after the end there is none.
        state @ (State::Starting(Starting::Waiting | Starting::Exchanging(_) | Starting::Refused)
        | State::Success(_)
        | State::TokenExpired(_)
        | State::Closed) => state,
    }
}

/// Goes on with a new session of the same person: what was already submitted is not asked again.
pub(crate) fn resume(paused: State, session: LinkSession, context: &mut Context) -> State {
    let attempt = Session::begin(session, context);
    let progress = attempt.account.clone();
    crate::place::resume(context);
    context.focus(FocusTarget::Restore);
    match paused {
        State::Starting(Starting::Loading { call, then }) => reload(call.ask().clone(), then, context),
        State::Providers(screen) => screen.resume(context),
        State::Login(screen) => screen.resume(progress, context),
        State::Connecting(screen) => screen.resume(progress, context),
        State::Challenge(screen) => screen.resume(progress, context),
        State::Failure(screen) => screen.resume(context),
        State::Accounts(screen) => screen.resume(context),
        State::Survey(screen) => screen.resume(context),
        State::Uploads(screen) => screen.resume(attempt, context),
        state @ (State::Consent(_)
        | State::LoginOptions(_)
        | State::Success(_)
        | State::Starting(Starting::Waiting | Starting::Exchanging(_) | Starting::Refused)
        | State::TokenExpired(_)
        | State::Leaving(_)
        | State::Closed) => state,
    }
}

fn reload(ask: Ask, then: Then, context: &mut Context) -> State {
    State::Starting(Starting::Loading { call: crate::call::Call::send(ask, context), then })
}
