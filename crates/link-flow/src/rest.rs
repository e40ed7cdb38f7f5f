//! The way to the screens that most people never see: the accounts, the survey, the uploads. Their code is a second part
//! of the program, loaded when a person first goes there. Only this file leads to them, so none of it runs before.
//!
//! `cargo xtask frame` cuts the wasm between functions: those of these screens that the first part calls must be
//! functions of their own, hence `#[inline(never)]` on them.

use link_types::id::AccountId;
use link_types::link::AttemptState;

use crate::context::Context;
use crate::screen::accounts::Accounts;
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
    /// Back to documents that were being uploaded.
    Uploading(Box<AttemptState>),
}

/// Goes there, at once or when the rest of the program is loaded.
pub(crate) fn open(door: Door, context: &mut Context) -> State {
    if context.has_rest { enter(door, context) } else { Starting::load_rest(Then::Enter(door), context) }
}

/// The rest is there.
pub(crate) fn enter(door: Door, context: &mut Context) -> State {
    context.has_rest = true;
    match door {
        Door::Accounts => Accounts::enter(context),
        Door::Account(account) => Accounts::update(account, context),
        Door::Survey => Survey::enter(context),
        Door::Uploads => Uploads::enter(context),
        Door::Uploading(attempt) => match Uploads::take_up(&attempt, context) {
            Some(state) => state,
            None => starting::go_on(attempt.account, context),
        },
    }
}
