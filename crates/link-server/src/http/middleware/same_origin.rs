//! Protection of forms on hosted pages against cross-site requests. A page of another site could otherwise sign a
//! person in to a visit that is not theirs, or end their visit.
//!
//! Our own: tower-http's `CsrfLayer` reads only the first `Sec-Fetch-Site`, and compares hosts with regard to case.

use axum::http::{HeaderMap, HeaderName, Method, header};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

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
    let host = headers.get(header::HOST).map(|it| it.as_bytes());
    headers.get_all(header::ORIGIN).iter().all(|origin| {
        let origin = origin.as_bytes();
        let named = origin.strip_prefix(b"https://").or_else(|| origin.strip_prefix(b"http://"));
        matches!((named, host), (Some(named), Some(host)) if named.eq_ignore_ascii_case(host))
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
