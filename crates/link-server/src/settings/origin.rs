//! The service's own addresses: scheme and host, nothing else.

use super::SettingsError;

/// The address without a trailing slash, once it is seen to have a scheme, a host and no path.
pub(super) fn origin(name: &'static str, url: &str) -> Result<String, SettingsError> {
    let url = url.trim_end_matches('/');
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']) => Ok(url.to_owned()),
        Some(_) | None => Err(SettingsError::Url { name }),
    }
}

/// This machine's address by its other name, which browsers take for another origin; any other address as it is.
pub(super) fn other_name(origin: &str) -> String {
    match origin.split_once("://localhost") {
        Some((scheme, rest)) if rest.is_empty() || rest.starts_with(':') => {
            format!("{scheme}://127.0.0.1{rest}")
        }
        Some(_) | None => origin.replacen("://127.0.0.1", "://localhost", 1),
    }
}

/// Whether it is reached from this machine alone.
pub(super) fn is_this_machine(origin: &str) -> bool {
    let host = host_of(origin);
    let name =
        host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(&*host, |it| it.0);
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    name == "localhost" || name.ends_with(".localhost") || address.is_ok_and(|it| it.is_loopback())
}

/// The `Host` value that browsers send to it.
pub(super) fn host_of(origin: &str) -> String {
    origin.split_once("://").map_or(origin, |(_, host)| host).to_ascii_lowercase()
}
