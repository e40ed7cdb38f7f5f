//! The page inside the iframe: the built HTML with the API's base URL and the allowed origins filled in, and a content
//! security policy that depends on the link template.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::http::middleware::security_headers::REPORTED;

/// The values that the page depends on.
pub struct FrameFacts<'a> {
    /// The API's base URL for the template's environment.
    pub api_base: &'a str,
    /// The URL of the widget's own files.
    pub sdk_url: &'a str,
    /// SANDBOX or PRODUCTION.
    pub mode: &'a str,
    /// Origins that may embed the page.
    pub allowed_origins: &'a [String],
    /// The name of the tenant.
    pub company: &'a str,
    /// Its branding as CSS properties, so that nothing changes when the session is there.
    pub styles: String,
    /// The tenant's own texts as JSON, by locale and key; `None` if it has none.
    pub texts: Option<String>,
}

/// Builds the page for a link template.
pub fn page(html: &str, facts: &FrameFacts<'_>) -> Response {
    let origins = facts.allowed_origins.join(" ");
    let html = fill(html, "linchpin-api-base", facts.api_base);
    let html = fill(&html, "linchpin-origins", &origins);
    let html = fill(&html, "linchpin-mode", facts.mode);
    let html = fill(&html, "linchpin-company", facts.company);
    let html = fill(&html, "linchpin-theme", &facts.styles);
    let html = match &facts.texts {
        Some(texts) => fill(&html, "linchpin-texts", texts),
        None => html,
    };
    let ancestors = if origins.is_empty() { "'none'" } else { &origins };
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{script}; style-src 'self'; font-src 'self'; \
         img-src 'self' data: blob:; media-src blob:; connect-src {sdk}/sdk/assets/ {api}/; form-action 'none'; base-uri 'none'; \
         worker-src 'none'; require-trusted-types-for 'script'; {REPORTED}; frame-ancestors {ancestors}",
        script = inline_script(&html),
        sdk = facts.sdk_url,
        api = facts.api_base,
    );
    let mut response = html.into_response();
    harden(response.headers_mut(), &policy);
    response
}

/// Adds the headers of every response under a frame URL.
pub fn harden(headers: &mut HeaderMap, policy: &str) {
    let name = HeaderName::from_static;
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(name("cross-origin-embedder-policy"), HeaderValue::from_static("require-corp"));
    headers.insert(name("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
    headers.insert(name("origin-agent-cluster"), HeaderValue::from_static("?1"));
    let policy = HeaderValue::from_str(policy)
        .unwrap_or(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
}

/// Returns the policy's source for the page's inline script, with a space in front: its hash. Empty if there is none.
fn inline_script(html: &str) -> String {
    let script = html.split_once("<script>").and_then(|(_, rest)| rest.split_once("</script>"));
    script.map_or_else(String::new, |(script, _)| {
        format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(script.as_bytes())))
    })
}

/// Writes `value` into `<meta name="…" content="…">`. Adds the element if the page does not have it.
fn fill(html: &str, name: &str, value: &str) -> String {
    let value = value.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let filled = html.find(&format!("name=\"{name}\"")).and_then(|at| {
        let end = at + html[at..].find('>')?;
        let start = at + html[at..end].find("content=\"")? + "content=\"".len();
        let stop = start + html[start..end].find('"')?;
        Some(format!("{}{value}{}", &html[..start], &html[stop..]))
    });
    filled.unwrap_or_else(|| {
        html.replacen("<head>", &format!("<head>\n<meta name=\"{name}\" content=\"{value}\">"), 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholder_is_filled_and_missing_one_is_added() {
        let html = r#"<html><head><meta name="linchpin-mode" content=""><title>x</title></head></html>"#;
        assert!(fill(html, "linchpin-mode", "SANDBOX").contains(r#"name="linchpin-mode" content="SANDBOX""#));
        assert!(
            fill(html, "linchpin-origins", "a\"b").contains(r#"name="linchpin-origins" content="a&quot;b""#)
        );
    }

    #[test]
    fn policy_contains_the_hash_of_the_inline_script() {
        assert_eq!(inline_script("<head></head>"), "");
        let hash = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
        assert_eq!(inline_script("<head><script>abc</script>"), format!(" 'sha256-{hash}'"));
    }

    #[test]
    fn page_without_allowed_origins_cannot_be_embedded() {
        let facts = FrameFacts {
            api_base: "http://h/v1",
            sdk_url: "http://h",
            mode: "SANDBOX",
            allowed_origins: &[],
            company: "Lark & Co",
            styles: String::new(),
            texts: Some(r#"{"en":{"action-done":"<b> & \"done\""}}"#.to_owned()),
        };
        let response = page("<head></head>", &facts);
        let escaped = "content=\"{&quot;en&quot;:{&quot;action-done&quot;:&quot;&lt;b> &amp; \\&quot;done\\&quot;&quot;}}\"";
        assert!(fill("<head>", "t", &facts.texts.clone().unwrap_or_default()).contains(escaped));
        let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
        assert!(policy.contains("connect-src http://h/sdk/assets/ http://h/v1/;"), "{policy}");
    }
}
