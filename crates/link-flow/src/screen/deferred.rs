//! The screens of the deferred chunk of the wasm. The build moves to the chunk all functions of this module, and everything
//! that only they call (ADR 77).

pub(crate) mod accounts;
pub(crate) mod archive_end;
pub(crate) mod archive_reading;
pub(crate) mod challenge;
pub(crate) mod connecting;
pub(crate) mod data_choice;
pub(crate) mod failure;
pub(crate) mod file_types;
pub(crate) mod handoff;
pub(crate) mod login;
pub(crate) mod login_options;
pub(crate) mod success;
pub(crate) mod survey;
pub(crate) mod upload;
pub(crate) mod uploads;

use link_types::link::LinkPhase;

use self::accounts::Accounts;
use self::challenge::ChallengeScreen;
use self::connecting::Connecting;
use self::data_choice::DataChoice;
use self::failure::Failure;
use self::handoff::Handoff;
use self::login::Login;
use self::login_options::LoginOptions;
use self::success::Success;
use self::survey::Survey;
use self::uploads::Uploads;
use crate::arrival;
use crate::context::Context;
use crate::input::Outcome::{self, Go, Stay};
use crate::route::{AfterConsent, Route};
use crate::screen::deferred_screen::Deferred;

/// Enters a route of the deferred chunk, or returns the route that it leads to.
#[inline(never)]
pub(crate) fn enter(route: Route, context: &mut Context) -> Outcome<Deferred> {
    Stay(match route {
        Route::DataChoice(then) => DataChoice::enter(then, context),
        Route::LoginOptions(provider) => LoginOptions::enter(provider, context),
        Route::Login(provider, option) => Login::enter(*provider, option, context),
        Route::LoginAgain(draft) => Login::reenter(*draft, context),
        Route::Linking(linking, phase) => match *phase {
            LinkPhase::Connecting { step } => Connecting::enter(linking, step, context),
            LinkPhase::Challenge { challenge } => ChallengeScreen::enter(linking, challenge, context),
            LinkPhase::Connected {} => Success::enter(linking, context),
            LinkPhase::Failed { error_code, declined, retry_in_ms } => {
                Failure::enter(linking, (error_code, declined), retry_in_ms, context)
            }
            LinkPhase::Disconnected {} => return Go(Route::Providers),
        },
        Route::Accounts => Accounts::enter(context),
        Route::Account(account) => Accounts::enter_account(account, context),
        Route::Survey => Survey::enter(context),
        Route::Uploads(route) if Uploads::needs_consent(&route, context) => {
            return Go(Route::Consent(AfterConsent::Uploads(route)));
        }
        Route::Uploads(route) => Uploads::enter(route, context),
        Route::ResumeUpload(attempt) => {
            return Go(match Uploads::resumable(&attempt, context) {
                Some(route) => Route::Uploads(route),
                None => arrival::resume_account(attempt.account, context),
            });
        }
        Route::Handoff(route) => Handoff::enter(route, context),
        // Routes of the first part, which `navigate.rs` builds.
        Route::Start
        | Route::Consent(_)
        | Route::Terms(_)
        | Route::Providers
        | Route::LoadProvider(..)
        | Route::TokenExpired => return Go(route),
    })
}
