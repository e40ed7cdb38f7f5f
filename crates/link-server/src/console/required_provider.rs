//! Whether a member may sign in without the provider of their tenant.

use link_domain::console::member::Member;
use link_store::Tx;

use super::refusal::forbidden_problem;
use crate::http::problem::ApiResult;

const PROVIDER_REQUIRED: &str = "Your organization requires its single sign-on. Choose it on the sign-in page, or \
                                 open the one-time address and continue with your organization.";

/// Checks that a member may sign in without the provider of their tenant.
///
/// # Errors
/// 403 if they must sign in with the provider.
pub(super) fn check_way(tx: &mut Tx<'_>, member: &Member) -> ApiResult<()> {
    let provider = tx.identity_providers().get(&member.tenant)?;
    if provider.is_none_or(|it| it.admits_others(member.role)) {
        Ok(())
    } else {
        Err(forbidden_problem(PROVIDER_REQUIRED))
    }
}
