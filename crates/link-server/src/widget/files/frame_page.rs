//! The page inside the iframe: the built HTML with the API's base URL and the allowed origins filled in, and a content
//! security policy that depends on the link template.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_types::host::LoadFailure;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::app::packed_pages::{PackedPages, QUICK};
use crate::http::middleware::request_id::Finished;
use crate::http::middleware::security_headers::REPORTED;
use crate::widget::files::embedded::{accepts, entity_tag, is_known};

/// A browser asks whether the page has changed, because templates and builds change. A proxy that changed the page would
/// invalidate the hashes of its scripts.
const CACHING: &str = "private, no-cache, no-transform";

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

/// The page of a link template.
pub struct FramePage {
    html: Arc<str>,
    policy: String,
    /// The hash of both.
    hash: [u8; 32],
}

impl FramePage {
    /// Fills in the built page.
    pub fn new(built: &str, facts: &FrameFacts<'_>) -> Self {
        let origins = facts.allowed_origins.join(" ");
        let html = fill(built, "linchpin-api-base", facts.api_base);
        let html = fill(&html, "linchpin-origins", &origins);
        let html = fill(&html, "linchpin-mode", facts.mode);
        let html = fill(&html, "linchpin-company", facts.company);
        let html = fill(&html, "linchpin-theme", &facts.styles);
        let html = match &facts.texts {
            Some(texts) => fill(&html, "linchpin-texts", texts),
            None => html,
        };
        // After a deploy, the page loads itself again in a frame (ADR 201).
        let ancestors = if origins.is_empty() { "'none'".to_owned() } else { format!("'self' {origins}") };
        // The hashes are those of the built page, so that no value of a tenant can add one.
        let policy = format!(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{scripts}; style-src 'self'{styles}; font-src 'self'; \
             img-src 'self' data: blob:; media-src blob:; connect-src {sdk}/sdk/assets/ {api}/; form-action 'none'; base-uri 'none'; \
             worker-src 'none'; frame-src 'self'; require-trusted-types-for 'script'; {REPORTED}; frame-ancestors {ancestors}",
            scripts = inline(built, "script"),
            styles = inline(built, "style"),
            sdk = facts.sdk_url,
            api = facts.api_base,
        );
        let hash = Sha256::new().chain_update(&html).chain_update(&policy).finalize().into();
        Self { html: html.into(), policy, hash }
    }

    /// Returns the page, compressed if the client accepts brotli, as every supported browser does. Without a body if the
    /// client has it already.
    pub async fn response(self, request: &HeaderMap, packed: &PackedPages) -> Response {
        let tag = entity_tag(&self.hash);
        let mut response = if is_known(&tag, request) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let body =
                if accepts(request, "br") { packed.get(self.hash, &self.html, QUICK).await } else { None };
            match body {
                Some(body) => ([(header::CONTENT_ENCODING, "br")], body).into_response(),
                None => self.html.to_string().into_response(),
            }
        };
        let headers = response.headers_mut();
        harden(headers, &self.policy);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHING));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(header::ETAG, tag);
        response
    }
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

/// Returns the policy's sources for the page's inline scripts or styles, each with a space in front: their hashes.
pub(super) fn inline(html: &str, tag: &str) -> String {
    let (start, end) = (format!("<{tag}"), format!("</{tag}>"));
    html.split(&start)
        .skip(1)
        .filter_map(|rest| rest.split_once('>')?.1.split_once(&end))
        .map(|(content, _)| format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(content.as_bytes()))))
        .collect()
}

