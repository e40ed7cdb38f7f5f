//! The first screen of a new session: the step that the person left, or the first one.

use link_types::id::AccountId;
use link_types::link::{AccountProgress, AttemptState, LinkPhase, LinkSession};

use crate::context::Context;
use crate::route::{HandoffRoute, LoadPurpose, Route};
use crate::session::Session;

/// Begins a session and returns its first route.
pub(crate) fn arrive(session: LinkSession, context: &mut Context) -> Route {
    if session.is_handoff {
        Session::begin(session, context);
        return Route::Handoff(HandoffRoute::Arrival);
    }
    step(session, context)
}

/// Begins a session and returns the step that the person left, or the first one.
pub(crate) fn step(session: LinkSession, context: &mut Context) -> Route {
    let AttemptState { account, archives, place, consent_needed, chosen_data, id } =
        Session::begin(session, context);
    context.adopt(place, !consent_needed, chosen_data);
    let wanted = context.preferences.account.clone();
    let is_resumed = |wanted: &AccountId| {
        let resumed = account.as_ref().filter(|progress| is_under_way(progress, context));
        // An account that was linked before is not one to which the person has signed in again.
        let is_signed_in = |progress: &AccountProgress| {
            !matches!(progress.phase, LinkPhase::Connected {})
                || context.resume_point.at.account_id.as_ref() == Some(wanted)
        };
        resumed.is_some_and(|progress| progress.account_id == *wanted && is_signed_in(progress))
    };
    if let Some(wanted) = wanted.filter(|wanted| !is_resumed(wanted)) {
        return Route::Account(wanted);
    }
    let place = context.resume_point.at.clone();
    if !archives.is_empty() || place.archive_type.is_some() {
        let chosen_data = Vec::new();
        let attempt = AttemptState { account, archives, place, consent_needed, chosen_data, id };
        return Route::ResumeUpload(Box::new(attempt));
    }
    resume_account(account, context)
}

/// Resumes the account of an attempt without an upload, or begins.
pub(crate) fn resume_account(account: Option<AccountProgress>, context: &Context) -> Route {
    match account {
        Some(progress) if is_under_way(&progress, context) => {
            Route::LoadProvider(progress.provider_id.clone(), LoadPurpose::Resume(Box::new(progress)))
        }
        Some(_) | None => {
            // The person is asked for the consent again (ADR 184), and then continues where they were.
            let has_provider =
                context.preferences.provider.is_some() || context.resume_point.at.provider_id.is_some();
            let is_on_the_way = !context.needs_consent() || has_provider;
            if context.has_linked() && !is_on_the_way { Route::Accounts } else { Route::Start }
        }
    }
}

/// Returns whether the person was in the middle of linking that account.
fn is_under_way(progress: &AccountProgress, context: &Context) -> bool {
    match progress.phase {
        LinkPhase::Connecting { .. } | LinkPhase::Challenge { .. } | LinkPhase::Connected {} => true,
        LinkPhase::Failed { .. } => {
            context.resume_point.at.provider_id.as_ref() == Some(&progress.provider_id)
        }
        LinkPhase::Disconnected {} => false,
    }
}
