//! Checks the `Host` of each request.
//!
//! Rejects hosts that are not ours, which stops DNS rebinding to loopback. If files have a separate host, that host
//! serves only files and exports, and the others serve everything else. Own hosts of link sites serve only these.

use axum::extract::Request;
use axum::http::uri::{Authority, Scheme};
use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use link_types::Mode;

use crate::app::App;
use crate::http::middleware::security_headers::CSP_REPORTS;
use crate::http::middleware::site_host;
use crate::http::prefix;
use crate::http::problem::Problem;
use crate::settings::{Settings, normalize_host};

/// The accepted `Host` values.
#[derive(Debug, Clone)]
pub struct Hosts {
    allowed: Vec<String>,
    /// Whether the public URL begins with `https`, so that `Host` may name port 443.
    is_https: bool,
    /// The host that serves only files and exports; `None` if they share a host with everything else.
    files: Option<String>,
    /// The host that serves the hosted pages; `None` if they share a host with the API.
    hosted: Option<String>,
    /// The only host that serves the developer portal; `None` if no host does.
    console: Option<String>,
    /// Whether the host of the developer portal serves nothing else.
    is_console_separate: bool,
}

/// Whether a host serves a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HostMatch {
    /// This host serves the path.
    Served,
    /// Another host of this service serves the path.
    Elsewhere,
    /// The host is not ours.
    Unknown,
}

impl Hosts {
    /// Returns the hosts that the settings allow.
    pub fn new(settings: &Settings) -> Self {
        Self {
            allowed: settings.allowed_hosts.clone(),
            is_https: settings.is_https(),
            files: settings.files_host(),
            hosted: settings.hosted_host(),
            console: settings.console_host(),
            is_console_separate: settings.has_separate_console(),
        }
    }

    fn match_path(&self, host: Option<&str>, path: &str) -> HostMatch {
        let Some(host) =
            host.map(|it| normalize_host(it, self.is_https)).filter(|it| self.allowed.contains(it))
        else {
            return HostMatch::Unknown;
        };
        let is_console = self.console.as_ref() == Some(&host);
        // The host of the portal also takes the reports of its policy.
        let is_of_host = if is_of_console(path) {
            is_console
        } else {
            !(is_console && self.is_console_separate) || path == CSP_REPORTS
        };
        let is_elsewhere = !is_of_host
            || self.files.as_ref().is_some_and(|files| (*files == host) != is_of_files(path))
            || self.hosted.as_ref().is_some_and(|hosted| *hosted != host && is_hosted_page(path));
        if is_elsewhere { HostMatch::Elsewhere } else { HostMatch::Served }
    }
}

/// Returns true for the path of a hosted page. Hosted pages use a cookie that belongs to their host only.
fn is_hosted_page(path: &str) -> bool {
    ["/invite", "/visit", "/mail", "/continue", "/me", "/s", "/l", "/sign-in"]
        .iter()
        .any(|page| path.strip_prefix(page).is_some_and(|below| below.is_empty() || below.starts_with('/')))
}

/// Returns true for the path of the developer portal. Its cookie belongs to its host only.
fn is_of_console(path: &str) -> bool {
    path.strip_prefix("/console").is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

/// Returns true for the path of a file or an export. Their contents may come from outside.
fn is_of_files(path: &str) -> bool {
    let below = |mode| path.strip_prefix(prefix(mode));
    [Mode::Sandbox, Mode::Production]
        .into_iter()
        .filter_map(below)
        .any(|below| below.starts_with("/files/") || below.starts_with("/exports/"))
}

/// Returns the host that a request names in its `Host` header, its target, or both.
///
/// # Errors
/// [`AmbiguousHostError`] if the request names two hosts: a proxy may have routed it by the other one (RFC 9112, section 3.2).
fn find_named_host<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Result<Option<&'a str>, AmbiguousHostError> {
    let mut sent = headers.get_all(header::HOST).iter();
    let first = sent.next().map(|it| it.to_str().unwrap_or_default());
    if sent.next().is_some() {
        return Err(AmbiguousHostError);
    }
    let target = uri.authority().map(Authority::as_str);
    match (first, target) {
        (Some(host), Some(target)) if !is_same_host(host, target, uri.scheme()) => Err(AmbiguousHostError),
        (host, target) => Ok(host.or(target)),
    }
}

/// A request that names more than one host.
#[derive(Debug, PartialEq, Eq)]
struct AmbiguousHostError;

/// Returns true if both name the same host and port. The scheme's default port may be left out.
fn is_same_host(one: &str, other: &str, scheme: Option<&Scheme>) -> bool {
    let is_https = scheme == Some(&Scheme::HTTPS);
    normalize_host(one, is_https) == normalize_host(other, is_https)
}

