//! A person opens the address of a hosted link.

use link_types::Sensitive;

use crate::change::{Change, Row};
use crate::invitations::hosted_link::{HostedLink, HostedLinkError, HostedLinkInput};
use crate::invitations::visit::{Visit, VisitOrigin};
use crate::kernel::context::Context;

/// Exchanges the one-time code of a hosted link for a visit to the hosted pages. Returns the visit's secret, and everything
/// that must be written.
///
/// # Errors
///
/// [`HostedLinkError`] if the address was opened before, or has expired.
pub fn enter_hosted_link(
    link: HostedLink,
    context: &mut Context,
) -> Result<(Sensitive, Change), HostedLinkError> {
    let origin = VisitOrigin::HostedLink(link.id.clone());
    let (visit, secret) = Visit::begin(link.owner.clone(), link.user_id.clone(), origin, None, context);
    let (_, entered) = link.apply(HostedLinkInput::Enter(visit.id.clone()), context)?;
    Ok((secret, entered.then(Change::row(Row::Visit(visit)))))
}

#[cfg(test)]
mod tests {
    use link_types::hosted_link::HostedLinkStatus;

    use super::*;
    use crate::fixture;
    use crate::kernel::digest::Digest32;

    #[test]
    fn entering_uses_the_address_and_begins_a_visit() {
        let created = HostedLink {
            status: HostedLinkStatus::Created,
            visit_id: None,
            opened_at: None,
            ..fixture::opened_hosted_link()
        };
        let (secret, change) = enter_hosted_link(created.clone(), &mut fixture::context()).unwrap();
        let [Row::HostedLink(entered), Row::Visit(visit)] = change.rows.as_slice() else {
            panic!("{change:?}")
        };
        assert_eq!((entered.status, entered.visit_id.as_ref()), (HostedLinkStatus::Opened, Some(&visit.id)));
        assert_eq!(
            (&visit.user_id, visit.secret_hash),
            (&created.user_id, Digest32::from_text(secret.expose()))
        );
        assert_eq!(visit.origin, VisitOrigin::HostedLink(created.id));
    }

    #[test]
    fn used_address_begins_no_visit() {
        let refused = enter_hosted_link(fixture::opened_hosted_link(), &mut fixture::context());
        assert_eq!(refused.map(|_| ()), Err(HostedLinkError::Used));
    }
}
