//! Origins of pages that may embed the widget, in the form in which browsers send them.

use url::{Host, Url};

/// The maximum length of an origin in characters.
pub const ORIGIN_LIMIT: usize = 255;

/// The pages of this machine, on every port. A sandbox template that lists no origins allows them.
pub const LOOPBACK: [&str; 2] = ["http://localhost:*", "http://127.0.0.1:*"];

/// A text that is not an origin of pages that can embed the widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OriginError {
    /// The scheme of an app's own pages.
    #[error(
        "not the scheme of an app's or extension's own pages: browsers do not let them embed the widget. Load your page \
         from an https URL, or open an invitation's landingPageUrl in the person's browser"
    )]
    AppShell,
    /// The text has a wildcard.
    #[error("one exact origin, without a wildcard")]
    Wildcard,
    /// The text has more than an origin.
    #[error("only scheme, host and port, like https://app.example.com, without a path, query or user name")]
    MoreThanOrigin,
    /// The host is an IPv6 address.
    #[error(
        "a name or an IPv4 address, like http://localhost:3000: a policy of the browser cannot name an IPv6 address"
    )]
    Ipv6,
    /// The text is not an origin.
    #[error("an origin like https://app.example.com or http://localhost:3000")]
    Invalid,
}

/// Returns an origin as browsers write it: in lower case, without the scheme's own port and a final slash, and an
/// international name in its ASCII form.
///
/// # Errors
///
/// [`OriginError`] for the first rule that the text breaks.
pub fn normalize(text: &str) -> Result<String, OriginError> {
    let text = text.trim();
    let is_plain = !text.chars().any(|letter| letter.is_control() || letter.is_whitespace());
    if !is_plain || text.is_empty() || text.chars().count() > ORIGIN_LIMIT {
        return Err(OriginError::Invalid);
    }
    if text.eq_ignore_ascii_case("null") {
        return Err(OriginError::AppShell);
    }
    if text.contains('*') {
        return Err(OriginError::Wildcard);
    }
    // Without slashes, `example.com:443` is a scheme and a path.
    let has_scheme = text.contains("://") || text.starts_with("about:") || text.starts_with("data:");
    let url = Url::parse(text).ok().filter(|_| has_scheme).ok_or(OriginError::Invalid)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(OriginError::AppShell);
    }
    let is_alone = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    if !is_alone || !url.username().is_empty() || url.password().is_some() || text.contains('@') {
        return Err(OriginError::MoreThanOrigin);
    }
    match url.host() {
        // A name like `exa_mple` exists, but a policy of the browser cannot name it.
        Some(Host::Domain(name)) if !name.bytes().all(is_of_name) => Err(OriginError::Invalid),
        Some(Host::Ipv6(_)) => Err(OriginError::Ipv6),
        // No page has it.
        Some(_) if url.port() == Some(0) => Err(OriginError::Invalid),
        Some(_) => Ok(url.origin().ascii_serialization()),
        None => Err(OriginError::Invalid),
    }
}

/// Returns whether a list of origins contains one. An item may end with `:*` for every port.
pub fn lists(origins: &[String], origin: &str) -> bool {
    let any_port = format!("{}:*", without_port(origin));
    origins.iter().any(|it| *it == origin || *it == any_port)
}

const fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')
}

fn without_port(origin: &str) -> &str {
    match origin.rsplit_once(':') {
        Some((before, port)) if !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit()) => before,
        Some(_) | None => origin,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("https://app.example.com", "https://app.example.com")]
    #[case("https://app.example.com:443", "https://app.example.com")]
    #[case("http://app.example.com:80/", "http://app.example.com")]
    #[case("http://app.example.com:443", "http://app.example.com:443")]
    #[case("HTTPS://App.Example.COM/", "https://app.example.com")]
    #[case(" https://app.example.com ", "https://app.example.com")]
    #[case("https://app.example.com:", "https://app.example.com")]
    #[case("http://localhost:03000", "http://localhost:3000")]
    #[case("https://b\u{fc}cher.example", "https://xn--bcher-kva.example")]
    #[case("https://tauri.localhost", "https://tauri.localhost")]
    fn origin_is_written_as_browsers_do(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(normalize(text).as_deref(), Ok(expected));
    }

    #[rstest]
    #[case("capacitor://localhost", OriginError::AppShell)]
    #[case("ionic://localhost", OriginError::AppShell)]
    #[case("file://", OriginError::AppShell)]
    #[case("file:///index.html", OriginError::AppShell)]
    #[case("null", OriginError::AppShell)]
    #[case("chrome-extension://abcdefghijklmnop", OriginError::AppShell)]
    #[case("tauri://localhost", OriginError::AppShell)]
    #[case("app://obsidian.md", OriginError::AppShell)]
    #[case("about:blank", OriginError::AppShell)]
    #[case("https://*.example.com", OriginError::Wildcard)]
    #[case("*", OriginError::Wildcard)]
    #[case("https://app.example.com/page", OriginError::MoreThanOrigin)]
    #[case("https://app.example.com//", OriginError::MoreThanOrigin)]
    #[case("https://app.example.com?x", OriginError::MoreThanOrigin)]
    #[case("https://user@app.example.com", OriginError::MoreThanOrigin)]
    #[case("http://[::1]:3000", OriginError::Ipv6)]
    #[case("app.example.com", OriginError::Invalid)]
    #[case("app.example.com:443", OriginError::Invalid)]
    #[case("localhost:3000", OriginError::Invalid)]
    #[case("https://app.example.com:0", OriginError::Invalid)]
    #[case("https://app example.com", OriginError::Invalid)]
    #[case("https://a;b.example", OriginError::Invalid)]
    #[case("https://", OriginError::Invalid)]
    #[case("", OriginError::Invalid)]
    fn other_text_is_rejected_with_its_reason(#[case] text: &str, #[case] fault: OriginError) {
        assert_eq!(normalize(text), Err(fault));
    }

    #[rstest]
    #[case("http://localhost", true)]
    #[case("http://localhost:5173", true)]
    #[case("http://127.0.0.1:8080", true)]
    #[case("http://[::1]:8080", false)]
    #[case("https://localhost:5173", false)]
    #[case("http://localhost.evil.example", false)]
    #[case("http://evil.example:80", false)]
    #[case("http://127.0.0.1.evil.example", false)]
    fn loopback_is_listed_with_every_port(#[case] origin: &str, #[case] expected: bool) {
        assert_eq!(lists(&LOOPBACK.map(str::to_owned), origin), expected);
    }
}
