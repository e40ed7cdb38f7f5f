//! The responses to a request without a session, and to one that is not allowed; whether a member may sign in without the
//! provider of their tenant.

use axum::http::{HeaderValue, StatusCode, header};
use link_domain::console::member::Member;
use link_store::Tx;
use link_types::problem::ProblemCode;

use crate::http::problem::{ApiResult, Problem};

/// Returns a 401. With the challenge `Basic`, the browser would ask for a name and a password.
pub(super) fn signed_out_problem(detail: &'static str) -> Problem {
    let challenge = HeaderValue::from_static("Bearer realm=\"linchpin console\"");
    Problem::invalid_credentials(detail).with_header(header::WWW_AUTHENTICATE, challenge)
}

/// Returns a 403.
pub(super) fn forbidden_problem(detail: &'static str) -> Problem {
    Problem::new(ProblemCode::Unauthorized, detail).with_status(StatusCode::FORBIDDEN)
}

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
