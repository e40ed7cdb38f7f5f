//! The addresses of a tenant to which a hosted link returns people: pages, or links that an app claims.

use link_types::Mode;
use url::{Host, Url};

/// Maximum length of an address in characters.
pub const REDIRECT_URL_LIMIT: usize = 500;
/// Maximum number of addresses of a link template.
pub const REDIRECT_URLS_LIMIT: usize = 20;

/// An address to which no hosted link returns people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RedirectUrlError {
    /// The address is too long.
    #[error("at most {REDIRECT_URL_LIMIT} characters")]
    TooLong,
    /// The scheme is that of the browser or of a common app, or the address is not https.
    #[error(
        "an https URL, or an app's address whose scheme has the reverse name of your domain, like \
         com.example.app:/linked. In the sandbox, also http://localhost and http://127.0.0.1"
    )]
    Scheme,
    /// The address has a user name or a fragment, or characters that a URL must encode.
    #[error(
        "a complete URL without user name, password, fragment and spaces, with all other letters encoded"
    )]
    Invalid,
}

/// Checks an address that a link template lists.
///
/// # Errors
///
/// [`RedirectUrlError`] for the first rule that it breaks.
pub fn check(text: &str, mode: Mode) -> Result<(), RedirectUrlError> {
    if text.len() > REDIRECT_URL_LIMIT {
        return Err(RedirectUrlError::TooLong);
    }
    // Such letters would be changed by the parser of the browser, so that it opens another text than the listed one.
    if text.is_empty() || !text.bytes().all(|it| it.is_ascii_graphic() && !br#""<>\^`{|}"#.contains(&it)) {
        return Err(RedirectUrlError::Invalid);
    }
    let url = Url::parse(text).map_err(|_| RedirectUrlError::Invalid)?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    // Without the slashes, the parser would repair the address. A scheme in capitals is another text than the parsed one.
    let has_start = |slashes: &str| text.starts_with(&format!("{}:{slashes}", url.scheme()));
    let fits = match url.scheme() {
        "https" => has_start("//") && url.host().is_some(),
        "http" => has_start("//") && mode == Mode::Sandbox && is_of_this_machine(&url),
        scheme => has_start("/") && scheme.contains('.'),
    };
    match (fits, is_plain) {
        (true, true) => Ok(()),
        (true, false) => Err(RedirectUrlError::Invalid),
        (false, _) => Err(RedirectUrlError::Scheme),
    }
}

fn is_of_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(_)) | None => false,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::page("https://app.example.com/linked")]
    #[case::query("https://app.example.com/linked?flow=2")]
    #[case::port("https://app.example.com:8443/linked")]
    #[case::app("com.example.app:/linked")]
    #[case::app_with_host("com.example.app://linked/done")]
    fn pages_and_links_of_apps_are_valid_everywhere(#[case] text: &str) {
        assert_eq!((check(text, Mode::Production), check(text, Mode::Sandbox)), (Ok(()), Ok(())));
    }

    #[rstest]
    #[case("http://localhost:3000/linked")]
    #[case("http://127.0.0.1:3000/linked")]
    fn pages_of_this_machine_are_valid_only_in_the_sandbox(#[case] text: &str) {
        assert_eq!(check(text, Mode::Sandbox), Ok(()));
        assert_eq!(check(text, Mode::Production), Err(RedirectUrlError::Scheme));
    }

    #[rstest]
    #[case::plain_http("http://app.example.com/linked", RedirectUrlError::Scheme)]
    #[case::script("javascript:alert(1)", RedirectUrlError::Scheme)]
    #[case::data("data:text/html,x", RedirectUrlError::Scheme)]
    #[case::unclaimed("myapp://linked", RedirectUrlError::Scheme)]
    #[case::intent("intent://linked", RedirectUrlError::Scheme)]
    #[case::repaired("https:app.example.com", RedirectUrlError::Scheme)]
    #[case::capitals("HTTPS://app.example.com", RedirectUrlError::Scheme)]
    #[case::host_with_port_is_a_scheme("app.example.com:443", RedirectUrlError::Scheme)]
    #[case::user_name("https://app@example.com/", RedirectUrlError::Invalid)]
    #[case::fragment("https://app.example.com/#linked", RedirectUrlError::Invalid)]
    #[case::space("https://app.example.com/a b", RedirectUrlError::Invalid)]
    #[case::letters("https://bücher.example/", RedirectUrlError::Invalid)]
    #[case::no_url("app.example.com/linked", RedirectUrlError::Invalid)]
    #[case::empty("", RedirectUrlError::Invalid)]
    fn other_addresses_are_rejected_with_their_reason(#[case] text: &str, #[case] fault: RedirectUrlError) {
        assert_eq!(check(text, Mode::Sandbox), Err(fault));
    }

    #[test]
    fn long_address_is_rejected() {
        let text = format!("https://app.example.com/{}", "a".repeat(REDIRECT_URL_LIMIT));
        assert_eq!(check(&text, Mode::Sandbox), Err(RedirectUrlError::TooLong));
    }
}
