//! Builds the state of a route. No other file builds one screen from another.

use link_types::link::ConsentGivenBy;

use crate::context::Context;
use crate::input::Outcome::{self, Go, Stay};
use crate::resume_point;
use crate::route::{AfterConsent, Route};
use crate::screen::Screen;
use crate::screen::consent::Consent;
use crate::screen::deferred;
use crate::screen::deferred::handoff::on_phone;
use crate::screen::providers::Providers;
use crate::screen::starting::Starting;
use crate::state::State;
use crate::token_expired::TokenExpired;

/// Returns the state after a screen's outcome.
pub(crate) fn follow(outcome: Outcome<Screen>, context: &mut Context) -> State {
    match outcome {
        Stay(screen) => State::Shown(screen),
        Go(route) => enter(route, context),
    }
}

/// Enters a route. If it needs the deferred chunk and that is not loaded, the chunk is loaded first. A phone goes only to
/// the step that was handed off, and needs the chunk for everything.
pub(crate) fn enter(mut route: Route, context: &mut Context) -> State {
    loop {
        let is_phone = context.is_phone();
        if (is_phone || route.needs_chunk()) && !context.chunk_loaded {
            return State::Shown(Screen::Starting(Starting::load_chunk(route, context)));
        }
        if is_phone {
            route = on_phone(route);
        }
        match build(route, context) {
            Stay(state) => return state,
            Go(next) => route = next,
        }
    }
}

/// Builds the screen of a route, or returns the route that it leads to.
fn build(route: Route, context: &mut Context) -> Outcome<State> {
    let screen = match route {
        Route::Start => return Go(start(context)),
        Route::Consent(then) if tenant_vouches(context) => return Go(then.route(context)),
        Route::Consent(then) => Screen::Consent(Consent::enter(then, context)),
        Route::Providers
            if context.preferences.account.is_some() || context.resume_point.at.account_id.is_some() =>
        {
            // Another provider is not the account to sign in to again, so its consent does not count.
            resume_point::at_provider(None, None, context);
            // Taken, so that the account's page is shown and the login does not follow again.
            return Go(match context.preferences.account.take() {
                Some(account) => Route::Account(account),
                None => start(context),
            });
        }
        Route::Terms(then) => Screen::Starting(Starting::load_terms(then, context)),
        Route::Providers => Screen::Providers(Providers::enter(context)),
        Route::LoadProvider(provider, purpose) => {
            Screen::Starting(Starting::load_provider(provider, purpose, context))
        }
        Route::DataChoice(_)
        | Route::LoginOptions(_)
        | Route::Login(..)
        | Route::LoginAgain(_)
        | Route::Linking(..)
        | Route::Accounts
        | Route::Account(_)
        | Route::Survey
        | Route::Uploads(_)
        | Route::ResumeUpload(_)
        | Route::Handoff(_) => {
            return deferred::enter(route, context).map(Screen::Deferred).map(State::Shown);
        }
        Route::TokenExpired => {
            return Stay(State::Expired { paused: None, dialog: TokenExpired::before_start(context) });
        }
    };
    Stay(State::Shown(screen))
}

/// Goes to the provider. Consent comes first, unless it was given or the account to sign in to again has it.
fn start(context: &Context) -> Route {
    if context.needs_consent() { Route::Consent(AfterConsent::Provider) } else { Route::provider(context) }
}

/// Returns whether the tenant vouches for the consent, so that the person is not asked. Records that.
fn tenant_vouches(context: &mut Context) -> bool {
    let is_vouched = !context.preferences.consent_page && context.may_skip_consent();
    if is_vouched {
        context.give_consent(ConsentGivenBy::Tenant, None);
        resume_point::save_consent(context);
    }
    is_vouched
}
