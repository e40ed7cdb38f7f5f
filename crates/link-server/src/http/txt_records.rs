//! Look-ups of the TXT records that prove a name.

use link_types::id::TenantId;

use crate::adapters::openid::Purpose;
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// Returns the texts of the TXT records with a name, for a tenant and a purpose, without a cache. Empty if there are none.
///
/// # Errors
/// 503 if too many look-ups are under way, 409 if the name servers do not answer.
pub async fn find_texts(
    app: &App,
    (tenant, purpose): (&TenantId, Purpose),
    name: &str,
) -> ApiResult<Vec<String>> {
    let _permit = app
        .caches
        .openid
        .admit(tenant, purpose)
        .map_err(|_| Problem::unavailable("too many names and providers are looked up at present"))?;
    app.ports.identity.find_texts(name).await.map_err(|_| {
        Problem::conflict("The name servers did not answer the question for the TXT record. Try again later.")
    })
}
