//! Single settings: the URLs and hosts of the service, the database, the security contact and the log filter.

use std::net::SocketAddr;

use link_connectors::mail::Address;
use link_domain::kernel::domain_proof::check_domain;
use secrecy::SecretString;
use serde::Deserialize;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Directive;

use super::{SettingsError, SettingsErrors};

/// The URLs as configured. An absent value has a default.
pub(super) struct UrlInput {
    pub(super) public: Option<String>,
    pub(super) api: Option<String>,
    pub(super) sdk: Option<String>,
    pub(super) hosted: Option<String>,
    pub(super) files: Option<String>,
    pub(super) console: Option<String>,
    pub(super) allowed_hosts: Option<Vec<String>>,
}

/// The checked URLs, without a trailing slash.
pub(super) struct Urls {
    pub(super) public: String,
    pub(super) api: String,
    pub(super) sdk: String,
    pub(super) hosted: String,
    pub(super) files: String,
    pub(super) console: String,
    /// The accepted `Host` values: the configured ones, and those of the URLs.
    pub(super) allowed_hosts: Vec<String>,
}

impl UrlInput {
    pub(super) fn settle(self, listen: SocketAddr, faults: &mut SettingsErrors) -> Urls {
        let own = format!("http://localhost:{}", listen.port());
        let public = self.public.unwrap_or_else(|| own.clone());
        let public = faults.or(origin("public-url", &public), own);
        let api = match self.api {
            Some(url) => faults.or(origin("api-url", &url), public.clone()),
            None => public.clone(),
        };
        let sdk = match self.sdk {
            Some(url) => faults.or(origin("sdk-url", &url), public.clone()),
            None => public.clone(),
        };
        let hosted = match self.hosted {
            Some(url) => faults.or(origin("hosted-url", &url), public.clone()),
            None if public != sdk => public.clone(),
            None => other_name(&public),
        };
        let files = match self.files {
            Some(url) => faults.or(origin("files-url", &url), public.clone()),
            None => public.clone(),
        };
        let console = match self.console {
            Some(url) => {
                let url = origin("console-url", &url).and_then(|url| {
                    if lets_members_sign_in(&url) { Ok(url) } else { Err(SettingsError::ConsoleHttp) }
                });
                faults.or(url, public.clone())
            }
            None => public.clone(),
        };
        for (name, other) in [("sdk-url", &sdk), ("files-url", &files)] {
            if host_of(other) != host_of(&public) && host_of(other) == host_of(&console) {
                faults.add(SettingsError::ConsoleHost { name });
            }
        }
        let further = self.allowed_hosts.unwrap_or_default();
        let is_https = public.starts_with("https://");
        let mut allowed_hosts: Vec<String> = further.iter().map(|it| normalize_host(it, is_https)).collect();
        allowed_hosts.extend([&public, &api, &sdk, &hosted, &files, &console].map(|it| host_of(it)));
        allowed_hosts.push(listen.to_string());
        if listen.ip().is_loopback() {
            allowed_hosts.push(format!("localhost:{}", listen.port()));
        }
        Urls { public, api, sdk, hosted, files, console, allowed_hosts }
    }
}

/// Checks that a URL has a scheme, a host and no path, and returns it as browsers and connectors spell it: in lower case,
/// without the default port and a trailing slash.
pub(super) fn origin(name: &'static str, url: &str) -> Result<String, SettingsError> {
    let url = url.trim_end_matches('/');
    let host = url.split_once("://").map_or("", |it| it.1);
    match url::Url::parse(url) {
        Ok(parsed)
            if matches!(parsed.scheme(), "https" | "http")
                && !host.is_empty()
                && !host.contains(['/', '\\', '?', '#', '@', ' ']) =>
        {
            Ok(parsed.origin().ascii_serialization())
        }
        Ok(_) | Err(_) => Err(SettingsError::Url { name }),
    }
}

/// Replaces `localhost` with `127.0.0.1` or the reverse, which browsers treat as another origin. Returns other URLs
/// unchanged.
pub(super) fn other_name(origin: &str) -> String {
    match origin.split_once("://localhost") {
        Some((scheme, rest)) if rest.is_empty() || rest.starts_with(':') => {
            format!("{scheme}://127.0.0.1{rest}")
        }
        Some(_) | None => origin.replacen("://127.0.0.1", "://localhost", 1),
    }
}

/// Checks the name that tenants point the own hosts of their link sites to, and returns it in lower-case ASCII.
pub(super) fn host_name(name: &str) -> Result<String, SettingsError> {
    check_domain(name).ok_or(SettingsError::SiteHostTarget)
}

/// Returns a host without its port.
pub(super) fn without_port(host: &str) -> &str {
    host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |it| it.0)
}

/// Returns true if the host is a loopback address or name, which only this machine can reach.
pub(super) fn is_this_machine(origin: &str) -> bool {
    let host = host_of(origin);
    let name = without_port(&host);
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    name == "localhost" || name.ends_with(".localhost") || address.is_ok_and(|it| it.is_loopback())
}

/// Returns true if browsers send `Sec-Fetch-Site` to this origin, without which the developer portal accepts no write.
pub(super) fn lets_members_sign_in(origin: &str) -> bool {
    origin.starts_with("https://") || is_this_machine(origin)
}

/// Returns the `Host` value that browsers send to this origin.
pub(super) fn host_of(origin: &str) -> String {
    let (scheme, host) = origin.split_once("://").unwrap_or(("http", origin));
    normalize_host(host, scheme == "https")
}

