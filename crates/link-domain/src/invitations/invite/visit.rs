//! A visit to the hosted pages. An invitation's one-time code is exchanged for it.

use std::time::Duration;

use link_types::Sensitive;
use link_types::id::{InviteId, LinkSiteSessionId};

use crate::kernel::clock::Wall;
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};
use crate::kernel::owner::Owner;

/// How long a visit lasts: 5 hours, the maximum of a widget session.
pub const VISIT_LIFE: Duration = Duration::from_secs(5 * 3_600);

/// A visit as the store keeps it. Its secret is stored in the browser's cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Identifier of the visit: the `linkSiteSessionId` of forms submitted during it.
    pub id: LinkSiteSessionId,
    /// SHA-256 of the secret, by which the store finds the visit.
    pub secret_hash: Digest32,
    /// Tenant and environment of the invitation.
    pub owner: Owner,
    /// Invitation that was opened.
    pub invite_id: InviteId,
    /// When the visit started.
    pub created_at: Wall,
}

/// Visit of the hosted pages that a link token, or the session opened with it, belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitRef {
    /// Identifier of the visit.
    pub id: LinkSiteSessionId,
    /// Invitation that was opened.
    pub invite_id: InviteId,
}

impl Visit {
    /// Returns the reference to the visit.
    pub fn reference(&self) -> VisitRef {
        VisitRef { id: self.id.clone(), invite_id: self.invite_id.clone() }
    }

    /// Creates a visit that starts now, and its secret.
    pub fn begin(owner: Owner, invite_id: InviteId, context: &mut Context) -> (Self, Sensitive) {
        let secret = Sensitive::new(format!("lpv_{}", hex(&context.secret())));
        let visit = Self {
            id: LinkSiteSessionId::from_bytes(context.uuid()),
            secret_hash: Digest32::from_text(secret.expose()),
            owner,
            invite_id,
            created_at: context.now().wall(),
        };
        (visit, secret)
    }

    /// Returns whether the visit has not expired.
    pub fn lasts(&self, now: Wall) -> bool {
        now.since(self.created_at) < VISIT_LIFE
    }
}
