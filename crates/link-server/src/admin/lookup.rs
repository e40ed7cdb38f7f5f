//! Lookups that several commands share.

use link_store::{PageRequest, PageSize};
use link_types::id::TenantId;

use super::refusal::Refusal;
use crate::app::App;

/// Returns a request for the largest possible page, which is what the command line lists.
pub(super) fn one_page() -> Result<PageRequest, Refusal> {
    Ok(PageRequest::first(PageSize::new(PageSize::MAX.into())?))
}

/// Fails if the tenant does not exist. Otherwise a list would be empty, as if the tenant had nothing.
pub(super) async fn check_tenant(app: &App, id: &TenantId) -> Result<(), Refusal> {
    let wanted = id.clone();
    match app.store().read(move |reader| reader.tenants().get(&wanted)).await? {
        Some(_) => Ok(()),
        None => Err(Refusal(format!(
            "the tenant {id} does not exist. `linchpin tenant list` shows all tenants; to create it, run \
             `linchpin tenant create {id} --name NAME`"
        ))),
    }
}