/// Returns the shortest spelling of a `Host` value: in lower case, without the default port of the scheme, and without
/// the final dot of a full name.
pub fn normalize_host(host: &str, is_https: bool) -> String {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|it| it.is_ascii_digit()) => (name, Some(port)),
        Some(_) | None => (host, None),
    };
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    match port.filter(|it| *it != if is_https { "443" } else { "80" }) {
        Some(port) => format!("{name}:{port}"),
        None => name,
    }
}

/// The maximum length of a contact, in bytes.
const MAX_LENGTH: usize = 300;

/// Returns the contact as a URI, as RFC 9116 requires. An email address becomes a `mailto:` URI.
pub(super) fn contact(given: &str) -> Result<String, SettingsError> {
    let given = given.trim();
    // A line break could add further fields to the file.
    let is_plain = given.len() <= MAX_LENGTH && given.bytes().all(|it| it.is_ascii_graphic());
    let is_email = |text: &str| text.parse::<Address>().is_ok();
    let is_page =
        |text: &str| url::Url::parse(text).is_ok_and(|it| it.scheme() == "https" && it.host_str().is_some());
    match given.strip_prefix("mailto:") {
        Some(address) if is_plain && is_email(address) => Ok(given.to_owned()),
        None if is_plain && is_email(given) => Ok(format!("mailto:{given}")),
        None if is_plain && is_page(given) => Ok(given.to_owned()),
        Some(_) | None => Err(SettingsError::SecurityContact),
    }
}

/// A database URL. `Debug` does not show it, because it contains a password.
#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct DatabaseUrl(SecretString);

impl DatabaseUrl {
    /// Returns the URL, for the database driver only.
    pub fn expose(&self) -> &str {
        secrecy::ExposeSecret::expose_secret(&self.0)
    }
}

impl std::fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DatabaseUrl(..)")
    }
}

impl TryFrom<String> for DatabaseUrl {
    type Error = SettingsError;

    fn try_from(text: String) -> Result<Self, SettingsError> {
        Self(SecretString::from(text)).check()
    }
}

/// Accepts any text. If parsing failed here, clap would print the value, including its password.
/// `check` checks it later.
impl std::str::FromStr for DatabaseUrl {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(SecretString::from(text)))
    }
}

impl DatabaseUrl {
    /// Checks the URL, also with the database driver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`], which does not contain any part of the URL.
    pub(super) fn check(self) -> Result<Self, SettingsError> {
        let known = ["postgres://", "postgresql://", "host="].iter().any(|it| self.expose().starts_with(it));
        if !known {
            return Err(SettingsError::DatabaseUrl);
        }
        match link_store::check_address(self.expose()) {
            Ok(()) => Ok(self),
            Err(error) => Err(SettingsError::Service(format!("--database-url: {error}"))),
        }
    }
}

/// Checks that each part of a filter is a level, or a target or span with or without a level.
///
/// `tracing` accepts any word as a target, so a mistyped level would log nothing at all.
pub(super) fn check_log_filter(filter: String) -> Result<String, SettingsError> {
    match filter.split(',').find(|part| !is_directive(part.trim())) {
        Some(part) => Err(SettingsError::Log { part: part.to_owned() }),
        None => Ok(filter),
    }
}

fn is_directive(part: &str) -> bool {
    // Only a target, which is a module path, contains `_` or `:`. A level never does.
    let is_target = part.contains(['_', ':']) && !part.contains('=');
    if part.contains('[') || is_target {
        return part.parse::<Directive>().is_ok();
    }
    let (target, level) = match part.split_once('=') {
        Some((target, level)) => (Some(target.trim()), level.trim()),
        None => (None, part),
    };
    target != Some("") && !level.is_empty() && level.parse::<LevelFilter>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case::default_port("https://Hosted.Example:443/", Some("https://hosted.example"))]
    #[case::other_port("HTTP://hosted.example:443", Some("http://hosted.example:443"))]
    #[case::address("http://[::1]:8787", Some("http://[::1]:8787"))]
    #[case::user("https://a@hosted.example", None)]
    #[case::path("https://hosted.example/a", None)]
    #[case::backslash("https://hosted.example\\a", None)]
    #[case::no_host("https://", None)]
    #[case::other_scheme("ftp://hosted.example", None)]
    fn url_is_spelled_as_an_origin(#[case] given: &str, #[case] expected: Option<&str>) {
        assert_eq!(origin("hosted-url", given).ok().as_deref(), expected);
    }

    #[rstest::rstest]
    #[case::name("Sites.Example.com", Some("sites.example.com"))]
    #[case::url("https://sites.example.com", None)]
    #[case::port("sites.example.com:443", None)]
    #[case::address("192.0.2.7", None)]
    fn site_host_target_is_a_host_name(#[case] given: &str, #[case] expected: Option<&str>) {
        assert_eq!(host_name(given).ok().as_deref(), expected);
    }

    #[rstest::rstest]
    #[case::address("security@example.com", Some("mailto:security@example.com"))]
    #[case::mailto("mailto:security@example.com", Some("mailto:security@example.com"))]
    #[case::page("https://example.com/security?a=b", Some("https://example.com/security?a=b"))]
    #[case::plain_http("http://example.com/security", None)]
    #[case::script("javascript:alert(1)", None)]
    #[case::second_line("security@example.com\nPolicy: https://evil.example", None)]
    #[case::empty("", None)]
    fn security_contact_must_be_email_or_https_url(#[case] given: &str, #[case] expected: Option<&str>) {
        assert_eq!(contact(given).ok().as_deref(), expected);
    }
}
