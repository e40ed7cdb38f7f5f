//! Updates an invitation when an account is linked through it, in the same unit of work.

use link_domain::account::Account;
use link_domain::change::Change;
use link_domain::context::Context;
use link_domain::invite::InviteInput;
use link_domain::owner::Owner;
use link_domain::use_cases::{connects_account, link_invite};
use link_store::Tx;
use link_types::id::InviteId;

use crate::http::problem::ApiResult;

/// Applies an input to an invitation. Returns an empty change if the invitation is gone or revoked, or already has the
/// input.
pub fn note(
    tx: &mut Tx<'_>,
    owner: &Owner,
    id: &InviteId,
    input: InviteInput,
    context: &mut Context,
) -> ApiResult<Change> {
    Ok(tx.invites().get(owner, id)?.map(|it| it.note(input, context)).unwrap_or_default())
}

/// Updates the invitation of an account if `change` connected the account.
pub fn connected(
    tx: &mut Tx<'_>,
    account: &Account,
    change: &Change,
    context: &mut Context,
) -> ApiResult<Change> {
    if !connects_account(change) {
        return Ok(Change::default());
    }
    match tx.invites().by_account(&account.id)? {
        Some(invite_id) => Ok(link_invite(tx.invites().get(&account.owner, &invite_id)?, context)),
        None => Ok(Change::default()),
    }
}
