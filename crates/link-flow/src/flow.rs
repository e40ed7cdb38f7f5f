//! The state machine of the widget: takes events, returns effects and a view.

use link_types::Sensitive;
use link_types::host::{CloseReason, UiEventName, WidgetOptions};
use link_types::uploading::FileFact;

use crate::call::{Trouble, ends_session};
use crate::context::{Context, LastProgress};
use crate::event::{Press, Reply, RequestError, RequestId, TimerId};
use crate::input::Input;
use crate::screen::Screen;
use crate::screen::starting::Starting;
use crate::session;
use crate::state::State;
use crate::view::View;
use crate::{Effect, Event};
use crate::{chunk, emit, leaving, navigate, pause, resume_point};

/// The flow of one opening of the widget.
#[derive(Debug)]
pub struct Flow {
    pub(crate) state: State,
    pub(crate) context: Context,
}

impl Flow {
    /// Creates a flow that waits for [`Event::Opened`].
    pub fn new(options: WidgetOptions) -> Self {
        let state = State::Shown(Screen::Starting(Starting::Waiting));
        Self { state, context: Context::new(options.into()) }
    }

    /// Creates a flow whose deferred chunk is loaded when a person needs it.
    pub fn in_parts(options: WidgetOptions) -> Self {
        let mut flow = Self::new(options);
        flow.context.chunk_loaded = false;
        flow
    }

    /// Handles an event. Returns the effects to run, in order.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        let state = core::mem::replace(&mut self.state, State::Closed);
        self.state = step(state, event, &mut self.context);
        self.context.take_effects()
    }

    /// Returns the current view.
    pub fn view(&self) -> View {
        crate::page::view(&self.state, &self.context)
    }
}

/// Handles the events that mean the same on every screen, and passes the others to the screen.
fn step(state: State, event: Event, context: &mut Context) -> State {
    if matches!(state, State::Closed) {
        return state;
    }
    match event {
        Event::Opened { token, mode, is_touch, opening, last_seq } => match state {
            State::Shown(Screen::Starting(Starting::Waiting)) => {
                context.mode = mode;
                context.is_touch = is_touch;
                context.opening = opening;
                context.resume_seq(last_seq);
                context.restarted = last_seq > 0;
                context.effect(Effect::Ready);
                exchange(token, context)
            }
            state @ (State::Shown(_) | State::Expired { .. } | State::Leaving { .. } | State::Closed) => {
                state
            }
        },
        Event::TokenSet { token } => set_token(state, token, context),
        Event::CloseRequested => close_requested(state, context),
        Event::Pressed(Press::Leave) => close(CloseReason::Close, context),
        Event::Pressed(Press::Help) if context.help_url().is_some() => {
            emit::ui_event(UiEventName::HelpOpened, None, context);
            state
        }
        Event::Pressed(Press::Done) if state.may_finish() => close(CloseReason::Exit, context),
        Event::Replied { request, reply } => handle_reply(state, request, reply, context),
        Event::TimerFired { timer, elapsed_ms } => handle_timer(state, timer, elapsed_ms, context),
        Event::Pressed(press) => handle(state, Input::Pressed(press), context),
        Event::Chosen { id } => {
            context.restarted = false;
            handle(state, Input::Chosen { id }, context)
        }
        Event::Searched { text } => handle(state, Input::Searched { text }, context),
        Event::Filtered { tab } => handle(state, Input::Filtered { tab }, context),
        Event::Edited { field, text } => handle(state, Input::Edited { field, text }, context),
        Event::Left { field } => handle(state, Input::Left { field }, context),
        Event::SecretLeft { field, empty, stray_space } => {
            handle(state, Input::SecretLeft { field, empty, stray_space }, context)
        }
        Event::Submitted(secrets) => handle(state, Input::Submitted(secrets), context),
        Event::File(fact) => file_fact(state, fact, context),
    }
}

/// Passes an input to the screen or to the dialog over it.
fn handle(state: State, input: Input, context: &mut Context) -> State {
    match state {
        State::Shown(screen) => {
            let outcome = screen.handle(input, context);
            navigate::follow(outcome, context)
        }
        State::Expired { paused, dialog } => pause::handle(paused, dialog, input, context),
        State::Leaving { under, loss } => match input {
            Input::Pressed(Press::Stay) => leaving::stay(*under, context),
            Input::Replied(_) | Input::TimerFired { .. } => {
                leaving::beneath(*under, context, |under, context| handle(under, input, context))
            }
            Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => State::Leaving { under, loss },
        },
        State::Closed => State::Closed,
    }
}

