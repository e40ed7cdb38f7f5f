//! The base address of an environment, as a person writes it.

use url::{Host, Url};

use crate::failure::TenantCommandError;

/// The ends of base addresses: sandbox, production.
pub(crate) const PREFIXES: [&str; 2] = ["/sandbox/v1", "/v1"];

/// Checks an address, and returns it without the slash at its end. `given_as` names where it was written. The address is
/// not repeated, because it may contain a password.
///
/// # Errors
/// [`TenantCommandError::Usage`] if an API key must not be sent there.
pub fn check(text: &str, given_as: &str) -> Result<String, TenantCommandError> {
    let wrong = |why: &str| {
        TenantCommandError::Usage(format!(
            "{given_as} {why}. Use an address like https://link.example.com/sandbox/v1"
        ))
    };
    let url = Url::parse(text.trim()).map_err(|_| wrong("is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("does not begin with https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("contains a user or password. The API key does not belong in the address"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("has a query or fragment"));
    }
    if url.scheme() == "http" && !is_this_machine(&url) {
        return Err(wrong(
            "begins with http:// and is on another machine, so anyone on the way could read the API key",
        ));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// Returns whether an address has no path, so that its environment is not known.
pub(crate) fn is_origin(base: &str) -> bool {
    Url::parse(base).is_ok_and(|url| url.path() == "/")
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_address_loses_its_last_slash() {
        for (text, base) in [
            ("https://link.example.com/sandbox/v1/", "https://link.example.com/sandbox/v1"),
            (" http://localhost:8787/v1", "http://localhost:8787/v1"),
            ("http://[::1]:8787", "http://[::1]:8787"),
        ] {
            assert_eq!(check(text, "--url").as_deref(), Ok(base));
        }
        assert!(is_origin("http://[::1]:8787") && !is_origin("http://localhost/v1"));
    }

    #[test]
    fn address_that_would_reveal_the_key_is_refused() {
        for (text, why) in [
            ("link.example.com/v1", "is not a URL"),
            ("ftp://link.example.com/v1", "does not begin with https://"),
            ("http://link.example.com/v1", "on another machine"),
            ("http://192.168.1.2/v1", "on another machine"),
            // A resolver may send this name anywhere.
            ("http://link.localhost/v1", "on another machine"),
            ("https://lpk_1:lps_canary@link.example.com/v1", "contains a user or password"),
            ("https://link.example.com/v1?a=1", "has a query"),
        ] {
            let said = check(text, "--url").unwrap_err().to_string();
            assert!(said.starts_with("--url ") && said.contains(why), "{text}: {said}");
            assert!(!said.contains("canary"), "{said}");
        }
    }
}
