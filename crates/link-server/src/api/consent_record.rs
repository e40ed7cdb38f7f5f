//! The consent receipt of an account or archive, as tenants read it.

use link_domain::kernel::owner::Owner;
use link_domain::linking::consent::{Covered, KeptConsent};
use link_store::Reader;
use link_types::consent::ConsentRecord;

use crate::http::problem::{ApiResult, Problem};

/// Returns the receipt: with the text that was shown, or the minimal one if the data was erased.
///
/// # Errors
/// 404 if no consent was given.
pub(super) fn record(
    reader: &mut Reader<'_>,
    owner: &Owner,
    covered: Covered,
    consent: Option<KeptConsent>,
) -> ApiResult<ConsentRecord> {
    match consent.ok_or_else(Problem::missing)? {
        KeptConsent::Ended { stub, at, reason } => Ok(stub.record(covered, at, reason)),
        KeptConsent::Whole(consent) => {
            let template = reader
                .consent_templates()
                .get_kept(owner, &consent.receipt.consent_template_id)?
                .ok_or_else(|| Problem::system("A consent refers to a missing template"))?;
            Ok(consent.record(covered, &template))
        }
    }
}
