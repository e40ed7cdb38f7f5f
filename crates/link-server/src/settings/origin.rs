//! The service's own URLs, which consist of a scheme and a host.

use super::error::SettingsError;

/// Checks that a URL has a scheme, a host and no path, and removes a trailing slash.
pub(super) fn origin(name: &'static str, url: &str) -> Result<String, SettingsError> {
    let url = url.trim_end_matches('/');
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']) => Ok(url.to_owned()),
        Some(_) | None => Err(SettingsError::Url { name }),
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

/// Returns true if the host is a loopback address or name, which only this machine can reach.
pub(super) fn is_this_machine(origin: &str) -> bool {
    let host = host_of(origin);
    let name =
        host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(&*host, |it| it.0);
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    name == "localhost" || name.ends_with(".localhost") || address.is_ok_and(|it| it.is_loopback())
}

/// Returns the `Host` value that browsers send to this origin.
pub(super) fn host_of(origin: &str) -> String {
    origin.split_once("://").map_or(origin, |(_, host)| host).to_ascii_lowercase()
}