/// Passes a report of uploads.ts to the screen, also below a dialog.
fn file_fact(mut state: State, fact: FileFact, context: &mut Context) -> State {
    let ends_session = state.deferred_mut().is_some_and(|screen| screen.handle_fact(fact, context));
    if ends_session { pause::pause(state, context) } else { state }
}

/// Asks before something is lost. A second request while the dialog is open closes the dialog.
fn close_requested(mut state: State, context: &mut Context) -> State {
    if let State::Leaving { under, .. } = state {
        return leaving::stay(*under, context);
    }
    if let Some(screen) = state.deferred_mut() {
        screen.cancel_submission();
    }
    match state.loss() {
        Some(loss) => leaving::ask(state, loss, context),
        None => close(CloseReason::Close, context),
    }
}

/// Emits the only terminal effect.
fn close(reason: CloseReason, context: &mut Context) -> State {
    context.end_session();
    context.effect(Effect::Close { closed: context.closing.to_closed(reason) });
    State::Closed
}

/// Exchanges the token at once if it is needed, and keeps it for later otherwise.
fn set_token(state: State, token: Sensitive, context: &mut Context) -> State {
    match state {
        State::Expired { paused, dialog } => State::Expired { paused, dialog: dialog.renew(token, context) },
        State::Leaving { under, .. } => {
            leaving::beneath(*under, context, |under, context| set_token(under, token, context))
        }
        State::Shown(Screen::Starting(Starting::Exchanging(_) | Starting::Refused)) => {
            context.turn_page();
            exchange(token, context)
        }
        state @ (State::Shown(_) | State::Closed) => {
            context.spare_token = Some(token);
            state
        }
    }
}

fn exchange(token: Sensitive, context: &mut Context) -> State {
    State::Shown(Screen::Starting(Starting::exchange(token, context)))
}

fn handle_reply(state: State, request: RequestId, reply: Reply, context: &mut Context) -> State {
    if context.prefetching == Some(request) {
        chunk::finish_prefetch(refusal(&reply).is_none(), context);
        return state;
    }
    if context.resume_point.is_saved_by(request) {
        return handle_saved(state, &reply, context);
    }
    if !state.awaits_reply(request) {
        return state;
    }
    let is_exchange = state.is_exchanging();
    match refusal(&reply) {
        Some(refusal) if !is_exchange && ends_session(refusal) => return pause::pause(state, context),
        Some(RequestError::Unreachable) => {}
        Some(_) | None if is_exchange => {}
        Some(_) | None => {
            session::restart_clock(context);
            resume_point::catch_up(context);
        }
    }
    // Noted only afterwards: a screen that lost a reply compares with the version known before.
    let progress = account_progress(&reply);
    let state = handle(state, Input::Replied(reply), context);
    context.last_progress = progress.or(context.last_progress.take());
    state
}

/// Handles the reply to a save of the resume point.
fn handle_saved(state: State, reply: &Reply, context: &mut Context) -> State {
    let refusal = refusal(reply);
    let ends = refusal.is_some_and(ends_session);
    // A retry of a refused save would be refused again.
    let is_settled =
        !ends && refusal.is_none_or(|refusal| matches!(Trouble::from_refusal(refusal), Trouble::Refused));
    resume_point::handle_reply(is_settled, context);
    if ends { pause::pause(state, context) } else { state }
}

fn account_progress(reply: &Reply) -> Option<LastProgress> {
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
        | Reply::Handoff(_)
        | Reply::Done(_) => return None,
    };
    Some(LastProgress::from_progress(progress))
}

fn refusal(reply: &Reply) -> Option<&RequestError> {
    match reply {
        Reply::Session(reply) => reply.as_ref().err(),
        Reply::Providers(reply) => reply.as_ref().err(),
        Reply::Provider(reply) => reply.as_ref().err(),
        Reply::Account(reply) => reply.as_ref().err(),
        Reply::Linked(reply) => reply.as_ref().err(),
        Reply::Archive(reply) => reply.as_ref().err(),
        Reply::Revocation(reply) => reply.as_ref().err(),
        Reply::Handoff(reply) => reply.as_ref().err(),
        Reply::Done(reply) => reply.as_ref().err(),
    }
}

fn handle_timer(state: State, timer: TimerId, elapsed_ms: u32, context: &mut Context) -> State {
    if context.session.as_ref().is_some_and(|session| session.is_ending(timer)) {
        return pause::pause(state, context);
    }
    if !state.awaits_timer(timer) {
        return state;
    }
    handle(state, Input::TimerFired { timer, elapsed_ms }, context)
}
