//! Pages of tenants that are suspended or deleted.

use link_domain::kernel::owner::Owner;
use link_store::Reader;

use crate::http::problem::ApiResult;

/// Checks that the service works for the tenant of a page.
///
/// # Errors
/// 403 if the tenant is suspended or deleted.
pub(super) fn check_tenant(reader: &mut Reader<'_>, owner: &Owner) -> ApiResult<()> {
    let tenant = reader.tenants().get(&owner.tenant)?;
    Ok(tenant.map_or(Ok(()), |it| it.check_active())?)
}
