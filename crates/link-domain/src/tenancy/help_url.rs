//! The address of a tenant's help, which the widget links to.

use url::Url;

/// Maximum length of the address in characters.
pub const HELP_URL_LIMIT: usize = 500;

/// An address that the widget must not link to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HelpUrlError {
    /// The address is too long.
    #[error("at most {HELP_URL_LIMIT} characters")]
    TooLong,
    /// The address is not https, or is not complete.
    #[error("an absolute https URL without spaces, user name and password")]
    Invalid,
}

/// Checks the address of a tenant's help. An empty address is valid: the widget then has no link to help.
///
/// # Errors
///
/// [`HelpUrlError`] for the first rule that it breaks.
pub fn check(text: &str) -> Result<(), HelpUrlError> {
    if text.is_empty() {
        return Ok(());
    }
    if text.chars().count() > HELP_URL_LIMIT {
        return Err(HelpUrlError::TooLong);
    }
    // The parser drops line ends and tabs and trims spaces, so the browser would open another text than the one shown.
    let is_plain = !text.chars().any(|letter| letter.is_control() || letter.is_whitespace());
    let is_https = |url: &Url| url.scheme() == "https" && url.host_str().is_some_and(|host| !host.is_empty());
    let is_anonymous = |url: &Url| url.username().is_empty() && url.password().is_none();
    let url = Url::parse(text).ok().filter(|url| is_plain && is_https(url) && is_anonymous(url));
    // The widget tests the beginning again, and compares letters exactly.
    match url {
        Some(_) if text.starts_with("https://") => Ok(()),
        Some(_) | None => Err(HelpUrlError::Invalid),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::none("", Ok(()))]
    #[case::page("https://help.shop.example/linking?from=widget#start", Ok(()))]
    #[case::http("http://help.shop.example/", Err(HelpUrlError::Invalid))]
    #[case::script("javascript:alert(1)", Err(HelpUrlError::Invalid))]
    #[case::mail("mailto:help@shop.example", Err(HelpUrlError::Invalid))]
    #[case::relative("/help", Err(HelpUrlError::Invalid))]
    #[case::no_host("https:///", Err(HelpUrlError::Invalid))]
    #[case::no_slashes("https:help.shop.example", Err(HelpUrlError::Invalid))]
    #[case::misleading_user("https://bank.example@shop.example/", Err(HelpUrlError::Invalid))]
    #[case::space(" https://shop.example/", Err(HelpUrlError::Invalid))]
    #[case::line_end("https://shop.example/\nx", Err(HelpUrlError::Invalid))]
    fn help_is_a_plain_https_page(#[case] text: &str, #[case] expected: Result<(), HelpUrlError>) {
        assert_eq!(check(text), expected);
    }

    #[test]
    fn long_address_is_rejected() {
        let of = |length: usize| format!("https://shop.example/{}", "x".repeat(length - 21));
        assert_eq!(check(&of(HELP_URL_LIMIT)), Ok(()));
        assert_eq!(check(&of(HELP_URL_LIMIT + 1)), Err(HelpUrlError::TooLong));
    }
}
