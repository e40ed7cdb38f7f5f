//! Security headers of every response, those of HTML pages, and the check that a form was sent by our own page.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::Response;
use link_types::Mode;

use crate::http::prefix;
use crate::settings::{Settings, normalize_host};

/// The path to which browsers report violations of a content security policy. Every host of the service serves it.
pub const CSP_REPORTS: &str = "/csp-reports";

/// The reporting directives of a content security policy. `report-uri` is for browsers without `report-to`.
pub const REPORTED: &str = "report-uri /csp-reports; report-to csp";

const REPORTING_ENDPOINTS: HeaderName = HeaderName::from_static("reporting-endpoints");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// One year. Subdomains are not included: the owner of the domain decides about those.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Browser features that no page of the service uses, nor any page embedded in one.
const PERMISSIONS: HeaderValue = HeaderValue::from_static(
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), \
     microphone=(), midi=(), payment=(), serial=(), usb=()",
);

/// The settings that the headers depend on.
#[derive(Debug)]
pub struct SecurityHeaders {
    is_https: bool,
}

impl SecurityHeaders {
    /// Creates the headers for these settings.
    pub fn new(settings: &Settings) -> Self {
        Self { is_https: settings.is_https() }
    }

    fn write(&self, is_api: bool, is_frame: bool, headers: &mut HeaderMap) {
        if self.is_https {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
        }
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        // Most responses of the API contain personal data, and several contain a token or a signed URL.
        if is_api && !headers.contains_key(header::CACHE_CONTROL) {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        let media_type = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        if media_type.is_some_and(|it| it.starts_with("text/html")) {
            headers.insert(PERMISSIONS_POLICY, PERMISSIONS);
            headers.insert(REPORTING_ENDPOINTS, HeaderValue::from_static("csp=\"/csp-reports\""));
            // Other origins embed the frame, and an opener policy affects only top-level pages.
            if !is_frame {
                headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
            }
        }
    }
}

/// Adds the headers to every response.
pub async fn layer<N, F>(security: &SecurityHeaders, request: Request, next: N) -> Response
where
    N: FnOnce(Request) -> F,
    F: Future<Output = Response>,
{
    let path = request.uri().path();
    let is_api = [Mode::Sandbox, Mode::Production].into_iter().any(|mode| path.starts_with(prefix(mode)));
    let is_frame = path.starts_with("/sdk/");
    let mut response = next(request).await;
    security.write(is_api, is_frame, response.headers_mut());
    response
}

// Protection of forms on hosted pages against cross-site requests. A page of another site could otherwise sign a
// person in to a visit that is not theirs, or end their visit.
//
// Our own: tower-http's `CsrfLayer` reads only the first `Sec-Fetch-Site`, and compares hosts with regard to case.

/// The header in which browsers say which site a request comes from.
pub const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Returns true if a request comes from a page of the host it is sent to, or not from a page at all.
///
/// If the browser sends `Sec-Fetch-Site` (over HTTPS and on localhost), that header decides: no page can change it.
/// Otherwise `Origin` must name the same host as `Host`, which the service has checked. A request with neither header
/// comes from a program, which does not have a person's cookies.
pub fn is_from_own_page(method: &Method, headers: &HeaderMap) -> bool {
    if method.is_safe() {
        return true;
    }
    if headers.contains_key(SEC_FETCH_SITE) {
        // `none`: the person started the request, for example by reloading the response to a form.
        return headers.get_all(SEC_FETCH_SITE).iter().all(|it| it == "same-origin" || it == "none");
    }
    let host = headers.get(header::HOST).and_then(|it| it.to_str().ok());
    headers.get_all(header::ORIGIN).iter().all(|origin| {
        let (scheme, named) = match origin.to_str().ok().and_then(|it| it.split_once("://")) {
            Some(parts) => parts,
            None => return false,
        };
        let is_same =
            |host| normalize_host(host, scheme == "https") == normalize_host(named, scheme == "https");
        matches!(scheme, "https" | "http") && host.is_some_and(is_same)
    })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[rstest::rstest]
    #[case::own_page(&[("sec-fetch-site", "same-origin"), ("origin", "https://invites.example")], true)]
    #[case::own_page_without_referrer(&[("sec-fetch-site", "same-origin"), ("origin", "null")], true)]
    #[case::reload(&[("sec-fetch-site", "none")], true)]
    #[case::sibling_site(&[("sec-fetch-site", "same-site"), ("origin", "https://api.example")], false)]
    #[case::other_site(&[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")], false)]
    #[case::two_values(&[("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-origin")], false)]
    #[case::older_browser(&[("origin", "https://Invites.example")], true)]
    #[case::older_browser_with_port(&[("origin", "https://invites.example:443")], true)]
    #[case::older_browser_elsewhere(&[("origin", "https://evil.example")], false)]
    #[case::longer_host(&[("origin", "https://invites.example.evil.example")], false)]
    #[case::other_port(&[("origin", "https://invites.example:8443")], false)]
    #[case::sandboxed_page(&[("origin", "null")], false)]
    #[case::no_browser(&[], true)]
    fn form_from_other_origin_is_recognized(#[case] sent: &[(&str, &str)], #[case] expected: bool) {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("invites.example"));
        for (name, value) in sent {
            headers.append(
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_str(value).unwrap(),
            );
        }
        assert_eq!(is_from_own_page(&Method::POST, &headers), expected);
        assert!(is_from_own_page(&Method::GET, &headers), "a GET changes nothing");
    }
}
