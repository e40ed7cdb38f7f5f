//! Requests to the own hosts of link sites. Such a host serves only the pages of its owner's link sites, and what these pages
//! need.

use axum::http::{HeaderMap, HeaderName};
use link_domain::kernel::owner::Owner;

use crate::app::App;
use crate::http::middleware::security_headers::CSP_REPORTS;
use crate::http::problem::ApiResult;
use crate::settings::normalize_host;

/// The header with the own host that a request is sent to. Only the service sets it: a client's is removed.
const OWN_HOST: HeaderName = HeaderName::from_static("linchpin-own-host");

/// Paths that an own host serves.
const PATHS: [&str; 10] = [
    "/visit",
    "/visit/form",
    "/visit/proof",
    "/visit/done",
    "/visit/draft",
    "/visit/token",
    "/hosted/page.css",
    "/hosted/page.js",
    "/sdk/embed.js",
    CSP_REPORTS,
];
/// Beginnings of further paths.
const BELOW: [&str; 4] = ["/s/", "/visit/sign-in/", "/visit/uploads", "/hosted/theme/"];

/// Returns the owner of a proven own host, which is in lower case and has no port. `None` if it is not one.
///
/// # Errors
/// If the database cannot be read.
pub async fn owner_of(app: &App, name: &str) -> ApiResult<Option<Owner>> {
    if app.settings.site_host_target.is_none() {
        return Ok(None);
    }
    let read = app.store.read(|reader| reader.link_site_hosts().list_proven());
    app.caches.site_hosts.owner_of(read, name).await
}

/// Returns whether the host that a request is sent to serves the link sites of an owner: an own host serves only its owner's.
///
/// All of them, also those without this host: people have addresses and visits on it from before a site's host changed.
///
/// # Errors
/// If the database cannot be read.
pub async fn serves_sites_of(app: &App, own_host: Option<&str>, owner: &Owner) -> ApiResult<bool> {
    match own_host {
        Some(host) => Ok(owner_of(app, host).await?.as_ref() == Some(owner)),
        None => Ok(true),
    }
}

/// Returns the own host that a `Host` value names, without its port. `None` if it is not one.
///
/// # Errors
/// If the database cannot be read.
pub async fn find(app: &App, host: &str) -> ApiResult<Option<String>> {
    let urls = app.settings.site_urls();
    let is_https = app.settings.hosted_url.starts_with("https://");
    let scheme = if is_https { "https" } else { "http" };
    let origin = format!("{scheme}://{}", normalize_host(host, is_https));
    let Some(name) = urls.host_in(&origin) else { return Ok(None) };
    Ok(owner_of(app, name).await?.map(|_| name.to_owned()))
}

/// Returns whether own hosts serve a path.
pub fn serves(path: &str) -> bool {
    PATHS.contains(&path) || BELOW.iter().any(|it| path.starts_with(it))
}

/// Notes the own host that a request is sent to, or that it is sent to a host of the service.
pub fn note(headers: &mut HeaderMap, host: Option<&str>) {
    headers.remove(OWN_HOST);
    if let Some(host) = host.and_then(|it| it.parse().ok()) {
        headers.insert(OWN_HOST, host);
    }
}

/// Returns the own host that a request is sent to, in lower case and without a port. `None` for a host of the service.
pub fn own_host(headers: &HeaderMap) -> Option<&str> {
    headers.get(OWN_HOST).and_then(|it| it.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("/s/loans", true)]
    #[case("/s/loans/embed/form", true)]
    #[case("/s/loans/embed/proof", true)]
    #[case("/visit/proof", true)]
    #[case("/visit", true)]
    #[case("/visit/uploads/file-1", true)]
    #[case("/visit/sign-in/a-1", true)]
    #[case("/hosted/theme/1f6feb.css", true)]
    #[case("/csp-reports", true)]
    #[case("/", false)]
    #[case("/visit/finish", false)]
    #[case("/visits", false)]
    #[case("/me", false)]
    #[case("/invite/code", false)]
    #[case("/l/code", false)]
    #[case("/continue/lt-1", false)]
    #[case("/sign-in/start/ticket", false)]
    #[case("/mail/stop/token", false)]
    #[case("/console", false)]
    #[case("/v1/users", false)]
    #[case("/sandbox/v1/link/sessions", false)]
    #[case("/sdk/frame/p1/lt-1", false)]
    #[case("/sdk/v2/linchpin.v2.js", false)]
    #[case("/docs", false)]
    #[case("/.well-known/security.txt", false)]
    fn own_host_serves_only_visits_of_link_sites(#[case] path: &str, #[case] expected: bool) {
        assert_eq!(serves(path), expected, "{path}");
    }

    #[test]
    fn header_of_a_client_is_removed() {
        let mut headers = HeaderMap::new();
        headers.insert(OWN_HOST, "apply.shop.example".parse().unwrap());
        note(&mut headers, None);
        assert_eq!(own_host(&headers), None);
        note(&mut headers, Some("apply.shop.example"));
        assert_eq!(own_host(&headers), Some("apply.shop.example"));
    }
}
