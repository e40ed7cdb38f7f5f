//! The machine: events in, effects out, a view to draw.

use link_types::Sensitive;
use link_types::host::{CloseReason, WidgetOptions};
use link_types::uploading::FileFact;

use crate::call::{Trouble, ends_session};
use crate::context::{Context, Seen};
use crate::event::{Press, Refusal, Reply, RequestId, TimerId};
use crate::screen::Input;
use crate::screen::leaving::Leaving;
use crate::screen::starting::Starting;
use crate::session;
use crate::state::State;
use crate::view::View;
use crate::{Effect, Event};
use crate::{pause, place, rest};

/// The flow of one opening of the widget.
#[derive(Debug)]
pub struct Flow {
    pub(crate) state: State,
    pub(crate) context: Context,
}

impl Flow {
    /// A flow that waits for [`Event::Opened`].
    pub fn new(options: WidgetOptions) -> Self {
        Self { state: State::Starting(Starting::Waiting), context: Context::new(options.into()) }
    }

    /// A flow whose accounts, survey and uploads are a part of the program that is loaded when a person goes there.
    pub fn in_parts(options: WidgetOptions) -> Self {
        let mut flow = Self::new(options);
        flow.context.has_rest = false;
        flow
    }

    /// Takes what happened and says what to do, in order.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        let state = core::mem::replace(&mut self.state, State::Closed);
        self.state = step(state, event, &mut self.context);
        self.context.take_effects()
    }

    /// What is on the screen now.
    pub fn view(&self) -> View {
        crate::page::view(&self.state, &self.context)
    }
}

/// The events that mean the same on every screen are dealt with here, the others by the screen.
fn step(state: State, event: Event, context: &mut Context) -> State {
    if matches!(state, State::Closed) {
        return state;
    }
    match event {
        Event::Opened { token, mode, opening, last_seq } => match state {
            State::Starting(Starting::Waiting) => {
                context.mode = mode;
                context.opening = opening;
                context.resume_seq(last_seq);
                context.effect(Effect::Ready);
                Starting::exchange(token, context)
            }
            state @ (State::Starting(
                Starting::Exchanging(_) | Starting::Loading { .. } | Starting::Refused,
            )
            | State::Consent(_)
            | State::Providers(_)
            | State::LoginOptions(_)
            | State::Login(_)
            | State::Connecting(_)
            | State::Challenge(_)
            | State::Success(_)
            | State::Failure(_)
            | State::Accounts(_)
            | State::Survey(_)
            | State::Uploads(_)
            | State::TokenExpired(_)
            | State::Leaving(_)
            | State::Closed) => state,
        },
        Event::TokenSet { token } => token_set(state, token, context),
        Event::CloseRequested => close_requested(state, context),
        Event::Pressed(Press::Leave) => close(CloseReason::Close, context),
        Event::Pressed(Press::Done) if state.may_finish() => close(CloseReason::Exit, context),
        Event::Replied { request, reply } => replied(state, request, reply, context),
        Event::TimerFired { timer, elapsed_ms } => timer_fired(state, timer, elapsed_ms, context),
        Event::Pressed(press) => state.handle(Input::Pressed(press), context),
        Event::Chosen { id } => state.handle(Input::Chosen { id }, context),
        Event::Searched { text } => state.handle(Input::Searched { text }, context),
        Event::Filtered { tab } => state.handle(Input::Filtered { tab }, context),
        Event::Edited { field, text } => state.handle(Input::Edited { field, text }, context),
        Event::Left { field } => state.handle(Input::Left { field }, context),
        Event::SecretLeft { field, empty, stray_space } => {
            state.handle(Input::SecretLeft { field, empty, stray_space }, context)
        }
        Event::Submitted(secrets) => state.handle(Input::Submitted(secrets), context),
        Event::File(fact) => file_fact(state, fact, context),
    }
}

/// Files go on their way beneath whatever lies over the upload page.
fn file_fact(mut state: State, fact: FileFact, context: &mut Context) -> State {
    let ends_session = state.uploads().is_some_and(|uploads| uploads.heard(fact, context));
    if ends_session { pause::pause(state, context) } else { state }
}

/// Asks before something is lost. Asked again while it asks, it takes that for a no.
fn close_requested(mut state: State, context: &mut Context) -> State {
    if let State::Leaving(leaving) = state {
        return leaving.stay(context);
    }
    if let Some(uploads) = state.uploads() {
        uploads.take_back_word();
    }
    match state.loss() {
        Some(loss) => Leaving::ask(state, loss, context),
        None => close(CloseReason::Close, context),
    }
}

