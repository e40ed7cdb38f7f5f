//! A visit to the hosted pages. The one-time code of an invitation or a hosted link, or the start page of a link site, is
//! exchanged for it.

use std::time::Duration;

use link_types::Sensitive;
use link_types::id::{HostedLinkId, InviteId, LinkSiteId, LinkSiteSessionId, UserId};

use crate::invitations::address_proof::AddressProof;
use crate::kernel::clock::Wall;
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};
use crate::kernel::owner::Owner;

/// How long a visit lasts: 5 hours, the maximum of a widget session.
pub const VISIT_LIFE: Duration = Duration::from_secs(5 * 3_600);
/// Time in which no person answers the form of a public address: 2 seconds after the visit started.
const TOO_EARLY: Duration = Duration::from_secs(2);

/// The beginning of a visit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VisitOrigin {
    /// An invitation.
    Invite(InviteId),
    /// The address of a link site, which anyone may have.
    LinkSite(LinkSiteId),
    /// A hosted link.
    HostedLink(HostedLinkId),
}

/// A visit as the store keeps it. Its secret is stored in the browser's cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Identifier of the visit: the `linkSiteSessionId` of forms submitted during it.
    pub id: LinkSiteSessionId,
    /// SHA-256 of the secret, by which the store finds the visit.
    pub secret_hash: Digest32,
    /// Tenant and environment of the visit.
    pub owner: Owner,
    /// User who will own the account.
    pub user_id: UserId,
    /// Beginning of the visit.
    pub origin: VisitOrigin,
    /// Version of the link site's form that the person answers. `None` without a form, and for the form of a link template.
    pub form_version: Option<u32>,
    /// When the visit started.
    pub created_at: Wall,
    /// Proof of the person's email address.
    pub proof: AddressProof,
}

/// Visit of the hosted pages that a link token, or the session opened with it, belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitRef {
    /// Identifier of the visit.
    pub id: LinkSiteSessionId,
    /// Invitation that was opened. `None` for a link site or a hosted link.
    pub invite_id: Option<InviteId>,
}

impl Visit {
    /// Returns the reference to the visit.
    pub fn reference(&self) -> VisitRef {
        VisitRef { id: self.id.clone(), invite_id: self.invite_id().cloned() }
    }

    /// Returns the invitation that was opened, if there is one.
    pub const fn invite_id(&self) -> Option<&InviteId> {
        match &self.origin {
            VisitOrigin::Invite(id) => Some(id),
            VisitOrigin::LinkSite(_) | VisitOrigin::HostedLink(_) => None,
        }
    }

    /// Creates a visit that starts now, and its secret.
    pub fn begin(
        owner: Owner,
        user_id: UserId,
        origin: VisitOrigin,
        form_version: Option<u32>,
        context: &mut Context,
    ) -> (Self, Sensitive) {
        let secret = Sensitive::new(format!("lpv_{}", hex(&context.secret())));
        let visit = Self {
            id: LinkSiteSessionId::from_bytes(context.uuid()),
            secret_hash: Digest32::from_text(secret.expose()),
            owner,
            user_id,
            origin,
            form_version,
            created_at: context.now().wall(),
            proof: AddressProof::NotNeeded,
        };
        (visit, secret)
    }

    /// Returns whether the visit has not expired, and can still prove an address if it must.
    pub fn lasts(&self, now: Wall) -> bool {
        now.since(self.created_at) < VISIT_LIFE && !self.proof.is_used_up(now)
    }

    /// Returns how long the visit can still last.
    pub fn time_left(&self, now: Wall) -> Duration {
        VISIT_LIFE.saturating_sub(now.since(self.created_at))
    }

    /// Returns whether only a program answers a form this soon. The person of an invitation is known, and may.
    pub fn is_too_early(&self, now: Wall) -> bool {
        self.invite_id().is_none() && now.since(self.created_at) < TOO_EARLY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn only_the_form_of_a_public_address_has_a_minimum_time() {
        let invited = fixture::visit();
        let site = LinkSiteId::from_bytes([1; 16]);
        let open = Visit { origin: VisitOrigin::LinkSite(site), ..invited.clone() };
        let begun = open.created_at;
        assert!(open.is_too_early(begun) && !open.is_too_early(begun + TOO_EARLY));
        assert!(!invited.is_too_early(begun));
    }
}