/// Passes on a request only if its `Host` serves the path. Notes whether it is an own host of link sites. `missing` is the page for
/// people who ask an own host for another path.
pub async fn layer<N, F>(
    hosts: &Hosts,
    (app, missing): (&App, fn(&App, &HeaderMap) -> Response),
    mut request: Request,
    next: N,
) -> Response
where
    N: FnOnce(Request) -> F,
    F: Future<Output = Response>,
{
    let Ok(host) = find_named_host(request.headers(), request.uri()) else {
        return Problem::unparseable("The request names more than one host. Send one Host header.")
            .into_response();
    };
    let own = match hosts.match_path(host, request.uri().path()) {
        HostMatch::Served => None,
        HostMatch::Elsewhere => return Problem::missing().into_response(),
        HostMatch::Unknown => match site_host::find(app, host.unwrap_or_default()).await {
            Ok(Some(own)) if site_host::serves(request.uri().path()) => Some(own),
            Ok(Some(own)) if asks_for_page(&request) => {
                site_host::note(request.headers_mut(), Some(&own));
                return missing(app, request.headers());
            }
            Ok(Some(_)) => return Problem::missing().into_response(),
            Ok(None) => {
                let detail = "The Host header does not name an address of this service.";
                return Problem::unparseable(detail).into_response();
            }
            Err(problem) => return problem.into_response(),
        },
    };
    site_host::note(request.headers_mut(), own.as_deref());
    next(request).await
}

