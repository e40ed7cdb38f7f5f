//! The widget's files, which are embedded in the binary. A debug build reads them from the checkout instead.

use std::borrow::Cow;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::http::middleware::request_id::Finished;

/// The built files of `www/frame`. `build.rs` fails a release build without them.
#[derive(RustEmbed)]
#[folder = "../../www/frame/dist/"]
#[allow_missing = true]
// Trunk keeps its unfinished build and its lock in the folder.
#[exclude = ".*"]
pub struct FrameFiles;

/// The built files of `www/sdk`.
#[derive(RustEmbed)]
#[folder = "../../www/sdk/dist/"]
#[allow_missing = true]
pub struct SdkFiles;

/// Serves a file, compressed with brotli or gzip if the client accepts it.
pub fn serve<F: RustEmbed>(path: &str, request: &HeaderMap) -> Option<Response> {
    let encoded = [("br", ".br"), ("gzip", ".gz")].into_iter().find_map(|(encoding, suffix)| {
        accepts(request, encoding)
            .then(|| F::get(&format!("{path}{suffix}")))
            .flatten()
            .map(|it| (it, Some(encoding)))
    });
    let (file, encoding) = encoded.or_else(|| F::get(path).map(|it| (it, None)))?;
    let tag = entity_tag(&file.metadata.sha256_hash());
    let mut response = if is_known(&tag, request) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let body = match file.data {
            Cow::Borrowed(bytes) => axum::body::Body::from(bytes),
            Cow::Owned(bytes) => axum::body::Body::from(bytes),
        };
        Response::new(body)
    };
    set_headers(response.headers_mut(), path, tag);
    if let Some(encoding) = encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Some(response)
}

/// Sets the headers of a file, which depend on its name.
pub fn set_headers(headers: &mut HeaderMap, path: &str, tag: HeaderValue) {
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(path)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching(path)));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ETAG, tag);
}

/// Returns the response of a debug build without the widget's files.
pub fn built_without() -> Response {
    let message = "The widget's files are not built. Run `cargo xtask frame` and `cargo xtask bridge`, and \
                   try again.\n";
    let mut response = (StatusCode::SERVICE_UNAVAILABLE, message).into_response();
    response.extensions_mut().insert(Finished);
    response
}

/// Returns the `ETag` of content with this hash. A weak one, because each encoding of the content has the same.
pub fn entity_tag(hash: &[u8; 32]) -> HeaderValue {
    let tag = format!("W/\"{}\"", base16ct::lower::encode_string(&hash[..12]));
    HeaderValue::from_str(&tag).unwrap_or(HeaderValue::from_static("W/\"\""))
}

/// Returns whether the client has the content with this `ETag` (RFC 9110, 13.1.2).
pub fn is_known(tag: &HeaderValue, request: &HeaderMap) -> bool {
    fn opaque(tag: &str) -> &str {
        tag.trim().trim_start_matches("W/")
    }
    let tag = tag.to_str().map(opaque).unwrap_or_default();
    let known = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|it| it.to_str().ok());
    known.flat_map(|it| it.split(',')).map(opaque).any(|it| it == tag || it == "*")
}

/// Returns whether the client accepts responses in an encoding, for example `br`.
pub fn accepts(request: &HeaderMap, encoding: &str) -> bool {
    let header = request.get(header::ACCEPT_ENCODING).and_then(|it| it.to_str().ok()).unwrap_or_default();
    header.split(',').any(|part| {
        let mut pieces = part.split(';').map(str::trim);
        pieces.next() == Some(encoding)
            && !pieces.any(|it| it.strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()) == Some(0.0))
    })
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ts") => "text/plain; charset=utf-8",
        Some(_) | None => "application/octet-stream",
    }
}

/// Returns the caching policy. A file with a hash in its name never changes; others are revalidated with their `ETag`.
fn caching(path: &str) -> &'static str {
    if has_hash(path) {
        "public, max-age=31536000, immutable"
    } else if path.starts_with("help/") {
        // Shown when there is no connection.
        "public, max-age=3600, stale-while-revalidate=604800"
    } else {
        "public, no-cache"
    }
}

/// Returns true if a part of the file's name is a hash of at least 8 hexadecimal digits.
pub fn has_hash(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split(['-', '.', '_']).any(|part| {
        part.len() >= 8
            && part.bytes().all(|it| it.is_ascii_hexdigit())
            && part.bytes().any(|it| it.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_with_zero_weight_is_not_accepted() {
        let accepts = |header, encoding| {
            accepts(
                &HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(header))]),
                encoding,
            )
        };
        assert!(accepts("gzip, deflate, br", "br"));
        assert!(accepts("gzip;q=0.5", "gzip"));
        assert!(!accepts("br;q=0, gzip", "br"));
        assert!(!accepts("", "gzip"));
    }

    #[test]
    fn known_content_is_recognized_in_each_form() {
        let tag = entity_tag(&[0xab; 32]);
        let strong = tag.to_str().unwrap().trim_start_matches("W/");
        let asks = |value: &str| {
            let value = HeaderValue::from_str(value).unwrap();
            is_known(&tag, &HeaderMap::from_iter([(header::IF_NONE_MATCH, value)]))
        };
        for known in [strong, &format!("W/{strong}"), &format!("\"other\", {strong}"), "*"] {
            assert!(asks(known), "{known}");
        }
        assert!(!asks("\"other\"") && !is_known(&tag, &HeaderMap::new()));
    }

    #[test]
    fn only_hashed_names_are_immutable() {
        assert!(has_hash("link-widget-83bb6d5a9e1f0c42_bg.wasm"));
        assert!(has_hash("en.5f0e1d2c.json"));
        assert!(!has_hash("v2/linchpin.v2.js"));
        assert!(!has_hash("boot.js"));
    }
}
