//! Checks the consent template that a request for a record or signal refers to.

use link_domain::kernel::owner::Owner;
use link_store::Tx;
use link_types::id::ConsentTemplateId;
use link_types::problem::FaultCode;

use crate::http::problem::{ApiResult, Problem};

/// Checks that the template exists in the caller's environment, if the request names one.
///
/// The template is locked until the commit. After that it cannot change, because the record or signal refers to it.
///
/// # Errors
/// 422 if the template does not exist.
pub(super) fn check(tx: &mut Tx<'_>, owner: &Owner, named: Option<&ConsentTemplateId>) -> ApiResult<()> {
    match named {
        Some(id) if tx.consent_templates().get_to_cite(owner, id)?.is_none() => Err(Problem::invalid_field(
            "consent.consentTemplateId",
            FaultCode::Invalid,
            "a consent template of this environment",
        )),
        Some(_) | None => Ok(()),
    }
}
