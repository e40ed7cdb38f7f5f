//! A visit of the hosted pages: what the one-time code of an invitation's link is exchanged for.

use std::time::Duration;

use link_types::Sensitive;
use link_types::id::{InviteId, LinkSiteSessionId};

use crate::clock::Wall;
use crate::context::Context;
use crate::digest::{Digest32, hex};
use crate::owner::Owner;

/// How long a visit lasts: as long as a widget's session may.
pub const VISIT_LIFE: Duration = Duration::from_secs(5 * 3_600);

/// A visit as the store keeps it. Its secret is the browser's cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The id: `linkSiteSessionId` of what is submitted during the visit.
    pub id: LinkSiteSessionId,
    /// SHA-256 of the secret: the store looks a visit up by it.
    pub secret_hash: Digest32,
    /// Whose invitation.
    pub owner: Owner,
    /// The invitation.
    pub invite_id: InviteId,
    /// When it began.
    pub created_at: Wall,
}

impl Visit {
    /// A visit that begins now, and its secret.
    pub fn begin(owner: Owner, invite_id: InviteId, context: &mut Context) -> (Self, Sensitive) {
        let secret = Sensitive::new(format!("lpv_{}", hex(&context.secret())));
        let visit = Self {
            id: LinkSiteSessionId::from_bytes(context.uuid()),
            secret_hash: Digest32::of(secret.expose()),
            owner,
            invite_id,
            created_at: context.now().wall(),
        };
        (visit, secret)
    }

    /// Whether its time is not over.
    pub fn lasts(&self, now: Wall) -> bool {
        now.since(self.created_at) < VISIT_LIFE
    }
}
