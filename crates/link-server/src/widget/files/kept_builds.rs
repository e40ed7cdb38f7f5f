//! The files of the builds that started last. A page that was loaded before an upgrade asks for files of that build, and
//! behind a balancer another node may have another build. The file store is shared by all nodes, so each serves both.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use link_domain::documents::file_store::{FileStore, FileStoreError};
use link_domain::kernel::clock::Wall;
use sha2::{Digest as _, Sha256};

use crate::app::App;
use crate::http::problem::{ApiResult, Problem};
use crate::widget::files::embedded::{FrameFiles, accepts, entity_tag, has_hash, set_headers};

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
    fn of(mut files: Vec<(String, Vec<u8>)>) -> Self {
        files.sort();
        let names = names(&files).join("\n");
        let name = base16ct::lower::encode_string(&Sha256::digest(names)[..8]);
        Self { name, files }
    }

    /// Returns the build that this program contains.
    fn current() -> Self {
        let kept = |name: &str| has_hash(name) && !name.ends_with(".gz");
        let read = |name: &str| Some((name.to_owned(), FrameFiles::get(name)?.data.into_owned()));
        Self::of(FrameFiles::iter().filter(|it| kept(it)).filter_map(|it| read(&it)).collect())
    }
}

fn names(files: &[(String, Vec<u8>)]) -> Vec<&str> {
    files.iter().map(|(name, _)| name.as_str()).collect()
}

/// Stores the files of this program's build, and removes those of builds before the previous one.
pub async fn keep(app: App) {
    if app.settings().ephemeral {
        return;
    }
    let build = Build::current();
    if !build.files.is_empty()
        && let Err(error) = store(app.files().as_ref(), &build, app.wall()).await
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
pub async fn kept(app: &App, name: &str, request: &HeaderMap) -> ApiResult<Option<Response>> {
    let plain = name.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it));
    if !plain || !has_hash(name) {
        return Ok(None);
    }
    let encodings = [(".br", Some("br")), ("", None)];
    for (suffix, encoding) in encodings.into_iter().filter(|(_, it)| it.is_none_or(|it| accepts(request, it)))
    {
        match app.files().get(&format!("{FILES}/{name}{suffix}")).await {
            Ok(bytes) => return Ok(Some(sent(name, bytes, encoding))),
            Err(FileStoreError::Missing) => {}
            Err(error) => return Err(Problem::unavailable(error)),
        }
    }
    Ok(None)
}

fn sent(name: &str, bytes: Vec<u8>, encoding: Option<&'static str>) -> Response {
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

    fn build(names: &[&str]) -> Build {
        Build::of(names.iter().map(|name| ((*name).to_owned(), name.as_bytes().to_vec())).collect())
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
