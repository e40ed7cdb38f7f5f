//! The widget's files, which are embedded in the binary. A debug build reads them from the checkout instead.

use std::borrow::Cow;
use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_domain::documents::file_store::{FileStore, FileStoreError};
use link_domain::kernel::clock::Wall;
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

use crate::app::App;
use crate::http::middleware::request_id::Finished;
use crate::http::problem::{ApiResult, Problem};

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
pub fn respond_without_build() -> Response {
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

/// Returns the caching policy. A file with a hash in its name, and one of a release, never changes; others are revalidated
/// with their `ETag`.
fn caching(path: &str) -> &'static str {
    if has_hash(path) || is_of_release(path) {
        "public, max-age=31536000, immutable"
    } else if path.starts_with("help/") {
        // Shown when there is no connection.
        "public, max-age=3600, stale-while-revalidate=604800"
    } else {
        "public, no-cache"
    }
}

/// Returns true for a script of a release, such as `releases/0.1.0/linchpin.js` (ADR 239). The manifest of all releases changes.
fn is_of_release(path: &str) -> bool {
    path.strip_prefix("releases/").is_some_and(|rest| rest.contains('/') && rest.ends_with(".js"))
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

// The files of the builds that started last. A page that was loaded before an upgrade asks for files of that build, and
// behind a balancer another node may have another build. The file store is shared by all nodes, so each serves both.

/// How many builds are kept, with the current one.
const KEPT: usize = 2;
/// The objects that list the names of a build's files.
const BUILDS: &str = "widget/builds";
/// The files of all kept builds. A name contains the hash of its content, so builds share the files that did not change.
const FILES: &str = "widget/files";

/// A build of the frame.
struct Build {
    /// A hash of the names of its files.
    name: String,
    files: Vec<(String, Vec<u8>)>,
}

impl Build {
    fn new(mut files: Vec<(String, Vec<u8>)>) -> Self {
        files.sort();
        let names = names(&files).join("\n");
        let name = base16ct::lower::encode_string(&Sha256::digest(names)[..8]);
        Self { name, files }
    }

    /// Returns the build that this program contains.
    fn current() -> Self {
        let kept = |name: &str| has_hash(name) && !name.ends_with(".gz");
        let read = |name: &str| Some((name.to_owned(), FrameFiles::get(name)?.data.into_owned()));
        Self::new(FrameFiles::iter().filter(|it| kept(it)).filter_map(|it| read(&it)).collect())
    }
}

fn names(files: &[(String, Vec<u8>)]) -> Vec<&str> {
    files.iter().map(|(name, _)| name.as_str()).collect()
}

/// Stores the files of this program's build, and removes those of builds before the previous one.
pub async fn keep(app: App) {
    if app.settings.ephemeral {
        return;
    }
    let build = Build::current();
    if !build.files.is_empty()
        && let Err(error) = store(app.ports.files.as_ref(), &build, app.wall()).await
    {
        tracing::warn!(%error, "Could not keep the widget's files for the next upgrade");
    }
}

async fn store(store: &dyn FileStore, build: &Build, now: Wall) -> Result<(), FileStoreError> {
    let own = format!("{BUILDS}/{}", build.name);
    let stored = store.list(BUILDS).await?;
    if stored.iter().all(|it| it.name != own) {
        for (name, bytes) in &build.files {
            store.put(&format!("{FILES}/{name}"), bytes.clone()).await?;
        }
    }
    // Written at every start: the builds that started last are in use.
    let listed = format!("{}\n{}", now.micros(), names(&build.files).join("\n"));
    store.put(&own, listed.into_bytes()).await?;
    let mut others = Vec::new();
    for object in stored.into_iter().filter(|it| it.name != own) {
        others.push(Listed::read(store, object.name).await?);
    }
    others.sort_by_key(|it| std::cmp::Reverse(it.started));
    let (kept, old) = others.split_at(others.len().min(KEPT - 1));
    let mut used: BTreeSet<&str> = names(&build.files).into_iter().collect();
    used.extend(kept.iter().flat_map(|it| it.names.iter().map(String::as_str)));
    for before in old {
        for name in before.names.iter().filter(|name| !used.contains(name.as_str())) {
            store.delete(&format!("{FILES}/{name}")).await?;
        }
        store.delete(&before.object).await?;
    }
    Ok(())
}

/// A stored build.
struct Listed {
    object: String,
    /// When a node with this build started last, in microseconds.
    started: i64,
    names: Vec<String>,
}

impl Listed {
    /// Reads a list. It is empty if another node has just removed it.
    async fn read(store: &dyn FileStore, object: String) -> Result<Self, FileStoreError> {
        let content = match store.get(&object).await {
            Ok(content) => content,
            Err(FileStoreError::Missing) => Vec::new(),
            Err(error) => return Err(error),
        };
        let content = String::from_utf8_lossy(&content).into_owned();
        let mut lines = content.lines();
        let started = lines.next().and_then(|it| it.parse().ok()).unwrap_or_default();
        Ok(Self { object, started, names: lines.map(str::to_owned).collect() })
    }
}

/// Returns a file of another kept build, or `None` if there is none with this name.
///
/// # Errors
/// 503 if the file store is unavailable.
pub async fn serve_kept(app: &App, name: &str, request: &HeaderMap) -> ApiResult<Option<Response>> {
    let plain = name.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it));
    if !plain || !has_hash(name) {
        return Ok(None);
    }
    let encodings = [(".br", Some("br")), ("", None)];
    for (suffix, encoding) in encodings.into_iter().filter(|(_, it)| it.is_none_or(|it| accepts(request, it)))
    {
        match app.ports.files.get(&format!("{FILES}/{name}{suffix}")).await {
            Ok(bytes) => return Ok(Some(file_response(name, bytes, encoding))),
            Err(FileStoreError::Missing) => {}
            Err(error) => return Err(Problem::unavailable(error)),
        }
    }
    Ok(None)
}

