//! When an invitation counts as linked.

use link_types::event::EventType;

use crate::change::Change;
use crate::context::Context;
use crate::invite::{Invite, InviteInput};

/// Returns whether a change connected an account by a login. The invitation that the account was started through counts
/// as linked then.
pub fn connects_account(change: &Change) -> bool {
    change.events.iter().any(|event| event.event_type == EventType::AccountConnected)
}

/// Marks an invitation as linked. Returns an empty change if the invitation is gone, revoked or already linked.
pub fn link_invite(invite: Option<Invite>, context: &mut Context) -> Change {
    invite.map(|it| it.note(InviteInput::Linked, context)).unwrap_or_default()
}
