//! Refuses requests whose `Host` is not ours, so that a page that rebinds its name to loopback reaches nothing; and keeps files
//! and everything else apart where files have a host of their own.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::uri::{Authority, Scheme};
use axum::http::{HeaderMap, Uri, header};
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
    /// The one that serves the hosted pages; `None` where they share one with the API.
    hosted: Option<String>,
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
        Self {
            allowed: settings.allowed_hosts.clone(),
            files: settings.files_host(),
            hosted: settings.hosted_host(),
        }
    }

    fn standing(&self, host: Option<&str>, path: &str) -> Standing {
        let Some(host) = host.map(str::to_ascii_lowercase).filter(|it| self.allowed.contains(it)) else {
            return Standing::Unknown;
        };
        let is_elsewhere = self.files.as_ref().is_some_and(|files| (*files == host) != is_of_files(path))
            || self.hosted.as_ref().is_some_and(|hosted| *hosted != host && is_hosted_page(path));
        if is_elsewhere { Standing::Elsewhere } else { Standing::Served }
    }
}

/// Whether it is the address of a hosted page. These set and read a cookie, which belongs to their own host alone.
fn is_hosted_page(path: &str) -> bool {
    ["/invite", "/visit", "/mail"]
        .iter()
        .any(|page| path.strip_prefix(page).is_some_and(|below| below.is_empty() || below.starts_with('/')))
}

/// Whether it is the address of a file or an export, which somebody else may have put there.
fn is_of_files(path: &str) -> bool {
    let below = |mode| path.strip_prefix(prefix(mode));
    [Mode::Sandbox, Mode::Production]
        .into_iter()
        .filter_map(below)
        .any(|below| below.starts_with("/files/") || below.starts_with("/exports/"))
}

/// The host that a request names in its `Host` header, its target, or both.
///
/// # Errors
/// When it names two: a proxy in front may have decided by the other one (RFC 9112, section 3.2).
fn named_host<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Result<Option<&'a str>, Ambiguous> {
    let mut sent = headers.get_all(header::HOST).iter();
    let first = sent.next().map(|it| it.to_str().unwrap_or_default());
    if sent.next().is_some() {
        return Err(Ambiguous);
    }
    let target = uri.authority().map(Authority::as_str);
    match (first, target) {
        (Some(host), Some(target)) if !is_same_host(host, target, uri.scheme()) => Err(Ambiguous),
        (host, target) => Ok(host.or(target)),
    }
}

/// A request that names more than one host.
#[derive(Debug, PartialEq, Eq)]
struct Ambiguous;

/// Whether two are the same host and port. A scheme's own port may be left out.
fn is_same_host(one: &str, other: &str, scheme: Option<&Scheme>) -> bool {
    let own_port = if scheme == Some(&Scheme::HTTPS) { ":443" } else { ":80" };
    let [one, other] = [one, other].map(|it| it.strip_suffix(own_port).unwrap_or(it));
    one.eq_ignore_ascii_case(other)
}

/// Lets through only what its `Host` serves.
pub async fn layer(hosts: Arc<Hosts>, request: Request, next: Next) -> Response {
    let Ok(host) = named_host(request.headers(), request.uri()) else {
        return Problem::unparseable("The request names more than one host. Send one Host header.")
            .into_response();
    };
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
        Hosts { allowed, files: files.map(str::to_owned), hosted: None }
    }

    #[rstest::rstest]
    #[case("invites.example", "/invite/code", Standing::Served)]
    #[case("invites.example", "/visit", Standing::Served)]
    #[case("invites.example", "/sdk/v2/linchpin.v2.js", Standing::Served)]
    #[case("api.example", "/invite/code", Standing::Elsewhere)]
    #[case("api.example", "/invite/code/again", Standing::Elsewhere)]
    #[case("api.example", "/visit", Standing::Elsewhere)]
    #[case("api.example", "/visit/token", Standing::Elsewhere)]
    #[case("api.example", "/mail/stop/token", Standing::Elsewhere)]
    #[case("api.example", "/v1/invites", Standing::Served)]
    #[case("evil.example", "/visit", Standing::Unknown)]
    fn hosted_pages_are_served_on_their_own_host(
        #[case] host: &str,
        #[case] path: &str,
        #[case] expected: Standing,
    ) {
        let allowed = ["api.example", "invites.example"].map(str::to_owned).to_vec();
        let apart = Hosts { allowed, files: None, hosted: Some("invites.example".to_owned()) };
        assert_eq!(apart.standing(Some(host), path), expected);
        let shared = Hosts { hosted: None, ..apart };
        assert_ne!(shared.standing(Some(host), path), Standing::Elsewhere);
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

    #[rstest::rstest]
    #[case("/v1/users", &["api.example"], Ok(Some("api.example")))]
    #[case("/v1/users", &[], Ok(None))]
    #[case("http://api.example/v1/users", &[], Ok(Some("api.example")))]
    #[case("http://API.example/v1/users", &["api.example"], Ok(Some("api.example")))]
    #[case("http://api.example:80/v1/users", &["api.example"], Ok(Some("api.example")))]
    #[case("https://api.example/v1/users", &["api.example:443"], Ok(Some("api.example:443")))]
    #[case("/v1/users", &["api.example", "files.example"], Err(Ambiguous))]
    #[case("/v1/users", &["api.example", "api.example"], Err(Ambiguous))]
    #[case("/v1/users", &["api.ex\u{e4}mple"], Ok(Some("")))]
    #[case("http://api.example/v1/users", &["files.example"], Err(Ambiguous))]
    #[case("http://api.example:8080/v1/users", &["api.example"], Err(Ambiguous))]
    #[case("http://someone@api.example/v1/users", &["api.example"], Err(Ambiguous))]
    fn request_that_names_two_hosts_is_ambiguous(
        #[case] target: &str,
        #[case] sent: &[&str],
        #[case] expected: Result<Option<&str>, Ambiguous>,
    ) {
        let mut headers = HeaderMap::new();
        for host in sent {
            headers.append(header::HOST, axum::http::HeaderValue::from_bytes(host.as_bytes()).unwrap());
        }
        assert_eq!(named_host(&headers, &target.parse().unwrap()), expected);
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
