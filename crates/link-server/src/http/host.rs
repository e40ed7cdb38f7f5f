//! Refuses requests whose `Host` is not ours, so that a page that rebinds its name to loopback reaches nothing; and keeps files
//! and everything else apart where files have a host of their own.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use link_types::Mode;

use super::problem::Problem;
use crate::router::prefix;
use crate::settings::Settings;

/// The `Host` values that are answered, and what under each.
#[derive(Debug, Clone)]
pub struct Hosts {
    allowed: Vec<String>,
    /// The one that serves files and exports, and nothing else; `None` where they share one.
    files: Option<String>,
}

/// What a `Host` value is to an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It is served there.
    Served,
    /// Another of ours serves it.
    Elsewhere,
    /// None of ours.
    Unknown,
}

impl Hosts {
    /// The hosts of these settings.
    pub fn of(settings: &Settings) -> Self {
        Self { allowed: settings.allowed_hosts.clone(), files: settings.files_host() }
    }

    fn standing(&self, host: Option<&str>, path: &str) -> Standing {
        let Some(host) = host.map(str::to_ascii_lowercase).filter(|it| self.allowed.contains(it)) else {
            return Standing::Unknown;
        };
        match &self.files {
            Some(files) if (*files == host) != is_of_files(path) => Standing::Elsewhere,
            Some(_) | None => Standing::Served,
        }
    }
}

/// Whether it is the address of a file or an export, which somebody else may have put there.
fn is_of_files(path: &str) -> bool {
    let below = |mode| path.strip_prefix(prefix(mode));
    [Mode::Sandbox, Mode::Production]
        .into_iter()
        .filter_map(below)
        .any(|below| below.starts_with("/files/") || below.starts_with("/exports/"))
}

/// Lets through only what its `Host` serves.
pub async fn layer(hosts: Arc<Hosts>, request: Request, next: Next) -> Response {
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|it| it.to_str().ok())
        .or_else(|| request.uri().authority().map(axum::http::uri::Authority::as_str));
    match hosts.standing(host, request.uri().path()) {
        Standing::Served => next.run(request).await,
        Standing::Elsewhere => Problem::missing().into_response(),
        Standing::Unknown => {
            Problem::unparseable("The Host header names none of this service's addresses.").into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(files: Option<&str>) -> Hosts {
        let allowed = ["api.example", "files.example"].map(str::to_owned).to_vec();
        Hosts { allowed, files: files.map(str::to_owned) }
    }

    #[rstest::rstest]
    #[case("files.example", "/v1/files/demo/archive-1/file-1", Standing::Served)]
    #[case("Files.Example", "/sandbox/v1/exports/demo/export-1", Standing::Served)]
    #[case("files.example", "/v1/users", Standing::Elsewhere)]
    #[case("files.example", "/sdk/frame/p1/lt-1", Standing::Elsewhere)]
    #[case("files.example", "/docs", Standing::Elsewhere)]
    #[case("api.example", "/v1/files/demo/archive-1/file-1", Standing::Elsewhere)]
    #[case("api.example", "/sandbox/v1/exports/demo/export-1", Standing::Elsewhere)]
    #[case("api.example", "/v1/accounts/a-1/exports/generate", Standing::Served)]
    #[case("evil.example", "/v1/users", Standing::Unknown)]
    #[case("evil.example", "/v1/files/demo/archive-1/file-1", Standing::Unknown)]
    fn files_and_everything_else_are_kept_apart(
        #[case] host: &str,
        #[case] path: &str,
        #[case] expected: Standing,
    ) {
        assert_eq!(hosts(Some("files.example")).standing(Some(host), path), expected);
    }

    #[test]
    fn where_they_share_a_host_each_serves_all() {
        for host in ["api.example", "files.example"] {
            for path in ["/v1/users", "/v1/files/demo/archive-1/file-1"] {
                assert_eq!(hosts(None).standing(Some(host), path), Standing::Served);
            }
        }
        assert_eq!(hosts(None).standing(None, "/v1/users"), Standing::Unknown);
    }
}
