//! The way to the screens that a first open does not show: challenges and errors, which nobody sees before the first
//! login, and the accounts, the survey, the uploads. Their code is a second part of the program, loaded when a person
//! signs in or goes there. Only this file leads to them, so none of it runs before.
//!
//! `cargo xtask frame` cuts the wasm between functions: those of these screens that the first part calls must be
//! functions of their own, hence `#[inline(never)]` on them.

use link_types::id::AccountId;
use link_types::link::{AttemptState, LinkPhase};

use crate::context::Context;
use crate::effect::Effect;
use crate::linking::Linking;
use crate::screen::accounts::Accounts;
use crate::screen::challenge::ChallengeScreen;
use crate::screen::failure::Failure;
use crate::screen::starting::{self, Starting, Then};
use crate::screen::survey::Survey;
use crate::state::State;
use crate::uploads::Uploads;

/// Where the person goes.
#[derive(Debug)]
pub(crate) enum Door {
    /// To what is linked.
    Accounts,
    /// To one account, because the host page says so.
    Account(AccountId),
    /// To the employer that is not listed.
    Survey,
    /// To the documents.
    Uploads,
    /// On with an account: to what the provider asks, or to why it failed.
    Linking(Box<(Linking, LinkPhase)>),
    /// Back to documents that were being uploaded.
    Uploading(Box<AttemptState>),
}

/// Goes there, at once or when the rest of the program is loaded.
pub(crate) fn open(door: Door, context: &mut Context) -> State {
    if context.has_rest { enter(door, context) } else { Starting::load_rest(Then::Enter(door), context) }
}

/// The person is about to sign in: has the rest loaded meanwhile. When that fails nothing is lost; whoever goes there
/// loads it then.
pub(crate) fn prefetch(context: &mut Context) {
    if !context.has_rest && context.prefetching.is_none() {
        let request = context.new_request();
        context.prefetching = Some(request);
        context.effect(Effect::LoadRest { request });
    }
}

/// The answer to that.
pub(crate) fn prefetched(is_there: bool, context: &mut Context) {
    context.prefetching = None;
    context.has_rest |= is_there;
}

/// The rest is there.
pub(crate) fn enter(door: Door, context: &mut Context) -> State {
    context.has_rest = true;
    match door {
        Door::Accounts => Accounts::enter(context),
        Door::Account(account) => Accounts::update(account, context),
        Door::Survey => Survey::enter(context),
        Door::Uploads => Uploads::enter(context),
        Door::Linking(under_way) => match *under_way {
            (linking, LinkPhase::Challenge { challenge }) => {
                ChallengeScreen::enter(linking, challenge, context)
            }
            (linking, LinkPhase::Failed { error_code, retry_in_ms }) => {
                Failure::enter(linking, error_code, retry_in_ms, context)
            }
            (
                linking,
                phase @ (LinkPhase::Connecting { .. } | LinkPhase::Connected {} | LinkPhase::Disconnected {}),
            ) => linking.follow(phase, context),
        },
        Door::Uploading(attempt) => match Uploads::take_up(&attempt, context) {
            Some(state) => state,
            None => starting::go_on(attempt.account, context),
        },
    }
}
