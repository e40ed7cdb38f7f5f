//! Checks of a tenant's standing: that it is neither suspended nor deleted, and, in a unit of work, that it is not on its way to
//! another installation.

use std::time::{Duration, Instant};

use link_domain::kernel::owner::Owner;
use link_store::{Reader, Tx};
use link_types::id::TenantId;

use crate::http::problem::ApiResult;

/// The age from which a request looks at the tenant again before it writes. An export waits until the tenant has been suspended for
/// longer than this and a unit of work take together, so that younger requests need not look.
pub(super) const MAX_UNCHECKED: Duration = Duration::from_secs(5);

/// Checks that the tenant may change here, and keeps an export of it from beginning before the unit ends. Work that may begin
/// long after its tenant was checked calls it first in its unit: it would change a tenant of which another installation has a copy.
///
/// # Errors
/// 403 if the tenant is being moved to another cell, or was not yet activated here.
pub fn check_here(tx: &mut Tx<'_>, tenant: &TenantId) -> ApiResult<()> {
    let tenant = tx.tenants().get_shared(tenant)?;
    Ok(tenant.map_or(Ok(()), |it| it.check_erasable())?)
}

/// Like [`check_here`], for a request that was admitted at this time. Does nothing if that was a few seconds ago.
pub(super) fn check_late(tx: &mut Tx<'_>, tenant: &TenantId, admitted: Instant) -> ApiResult<()> {
    if admitted.elapsed() < MAX_UNCHECKED { Ok(()) } else { check_here(tx, tenant) }
}

/// Checks that the service works for the tenant of a page.
///
/// # Errors
/// 403 if the tenant is suspended or deleted.
pub fn check_tenant(reader: &mut Reader<'_>, owner: &Owner) -> ApiResult<()> {
    let tenant = reader.tenants().get(&owner.tenant)?;
    Ok(tenant.map_or(Ok(()), |it| it.check_active())?)
}

/// Checks and locks the tenant of an erasure that a person asks for: an erasure between two cells would not reach the other one.
///
/// # Errors
/// 403 if the tenant is being moved to another cell, or was not yet activated here.
pub fn check_erasable(tx: &mut Tx<'_>, owner: &Owner) -> ApiResult<()> {
    let tenant = tx.tenants().get(&owner.tenant)?;
    Ok(tenant.map_or(Ok(()), |it| it.check_erasable())?)
}
