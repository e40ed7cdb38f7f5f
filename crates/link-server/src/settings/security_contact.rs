//! The contact for reports of vulnerabilities, which is the `Contact` of `/.well-known/security.txt`.

use link_connectors::mail::Address;

use super::error::SettingsError;

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

#[cfg(test)]
mod tests {
    use super::*;

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
