//! Pauses a screen when the session ends, and resumes it in the next session.

use link_types::link::LinkSession;
use link_types::uploading::FileOrder;

use crate::arrival;
use crate::context::Context;
use crate::effect::Effect;
use crate::input::Input;
use crate::input::Outcome::{self, Stay};
use crate::navigate;
use crate::resume_point;
use crate::route::{HandoffRoute, Over, Route};
use crate::screen::Screen;
use crate::session::Session;
use crate::state::State;
use crate::token_expired::{Renewal, TokenExpired};
use crate::view::FocusTarget;

/// Pauses a state because the session has ended or is about to.
pub(crate) fn pause(mut state: State, context: &mut Context) -> State {
    state.silence(context);
    match state {
        State::Leaving { under, .. } => pause(*under, context),
        State::Shown(mut screen) if screen.needs_session() => {
            if context.is_phone() {
                return lead_back(screen.as_deferred().is_some_and(|screen| screen.has_files()), context);
            }
            if let Some(screen) = screen.deferred_mut() {
                screen.hold(context);
            }
            let dialog = TokenExpired::over(context);
            State::Expired { paused: Some(Box::new(screen)), dialog }
        }
        state @ (State::Shown(_) | State::Expired { .. } | State::Closed) => state,
    }
}

/// Leads the person from the phone back to the computer: the computer took the step back, or its session has ended.
fn lead_back(has_uploads: bool, context: &mut Context) -> State {
    if has_uploads {
        context.effect(Effect::File(FileOrder::Close {}));
    }
    navigate::enter(Route::Handoff(HandoffRoute::Over(Over::TakenBack)), context)
}

/// Handles an input during the pause.
pub(crate) fn handle(
    paused: Option<Box<Screen>>,
    dialog: Box<TokenExpired>,
    input: Input,
    context: &mut Context,
) -> State {
    match (dialog.handle(input, context), paused) {
        (Renewal::Pending(dialog), paused) => State::Expired { paused, dialog },
        (Renewal::Foreign(dialog), _) => State::Expired { paused: None, dialog },
        (Renewal::Renewed(session), Some(paused)) => {
            let outcome = resume(*paused, *session, context);
            navigate::follow(outcome, context)
        }
        (Renewal::Renewed(session), None) => {
            let route = arrival::arrive(*session, context);
            navigate::enter(route, context)
        }
    }
}

/// Resumes a screen in a new session of the same person, without asking again for what was already submitted.
fn resume(paused: Screen, session: LinkSession, context: &mut Context) -> Outcome<Screen> {
    let attempt = Session::begin(session, context);
    context.recheck_consent(&attempt);
    resume_point::resume(&attempt.place, context);
    context.focus(FocusTarget::Restore);
    match paused {
        Screen::Starting(screen) => Stay(Screen::Starting(screen.resume(context))),
        Screen::Providers(screen) => Stay(Screen::Providers(screen.resume(context))),
        Screen::Deferred(screen) => screen.resume(attempt, context).map(Screen::Deferred),
        screen @ Screen::Consent(_) => Stay(screen),
    }
}
