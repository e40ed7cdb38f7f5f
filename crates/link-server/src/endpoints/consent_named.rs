//! The consent template that a record's or a signal's request names must be of the caller's environment.

use link_domain::owner::Owner;
use link_store::Tx;
use link_types::id::ConsentTemplateId;
use link_types::problem::FaultCode;

use crate::http::problem::{Answer, Problem};

/// Checks that the template is there, where one is named, and keeps it as it is until the commit: the record or
/// signal that cites it makes it stay so for good.
///
/// # Errors
/// 422 when it is not.
pub(super) fn check(tx: &mut Tx<'_>, owner: &Owner, named: Option<&ConsentTemplateId>) -> Answer<()> {
    match named {
        Some(id) if tx.consent_template_to_cite(owner, id)?.is_none() => Err(Problem::invalid_field(
            "consent.consentTemplateId",
            FaultCode::Invalid,
            "a consent template of this environment",
        )),
        Some(_) | None => Ok(()),
    }
}
