//! Pages of tenants that are suspended or deleted.

use link_domain::kernel::owner::Owner;
use link_store::{Reader, Tx};

use crate::http::problem::ApiResult;

/// Checks that the service works for the tenant of a page.
///
/// # Errors
/// 403 if the tenant is suspended or deleted.
pub(super) fn check_tenant(reader: &mut Reader<'_>, owner: &Owner) -> ApiResult<()> {
    let tenant = reader.tenants().get(&owner.tenant)?;
    Ok(tenant.map_or(Ok(()), |it| it.check_active())?)
}

/// Checks and locks the tenant of an erasure that a person asks for: an erasure between two cells would not reach the other one.
///
/// # Errors
/// 403 if the tenant is being moved to another cell, or was not yet activated here.
pub(super) fn check_erasable(tx: &mut Tx<'_>, owner: &Owner) -> ApiResult<()> {
    let tenant = tx.tenants().get(&owner.tenant)?;
    Ok(tenant.map_or(Ok(()), |it| it.check_erasable())?)
}