fn file_response(name: &str, bytes: Vec<u8>, encoding: Option<&'static str>) -> Response {
    let tag = entity_tag(&Sha256::digest(&bytes).into());
    let mut response = Response::new(Body::from(bytes));
    set_headers(response.headers_mut(), name, tag);
    if let Some(encoding) = encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

#[cfg(test)]
mod tests {
    use link_store::{FileSettings, ObjectFiles};

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

    #[test]
    fn script_of_a_release_is_cached_for_a_year_and_any_page_may_check_its_hash() {
        let headers = |path| {
            let mut headers = HeaderMap::new();
            set_headers(&mut headers, path, entity_tag(&[0; 32]));
            let value = |name| headers[&name].to_str().map(str::to_owned).unwrap_or_default();
            (value(header::CACHE_CONTROL), value(header::ACCESS_CONTROL_ALLOW_ORIGIN))
        };
        let (year, any) = ("public, max-age=31536000, immutable".to_owned(), "*".to_owned());
        assert_eq!(headers("releases/0.1.0/linchpin.js"), (year, any.clone()));
        assert_eq!(headers("releases/manifest.json"), ("public, no-cache".to_owned(), any));
    }

    fn build(names: &[&str]) -> Build {
        Build::new(names.iter().map(|name| ((*name).to_owned(), name.as_bytes().to_vec())).collect())
    }

    async fn has(store: &dyn FileStore, name: &str) -> bool {
        store.get(&format!("{FILES}/{name}")).await.is_ok()
    }

    #[tokio::test]
    async fn files_of_the_last_two_builds_are_kept() {
        let files = ObjectFiles::open(FileSettings::Memory).unwrap();
        let (first, second) = (build(&["a-1.js", "same.js"]), build(&["b-2.js", "same.js"]));
        let at = Wall::from_micros;
        store(&files, &first, at(1)).await.unwrap();
        store(&files, &second, at(2)).await.unwrap();
        assert!(has(&files, "a-1.js").await && has(&files, "b-2.js").await);
        // Back to the first one, which is then the previous build of the third.
        store(&files, &first, at(3)).await.unwrap();
        store(&files, &build(&["c-3.js"]), at(4)).await.unwrap();
        assert!(has(&files, "a-1.js").await && has(&files, "same.js").await && has(&files, "c-3.js").await);
        assert!(!has(&files, "b-2.js").await);
        assert_eq!(files.list(BUILDS).await.unwrap().len(), KEPT);
    }
}
