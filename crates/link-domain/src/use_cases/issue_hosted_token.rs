//! A hosted page requests a link token for its widget.

use std::time::Duration;

use link_types::link::Token;

use crate::change::{Change, Row};
use crate::invitations::visit::Visit;
use crate::kernel::context::Context;
use crate::linking::link::LinkToken;
use crate::tenancy::quota::{QuotaExceededError, QuotaUse};

/// Visit that requests a token, and the stored state that the request is checked against.
pub struct HostedPage<'a> {
    /// Visit of the page.
    pub visit: &'a Visit,
    /// Whether the step before the widget has a form that was not submitted during the visit.
    pub awaits_form: bool,
    /// Tokens that hosted pages issued for the user.
    pub used: QuotaUse,
}

/// Reason why a hosted page gets no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostedTokenError {
    /// The person has not proven an address yet.
    #[error("the email address has not been proven yet")]
    AddressUnproven,
    /// The form was not submitted yet.
    #[error("the form has not been submitted yet")]
    FormMissing,
    /// The user's quota of tokens is used up.
    #[error(transparent)]
    Quota(#[from] QuotaExceededError),
}

/// Issues a token that is valid only for the widget on the visit's page, and counts it. Returns the token, and
/// everything that must be written.
///
/// # Errors
///
/// [`HostedTokenError`] if the page gets no token. Nothing must be written then.
pub fn issue_hosted_token(
    page: HostedPage<'_>,
    life: Duration,
    context: &mut Context,
) -> Result<(Token, Change), HostedTokenError> {
    let HostedPage { visit, awaits_form, used } = page;
    if visit.proof.is_awaited() {
        return Err(HostedTokenError::AddressUnproven);
    }
    if awaits_form {
        return Err(HostedTokenError::FormMissing);
    }
    let used = used.charge(1, context.now().wall())?;
    let (token, issued) = LinkToken::issue(visit.owner.clone(), visit.user_id.clone(), life, context);
    let token = token.of_visit(visit.reference());
    Ok((issued, Change { rows: vec![Row::QuotaUse(used), Row::LinkToken(token)], ..Change::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::invitations::address_proof::AddressProof;
    use crate::tenancy::quota::Quota;

    const LIFE: Duration = Duration::from_secs(60);

    fn issue(awaits_form: bool, used: QuotaUse) -> Result<(Token, Change), HostedTokenError> {
        let visit = fixture::visit();
        let page = HostedPage { visit: &visit, awaits_form, used };
        issue_hosted_token(page, LIFE, &mut fixture::context())
    }

    #[test]
    fn hosted_token_is_counted_and_belongs_to_the_invitation() {
        let used = fixture::unused_quota(Quota::HostedTokens);
        let (issued, change) = issue(false, used.clone()).unwrap();
        let counted = used.charge(1, fixture::context().now().wall()).unwrap();
        let [Row::QuotaUse(written), Row::LinkToken(token)] = change.rows.as_slice() else {
            panic!("{change:?}")
        };
        assert_eq!(*written, counted);
        assert_eq!(token.hash, LinkToken::hash(&issued.access_token));
        assert_eq!(token.visit, Some(fixture::visit().reference()));
    }

    #[test]
    fn page_gets_no_token_before_its_form_is_submitted() {
        let refused = issue(true, fixture::unused_quota(Quota::HostedTokens)).map(|_| ());
        assert_eq!(refused, Err(HostedTokenError::FormMissing));
    }

    #[test]
    fn page_gets_no_token_before_the_address_is_proven() {
        let visit = Visit { proof: AddressProof::NotAsked, ..fixture::visit() };
        let page = HostedPage {
            visit: &visit,
            awaits_form: false,
            used: fixture::unused_quota(Quota::HostedTokens),
        };
        let refused = issue_hosted_token(page, LIFE, &mut fixture::context()).map(|_| ());
        assert_eq!(refused, Err(HostedTokenError::AddressUnproven));
    }

    #[test]
    fn page_gets_no_token_once_the_quota_is_used_up() {
        let spent = fixture::spend_quota(Quota::HostedTokens);
        assert!(matches!(issue(false, spent), Err(HostedTokenError::Quota(_))));
    }
}
