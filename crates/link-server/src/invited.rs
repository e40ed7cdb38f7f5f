//! What linking tells the invitation that led to it, in the unit of work in which it happens.

use link_domain::account::{Account, AccountState};
use link_domain::change::{Change, Row};
use link_domain::context::Context;
use link_domain::invite::InviteInput;
use link_domain::link::LinkSession;
use link_domain::owner::Owner;
use link_store::Tx;
use link_types::event::EventType;
use link_types::id::InviteId;

use crate::http::problem::Answer;

/// What an invitation makes of an input; nothing, when it is gone, revoked, or was told before.
pub fn told(
    tx: &mut Tx<'_>,
    owner: &Owner,
    id: &InviteId,
    input: InviteInput,
    context: &mut Context,
) -> Answer<Change> {
    let invite = tx.invite(owner, id)?;
    Ok(invite.and_then(|it| it.apply(input, context).ok()).map(|(_, change)| change).unwrap_or_default())
}

/// An account was begun, or connected once more, in a session: what the session's invitation makes of it.
pub fn begun(
    tx: &mut Tx<'_>,
    session: &LinkSession,
    account: &Account,
    context: &mut Context,
) -> Answer<Change> {
    let Some(invite_id) = &session.invite_id else { return Ok(Change::default()) };
    let bound =
        Change::row(Row::InviteAccount { account_id: account.id.clone(), invite_id: invite_id.clone() });
    // A provider without a login connects at once; one with a login that is under way again has a link.
    let linked = matches!(account.state, AccountState::Connected(_)) && account.link().is_none();
    if !linked {
        return Ok(bound);
    }
    Ok(bound.then(told(tx, &session.owner, invite_id, InviteInput::Linked, context)?))
}

/// A job changed an account: when that connected it, what the invitation makes of it that it was begun for.
pub fn connected(
    tx: &mut Tx<'_>,
    account: &Account,
    change: &Change,
    context: &mut Context,
) -> Answer<Change> {
    if !change.events.iter().any(|event| event.event_type == EventType::AccountConnected) {
        return Ok(Change::default());
    }
    match tx.invite_of_account(&account.id)? {
        Some(invite_id) => told(tx, &account.owner, &invite_id, InviteInput::Linked, context),
        None => Ok(Change::default()),
    }
}