/// The one terminal effect.
fn close(reason: CloseReason, context: &mut Context) -> State {
    if context.session.is_some() {
        context.effect(Effect::EndSession);
    }
    context.effect(Effect::Close { reason });
    State::Closed
}

/// A token that is needed is exchanged at once; one that is not is kept until it is.
fn token_set(state: State, token: Sensitive, context: &mut Context) -> State {
    match state {
        State::TokenExpired(screen) => screen.renew(token, context),
        State::Leaving(leaving) => {
            leaving.beneath(context, |under, context| token_set(under, token, context))
        }
        State::Starting(Starting::Exchanging(_) | Starting::Refused) => {
            context.turn_page();
            Starting::exchange(token, context)
        }
        state @ (State::Starting(Starting::Waiting | Starting::Loading { .. })
        | State::Consent(_)
        | State::Providers(_)
        | State::LoginOptions(_)
        | State::Login(_)
        | State::Connecting(_)
        | State::Challenge(_)
        | State::Success(_)
        | State::Failure(_)
        | State::Accounts(_)
        | State::Survey(_)
        | State::Uploads(_)
        | State::Closed) => {
            context.spare_token = Some(token);
            state
        }
    }
}

fn replied(state: State, request: RequestId, reply: Reply, context: &mut Context) -> State {
    if context.prefetching == Some(request) {
        rest::prefetched(refusal(&reply).is_none(), context);
        return state;
    }
    if context.place.is_saved_by(request) {
        return saved(state, &reply, context);
    }
    if !state.awaits_reply(request) {
        return state;
    }
    let is_exchange = state.is_exchanging();
    match refusal(&reply) {
        Some(refusal) if !is_exchange && ends_session(refusal) => return pause::pause(state, context),
        Some(Refusal::Unreachable) => {}
        Some(_) | None if is_exchange => {}
        Some(_) | None => {
            session::used(context);
            place::catch_up(context);
        }
    }
    // Noted only afterwards: whoever lost an answer compares with what was known before.
    let seen = account_told(&reply);
    let state = state.handle(Input::Replied(reply), context);
    context.last_seen = seen.or(context.last_seen.take());
    state
}

/// The person's place was saved, or was not.
fn saved(state: State, reply: &Reply, context: &mut Context) -> State {
    let refusal = refusal(reply);
    let ends = refusal.is_some_and(ends_session);
    // What the service will not have it would not have the next time either.
    let is_settled = !ends && refusal.is_none_or(|refusal| matches!(Trouble::of(refusal), Trouble::Refused));
    place::answered(is_settled, context);
    if ends { pause::pause(state, context) } else { state }
}

fn account_told(reply: &Reply) -> Option<Seen> {
    let progress = match reply {
        Reply::Session(Ok(session)) => session.attempt.account.as_ref()?,
        Reply::Account(Ok(progress)) => progress,
        Reply::Session(Err(_))
        | Reply::Account(Err(_))
        | Reply::Providers(_)
        | Reply::Provider(_)
        | Reply::Linked(_)
        | Reply::Archive(_)
        | Reply::Revocation(_)
        | Reply::Done(_) => return None,
    };
    Some(Seen::of(progress))
}

fn refusal(reply: &Reply) -> Option<&Refusal> {
    match reply {
        Reply::Session(reply) => reply.as_ref().err(),
        Reply::Providers(reply) => reply.as_ref().err(),
        Reply::Provider(reply) => reply.as_ref().err(),
        Reply::Account(reply) => reply.as_ref().err(),
        Reply::Linked(reply) => reply.as_ref().err(),
        Reply::Archive(reply) => reply.as_ref().err(),
        Reply::Revocation(reply) => reply.as_ref().err(),
        Reply::Done(reply) => reply.as_ref().err(),
    }
}

fn timer_fired(state: State, timer: TimerId, elapsed_ms: u32, context: &mut Context) -> State {
    if context.session.as_ref().is_some_and(|session| session.is_ending(timer)) {
        return pause::pause(state, context);
    }
    if !state.awaits_timer(timer) {
        return state;
    }
    state.handle(Input::TimerFired { timer, elapsed_ms }, context)
}
