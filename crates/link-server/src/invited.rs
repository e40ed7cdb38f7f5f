//! Updates an invitation when an account is linked through it, in the same unit of work.

use link_domain::account::{Account, AccountState};
use link_domain::change::{Change, Row};
use link_domain::context::Context;
use link_domain::invite::InviteInput;
use link_domain::link::LinkSession;
use link_domain::owner::Owner;
use link_store::Tx;
use link_types::event::EventType;
use link_types::id::InviteId;

use crate::http::problem::ApiResult;

/// Applies an input to an invitation. Returns an empty change if the invitation is gone or revoked, or already has the
/// input.
pub fn told(
    tx: &mut Tx<'_>,
    owner: &Owner,
    id: &InviteId,
    input: InviteInput,
    context: &mut Context,
) -> ApiResult<Change> {
    let invite = tx.invites().get(owner, id)?;
    Ok(invite.and_then(|it| it.apply(input, context).ok()).map(|(_, change)| change).unwrap_or_default())
}

/// Binds an account that a session started, or connected again, to the session's invitation.
pub fn begun(
    tx: &mut Tx<'_>,
    session: &LinkSession,
    account: &Account,
    context: &mut Context,
) -> ApiResult<Change> {
    let Some(invite_id) = &session.invite_id else { return Ok(Change::default()) };
    let bound =
        Change::row(Row::InviteAccount { account_id: account.id.clone(), invite_id: invite_id.clone() });
    // A provider without a login connects at once. If the account has a link, a login is still in progress.
    let linked = matches!(account.state, AccountState::Connected(_)) && account.link().is_none();
    if !linked {
        return Ok(bound);
    }
    Ok(bound.then(told(tx, &session.owner, invite_id, InviteInput::Linked, context)?))
}

/// Updates the invitation of an account if `change` connected the account.
pub fn connected(
    tx: &mut Tx<'_>,
    account: &Account,
    change: &Change,
    context: &mut Context,
) -> ApiResult<Change> {
    if !change.events.iter().any(|event| event.event_type == EventType::AccountConnected) {
        return Ok(Change::default());
    }
    match tx.invites().by_account(&account.id)? {
        Some(invite_id) => told(tx, &account.owner, &invite_id, InviteInput::Linked, context),
        None => Ok(Change::default()),
    }
}
