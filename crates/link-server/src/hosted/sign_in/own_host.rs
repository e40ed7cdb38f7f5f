//! A login that leads away from an own host of link sites, and back to it.
//!
//! Providers send people back to the service's host, and its cookie proves in which browser they left. So the person leaves
//! from that host, too: the page on the own host leads there first. The service then always asks the person, as it does with a
//! link of a message: the host is a tenant's.

use axum::http::HeaderMap;
use link_domain::kernel::domain_proof::check_domain;
use link_domain::kernel::owner::Owner;
use link_types::id::AccountId;

use super::cookie;
use crate::app::App;
use crate::hosted::show::WIDGET_PATH;
use crate::http::middleware::site_host::owner_of;
use crate::http::problem::ApiResult;

/// Begins the query of an address that leads away from an own host, before the host.
const OWN_HOST: &str = "own-host=";

/// Returns the address at which a login that leads away from an own host begins.
pub(super) fn start_address(app: &App, path: &str, host: &str) -> String {
    format!("{}{path}?{OWN_HOST}{host}", app.settings.hosted_url)
}

/// Returns the own host that the query of such an address names. It is not checked: anyone can write it.
pub(super) fn host_in_query(query: Option<&str>) -> Option<String> {
    query?.strip_prefix(OWN_HOST).and_then(check_domain)
}

/// Returns the address where the person continues if they left from an own host. The account may have been deleted since.
pub(super) async fn way_back(
    app: &App,
    headers: &HeaderMap,
    (owner, account): (&Owner, &AccountId),
) -> ApiResult<Option<String>> {
    match cookie::read(app, headers, account).and_then(|it| it.own_host) {
        Some(host) => address_on(app, &host, owner).await,
        None => Ok(None),
    }
}

/// Returns the address of the widget on an own host, which the owner of the account must have proven. The widget there shows how
/// the login ended.
pub(super) async fn address_on(app: &App, host: &str, owner: &Owner) -> ApiResult<Option<String>> {
    let is_theirs = owner_of(app, host).await?.as_ref() == Some(owner);
    Ok(is_theirs.then(|| format!("{}{WIDGET_PATH}", app.settings.site_urls().origin(host))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case(Some("own-host=apply.shop.example"), Some("apply.shop.example"))]
    #[case(Some("own-host=apply.shop.example/x"), None)]
    #[case(Some("own-host=shop"), None)]
    #[case(Some("same-tab"), None)]
    #[case(None, None)]
    fn query_names_an_own_host(#[case] query: Option<&str>, #[case] expected: Option<&str>) {
        assert_eq!(host_in_query(query).as_deref(), expected);
    }
}
