//! A person opens the link of an invitation.

use link_types::Sensitive;

use crate::change::{Change, Row};
use crate::invitations::invite::{Invite, InviteError, InviteInput};
use crate::invitations::link_site::LinkSite;
use crate::invitations::visit::{Visit, VisitOrigin};
use crate::kernel::context::Context;

/// Exchanges the one-time code of an invitation for a visit to the hosted pages, or to the invitation's link site.
/// Returns the visit's secret, and everything that must be written.
///
/// # Errors
///
/// [`InviteError`] if the link was used, has expired, or its invitation has ended.
pub fn enter_invite(
    invite: Invite,
    site: Option<LinkSite>,
    context: &mut Context,
) -> Result<(Sensitive, Change), InviteError> {
    let (owner, user) = (invite.owner.clone(), invite.user_id.clone());
    let version = site.as_ref().and_then(|it| it.site.form_version);
    let (visit, secret) = Visit::begin(owner, user, VisitOrigin::Invite(invite.id.clone()), version, context);
    let invite = Invite { visit_id: Some(visit.id.clone()), ..invite };
    let (_, entered) = invite.apply(InviteInput::Enter, context)?;
    let opened = site.map(LinkSite::record_visit).unwrap_or_default();
    Ok((secret, entered.then(Change::row(Row::Visit(visit))).then(opened)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::kernel::digest::Digest32;

    #[test]
    fn entering_uses_the_link_and_begins_a_visit() {
        let invite = fixture::invite().0;
        let id = invite.id.clone();
        let (secret, change) = enter_invite(invite, None, &mut fixture::context()).unwrap();
        let [Row::Invite(entered), Row::Visit(visit)] = change.rows.as_slice() else { panic!("{change:?}") };
        assert!(entered.progress.link_used);
        assert_eq!(entered.visit_id.as_ref(), Some(&visit.id));
        assert_eq!((visit.invite_id(), visit.secret_hash), (Some(&id), Digest32::from_text(secret.expose())));
    }

    #[test]
    fn used_link_begins_no_visit() {
        let mut context = fixture::context();
        let (used, _) = fixture::invite().0.apply(InviteInput::Enter, &mut context).unwrap();
        assert_eq!(enter_invite(used, None, &mut context).map(|_| ()), Err(InviteError::LinkUsed));
    }
}