/// Returns whether a browser asks for a page that a person reads.
fn asks_for_page(request: &Request) -> bool {
    let accepted = request.headers().get_all(header::ACCEPT).iter();
    let mut accepted = accepted.filter_map(|it| it.to_str().ok());
    request.method() == Method::GET && accepted.any(|it| it.contains("text/html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(files: Option<&str>) -> Hosts {
        let allowed = ["api.example", "files.example"].map(str::to_owned).to_vec();
        let files = files.map(str::to_owned);
        Hosts { allowed, is_https: true, files, hosted: None, console: None, is_console_separate: false }
    }

    #[rstest::rstest]
    #[case("invites.example", "/invite/code", HostMatch::Served)]
    #[case("invites.example", "/visit", HostMatch::Served)]
    #[case("invites.example", "/sdk/v2/linchpin.v2.js", HostMatch::Served)]
    #[case("api.example", "/invite/code", HostMatch::Elsewhere)]
    #[case("api.example", "/invite/code/again", HostMatch::Elsewhere)]
    #[case("api.example", "/l/code", HostMatch::Elsewhere)]
    #[case("api.example", "/s/loans", HostMatch::Elsewhere)]
    #[case("api.example", "/visit", HostMatch::Elsewhere)]
    #[case("api.example", "/visit/token", HostMatch::Elsewhere)]
    #[case("api.example", "/mail/stop/token", HostMatch::Elsewhere)]
    #[case("api.example", "/me/data", HostMatch::Elsewhere)]
    #[case("api.example", "/continue/lt-1", HostMatch::Elsewhere)]
    #[case("api.example", "/sign-in/callback", HostMatch::Elsewhere)]
    #[case("api.example", "/v1/invites", HostMatch::Served)]
    #[case("evil.example", "/visit", HostMatch::Unknown)]
    fn separate_hosted_host_serves_the_hosted_pages(
        #[case] host: &str,
        #[case] path: &str,
        #[case] expected: HostMatch,
    ) {
        let allowed = ["api.example", "invites.example"].map(str::to_owned).to_vec();
        let hosted = Some("invites.example".to_owned());
        let apart = Hosts { hosted, allowed, ..hosts(None) };
        assert_eq!(apart.match_path(Some(host), path), expected);
        let shared = Hosts { hosted: None, ..apart };
        assert_ne!(shared.match_path(Some(host), path), HostMatch::Elsewhere);
    }

    #[rstest::rstest]
    #[case("files.example", "/v1/files/demo/archive-1/file-1", HostMatch::Served)]
    #[case("Files.Example", "/sandbox/v1/exports/demo/export-1", HostMatch::Served)]
    #[case("files.example", "/v1/users", HostMatch::Elsewhere)]
    #[case("files.example", "/sdk/frame/p1/lt-1", HostMatch::Elsewhere)]
    #[case("files.example", "/docs", HostMatch::Elsewhere)]
    #[case("api.example", "/v1/files/demo/archive-1/file-1", HostMatch::Elsewhere)]
    #[case("api.example", "/sandbox/v1/exports/demo/export-1", HostMatch::Elsewhere)]
    #[case("api.example", "/v1/accounts/a-1/exports/generate", HostMatch::Served)]
    #[case("evil.example", "/v1/users", HostMatch::Unknown)]
    #[case("evil.example", "/v1/files/demo/archive-1/file-1", HostMatch::Unknown)]
    fn separate_files_host_serves_only_files(
        #[case] host: &str,
        #[case] path: &str,
        #[case] expected: HostMatch,
    ) {
        assert_eq!(hosts(Some("files.example")).match_path(Some(host), path), expected);
    }

    #[rstest::rstest]
    #[case("/v1/users", &["api.example"], Ok(Some("api.example")))]
    #[case("/v1/users", &[], Ok(None))]
    #[case("http://api.example/v1/users", &[], Ok(Some("api.example")))]
    #[case("http://API.example/v1/users", &["api.example"], Ok(Some("api.example")))]
    #[case("http://api.example:80/v1/users", &["api.example"], Ok(Some("api.example")))]
    #[case("https://api.example/v1/users", &["api.example:443"], Ok(Some("api.example:443")))]
    #[case("/v1/users", &["api.example", "files.example"], Err(AmbiguousHostError))]
    #[case("/v1/users", &["api.example", "api.example"], Err(AmbiguousHostError))]
    #[case("/v1/users", &["api.ex\u{e4}mple"], Ok(Some("")))]
    #[case("http://api.example/v1/users", &["files.example"], Err(AmbiguousHostError))]
    #[case("http://api.example:8080/v1/users", &["api.example"], Err(AmbiguousHostError))]
    #[case("http://someone@api.example/v1/users", &["api.example"], Err(AmbiguousHostError))]
    fn request_naming_two_hosts_is_ambiguous(
        #[case] target: &str,
        #[case] sent: &[&str],
        #[case] expected: Result<Option<&str>, AmbiguousHostError>,
    ) {
        let mut headers = HeaderMap::new();
        for host in sent {
            headers.append(header::HOST, axum::http::HeaderValue::from_bytes(host.as_bytes()).unwrap());
        }
        assert_eq!(find_named_host(&headers, &target.parse().unwrap()), expected);
    }

    #[rstest::rstest]
    #[case("console.example", "/console", HostMatch::Served)]
    #[case("console.example", "/console/api/session", HostMatch::Served)]
    #[case("console.example", "/csp-reports", HostMatch::Served)]
    #[case("console.example", "/v1/users", HostMatch::Elsewhere)]
    #[case("console.example", "/consoles", HostMatch::Elsewhere)]
    #[case("api.example", "/console/api/session", HostMatch::Elsewhere)]
    #[case("api.example", "/csp-reports", HostMatch::Served)]
    #[case("api.example", "/v1/users", HostMatch::Served)]
    fn separate_console_host_serves_only_the_portal(
        #[case] host: &str,
        #[case] path: &str,
        #[case] expected: HostMatch,
    ) {
        let allowed = ["api.example", "console.example"].map(str::to_owned).to_vec();
        let console = Some("console.example".to_owned());
        let apart = Hosts { allowed, console, is_console_separate: true, ..hosts(None) };
        assert_eq!(apart.match_path(Some(host), path), expected);
    }

    #[rstest::rstest]
    #[case("api.example", "/console", HostMatch::Served)]
    #[case("api.example", "/v1/users", HostMatch::Served)]
    #[case("widget.example", "/console", HostMatch::Elsewhere)]
    #[case("widget.example", "/console/api/session", HostMatch::Elsewhere)]
    #[case("invites.example", "/console/enter", HostMatch::Elsewhere)]
    #[case("invites.example", "/visit", HostMatch::Served)]
    fn only_the_host_of_its_url_serves_the_portal(
        #[case] host: &str,
        #[case] path: &str,
        #[case] expected: HostMatch,
    ) {
        let allowed = ["api.example", "widget.example", "invites.example"].map(str::to_owned).to_vec();
        let shared = Hosts { allowed, console: Some("api.example".to_owned()), ..hosts(None) };
        assert_eq!(shared.match_path(Some(host), path), expected);
        if path.starts_with("/console") {
            let off = Hosts { console: None, ..shared };
            assert_eq!(off.match_path(Some(host), path), HostMatch::Elsewhere);
        }
    }

    #[rstest::rstest]
    #[case("api.example:443", HostMatch::Served)]
    #[case("api.example.", HostMatch::Served)]
    #[case("API.Example.:443", HostMatch::Served)]
    #[case("api.example:80", HostMatch::Unknown)]
    #[case("api.example:8443", HostMatch::Unknown)]
    #[case("api.example..", HostMatch::Unknown)]
    #[case("api.example.evil.example", HostMatch::Unknown)]
    #[case("", HostMatch::Unknown)]
    fn other_spellings_of_a_host_are_the_same_host(#[case] host: &str, #[case] expected: HostMatch) {
        assert_eq!(hosts(None).match_path(Some(host), "/v1/users"), expected);
    }

    #[test]
    fn every_host_serves_all_without_files_host() {
        for host in ["api.example", "files.example"] {
            for path in ["/v1/users", "/v1/files/demo/archive-1/file-1"] {
                assert_eq!(hosts(None).match_path(Some(host), path), HostMatch::Served);
            }
        }
        assert_eq!(hosts(None).match_path(None, "/v1/users"), HostMatch::Unknown);
    }
}