/// Writes `value` into `<meta name="…" content="…">`. Adds the element if the page does not have it.
pub(super) fn fill(html: &str, name: &str, value: &str) -> String {
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

// The page in place of a frame that must not be shown: it names the reason to the bridge, and thereby to the person and the
// developer. Any page may embed it, because it shows nothing and can do nothing.

/// Asks for a port as the frame does, and sends the failure over it. It never reads the token that a bridge sends with it.
const PAGE: &str = concat!(
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"linchpin-failed\" content=\"\">",
    "<title>Linchpin</title></head><body><script>onmessage=({source,ports:[port]})=>{if(source===parent&&port)",
    "port.postMessage({failed:JSON.parse(document.querySelector('[name=linchpin-failed]').content)})};",
    "parent.postMessage({linchpin:'p1'},'*')</script></body></html>",
);

/// Returns the page. `detail` is for developers.
pub(super) fn refused_page(status: StatusCode, cause: LoadFailure, detail: &str) -> Response {
    let page = fill(PAGE, "linchpin-failed", &json!({ "cause": cause, "detail": detail }).to_string());
    let scripts = inline(PAGE, "script");
    let policy =
        format!("default-src 'none'; script-src{scripts}; base-uri 'none'; {REPORTED}; frame-ancestors *");
    let mut response = (status, page).into_response();
    harden(response.headers_mut(), &policy);
    response.extensions_mut().insert(Finished);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: FrameFacts<'_> = FrameFacts {
        api_base: "http://h/v1",
        sdk_url: "http://h",
        mode: "SANDBOX",
        allowed_origins: &[],
        company: "Lark & Co",
        styles: String::new(),
        texts: None,
    };

    #[test]
    fn placeholder_is_filled_and_missing_one_is_added() {
        let html = r#"<html><head><meta name="linchpin-mode" content=""><title>x</title></head></html>"#;
        assert!(fill(html, "linchpin-mode", "SANDBOX").contains(r#"name="linchpin-mode" content="SANDBOX""#));
        assert!(
            fill(html, "linchpin-origins", "a\"b").contains(r#"name="linchpin-origins" content="a&quot;b""#)
        );
    }

    #[test]
    fn policy_contains_the_hash_of_each_inline_script_and_style() {
        assert_eq!(inline("<head></head>", "script"), "");
        let hash = " 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='";
        let html = "<script>abc</script><style>abc</style><script type=\"module\">abc</script>";
        assert_eq!(inline(html, "script"), hash.repeat(2));
        assert_eq!(inline(html, "style"), hash);
    }

    #[tokio::test]
    async fn page_is_compressed_and_not_sent_twice() {
        let html = "<head>".to_owned() + &"<meta>".repeat(1_000);
        let packed = PackedPages::default();
        let get = async |name, value, facts| {
            let request = HeaderMap::from_iter([(name, value)]);
            FramePage::new(&html, &facts).response(&request, &packed).await
        };
        let br = HeaderValue::from_static("gzip, br");
        let sent = get(header::ACCEPT_ENCODING, br, FACTS).await;
        assert_eq!(sent.headers()[header::CONTENT_ENCODING], "br");
        let plain = get(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"), FACTS).await;
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));

        let tag = || sent.headers()[header::ETAG].clone();
        let again = get(header::IF_NONE_MATCH, tag(), FACTS).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        let policy = header::CONTENT_SECURITY_POLICY;
        assert_eq!(again.headers()[&policy], sent.headers()[&policy]);
        let allowed = ["https://shop.example".to_owned()];
        for changed in [
            FrameFacts { allowed_origins: &allowed, ..FACTS },
            FrameFacts { company: "Wren", ..FACTS },
            FrameFacts { styles: "--brand-light:#123456".to_owned(), ..FACTS },
            FrameFacts { texts: Some("{}".to_owned()), ..FACTS },
        ] {
            assert_eq!(get(header::IF_NONE_MATCH, tag(), changed).await.status(), StatusCode::OK);
        }
    }

    #[test]
    fn values_of_a_tenant_do_not_change_the_allowed_scripts() {
        let built = "<head><script>abc</script><style>abc</style>";
        let hostile = "\"><script>alert(1)</script><style>a{}</style>";
        let policy = |facts: &FrameFacts<'_>| FramePage::new(built, facts).policy;
        let texts = Some(hostile.to_owned());
        let facts = FrameFacts { company: hostile, styles: hostile.to_owned(), texts, ..FACTS };
        assert_eq!(policy(&facts), policy(&FACTS));
        assert_eq!(FramePage::new(built, &facts).html.matches("<script").count(), 1);
    }

    #[test]
    fn page_without_allowed_origins_cannot_be_embedded() {
        let texts = Some(r#"{"en":{"action-done":"<b> & \"done\""}}"#.to_owned());
        let facts = FrameFacts { texts, ..FACTS };
        let page = FramePage::new("<head></head>", &facts);
        let escaped = "content=\"{&quot;en&quot;:{&quot;action-done&quot;:&quot;&lt;b> &amp; \\&quot;done\\&quot;&quot;}}\"";
        assert!(fill("<head>", "t", &facts.texts.clone().unwrap_or_default()).contains(escaped));
        let policy = page.policy;
        assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
        assert!(policy.contains("connect-src http://h/sdk/assets/ http://h/v1/;"), "{policy}");
    }
}
