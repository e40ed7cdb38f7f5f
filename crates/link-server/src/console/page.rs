//! `/console`: the portal's program. Every page is the same document, and the program shows the one that the path names.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use rust_embed::RustEmbed;

use crate::http::middleware::request_id::Finished;
use crate::http::middleware::security_headers::REPORTED;
use crate::http::problem::{ApiResult, Problem};
use crate::widget::files::embedded::serve;

/// The built files of `crates/link-console`. `build.rs` fails a release build without them.
#[derive(RustEmbed)]
#[folder = "../link-console/dist/"]
#[allow_missing = true]
// Trunk keeps its unfinished build and its lock in the folder.
#[exclude = ".*"]
struct ConsoleFiles;

/// Serves the document of every page.
pub(super) async fn document(headers: HeaderMap) -> Response {
    let Some(mut response) = serve::<ConsoleFiles>("index.html", &headers) else {
        let message = "The developer portal is not built. Run `cargo xtask console`, and try again.\n";
        let mut response = (StatusCode::SERVICE_UNAVAILABLE, message).into_response();
        response.extensions_mut().insert(Finished);
        return response;
    };
    let headers = response.headers_mut();
    own_origin_only(headers);
    if let Ok(policy) = HeaderValue::from_str(&policy()) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
    response.extensions_mut().insert(Finished);
    response
}

/// Returns the policy of the document: scripts and styles only from the same host, and none inline. Forms and frames are
/// for the preview of link sites.
fn policy() -> String {
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:; \
         connect-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; \
         trusted-types 'none'; {REPORTED}; frame-ancestors 'none'"
    )
}

/// Serves a file that the document refers to.
pub(super) async fn asset(Path(path): Path<String>, headers: HeaderMap) -> ApiResult<Response> {
    if path.starts_with("index.html") {
        return Err(Problem::missing());
    }
    let mut response = serve::<ConsoleFiles>(&path, &headers).ok_or_else(Problem::missing)?;
    own_origin_only(response.headers_mut());
    Ok(response)
}

/// Replaces the headers with which other origins may read the widget's files.
fn own_origin_only(headers: &mut HeaderMap) {
    headers.remove(header::ACCESS_CONTROL_ALLOW_ORIGIN);
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policy_of_the_portal_is_strict() {
        let policy = policy();
        assert!(HeaderValue::from_str(&policy).is_ok());
        for directive in [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self'",
            "connect-src 'self'",
            "form-action 'self'",
            "frame-src 'self'",
            "base-uri 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.split("; ").any(|it| it == directive), "{directive}: {policy}");
        }
        for source in ["unsafe-inline", "'unsafe-eval'", "http:", "*"] {
            assert!(!policy.contains(source), "{source}: {policy}");
        }
    }
}
