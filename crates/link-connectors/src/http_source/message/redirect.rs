//! A login on the provider's own page, as a connector requests it.

use link_domain::linking::account_source::ProviderPage;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use url::Url;
use utoipa::ToSchema;

use crate::http_source::fault::ExchangeError;

/// The maximum length of an authorization address, in bytes. The service adds about 400 more.
const MAX_URL: usize = 4_096;
/// The maximum length of an issuer, in bytes.
const MAX_ISSUER: usize = 255;

/// The kind `redirect`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RedirectMessage {
    /// The provider's authorization address with all its parameters, except `state` and `redirect_uri`, which the service
    /// adds. `code_challenge_method` must be `S256`.
    pub url: String,
    /// The `iss` that the provider's response must have (RFC 9207). If null, it is not checked.
    pub issuer: Option<String>,
}

/// Returns the provider's page, if the challenge is of this kind.
///
/// # Errors
/// If a field is missing or cannot be used.
pub(super) fn read(kind: &Map<String, Value>) -> Result<Option<ProviderPage>, ExchangeError> {
    let Some(message) = kind.get("redirect").filter(|_| kind.len() == 1) else { return Ok(None) };
    let at = |field: &str| ExchangeError::at(format!("challenge.kind.redirect{field}"));
    let RedirectMessage { url, issuer } = RedirectMessage::deserialize(message).map_err(|_| at(""))?;
    if issuer.as_ref().is_some_and(|it| it.is_empty() || it.len() > MAX_ISSUER) {
        return Err(at(".issuer"));
    }
    if url.len() > MAX_URL || !Url::parse(&url).is_ok_and(|it| is_usable(&it)) {
        return Err(at(".url"));
    }
    Ok(Some(ProviderPage { url, issuer }))
}

/// Returns whether a browser may be sent to this address: by https, or to this machine. It must use PKCE, and leave the
/// parameters to the service that it adds.
fn is_usable(url: &Url) -> bool {
    let is_local = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let is_reachable = url.scheme() == "https" || (url.scheme() == "http" && is_local);
    let has = |name: &str| url.query_pairs().any(|(given, value)| given == name && !value.is_empty());
    let is_s256 = url.query_pairs().any(|(name, value)| name == "code_challenge_method" && value == "S256");
    is_reachable
        && url.username().is_empty()
        && url.password().is_none()
        && url.fragment().is_none()
        && is_s256
        && has("code_challenge")
        && !has("state")
        && !has("redirect_uri")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_url(url: &str) -> bool {
        let kind = serde_json::json!({ "redirect": { "url": url } });
        read(kind.as_object().unwrap()).is_ok()
    }

    #[rstest::rstest]
    #[case::https("https://login.example/authorize?code_challenge=abc&code_challenge_method=S256", true)]
    #[case::this_machine("http://localhost:9/a?code_challenge=abc&code_challenge_method=S256", true)]
    #[case::plain_http("http://login.example/a?code_challenge=abc&code_challenge_method=S256", false)]
    #[case::script("javascript:alert(1)//?code_challenge=abc&code_challenge_method=S256", false)]
    #[case::without_pkce("https://login.example/authorize?client_id=1", false)]
    #[case::plain_pkce("https://login.example/a?code_challenge=abc&code_challenge_method=plain", false)]
    #[case::with_own_state(
        "https://login.example/a?code_challenge=a&code_challenge_method=S256&state=1",
        false
    )]
    #[case::with_password("https://u:p@login.example/a?code_challenge=a&code_challenge_method=S256", false)]
    fn authorization_address_is_checked(#[case] url: &str, #[case] expected: bool) {
        assert_eq!(read_url(url), expected);
    }

    #[test]
    fn other_kinds_have_no_page() {
        let kind = serde_json::json!({ "approve": { "device": null } });
        assert_eq!(read(kind.as_object().unwrap()).unwrap(), None);
    }
}
