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

/// The parameters that an authorization address must have once. A provider may read another of two than the service.
const ONCE: [&str; 4] = ["response_type", "client_id", "code_challenge", "code_challenge_method"];

/// The kind `redirect`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RedirectMessage {
    /// The provider's authorization address with all its parameters, except `state` and `redirect_uri`, which the service
    /// adds. It has `client_id`, `response_type=code`, `code_challenge` and `code_challenge_method=S256` once each. The only
    /// `response_mode` is `query`, which may be left out.
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

/// Returns whether a browser may be sent to this address: by https, or to this machine. The response must be a code in the
/// query, with PKCE. The parameters that the service adds must be absent.
fn is_usable(url: &Url) -> bool {
    let is_local = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let is_reachable = url.scheme() == "https" || (url.scheme() == "http" && is_local);
    let count = |name: &str| url.query_pairs().filter(|(given, _)| given == name).count();
    let has = |name: &str, wanted: &str| url.query_pairs().any(|it| it == (name.into(), wanted.into()));
    is_reachable
        && url.username().is_empty()
        && url.password().is_none()
        && url.fragment().is_none()
        && ONCE.iter().all(|name| count(name) == 1 && !has(name, ""))
        && has("response_type", "code")
        && has("code_challenge_method", "S256")
        && (count("response_mode") == 0 || (count("response_mode") == 1 && has("response_mode", "query")))
        && count("state") == 0
        && count("redirect_uri") == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: &str = "response_type=code&client_id=1&code_challenge=a&code_challenge_method=S256";

    fn read_url(url: &str) -> bool {
        let kind = serde_json::json!({ "redirect": { "url": url } });
        read(kind.as_object().unwrap()).is_ok()
    }

    #[rstest::rstest]
    #[case::https("https://login.example/authorize", "", true)]
    #[case::this_machine("http://localhost:9/a", "", true)]
    #[case::plain_http("http://login.example/a", "", false)]
    #[case::script("javascript:alert(1)//", "", false)]
    #[case::with_password("https://u:p@login.example/a", "", false)]
    #[case::query_mode("https://login.example/a", "&response_mode=query", true)]
    #[case::form_post("https://login.example/a", "&response_mode=form_post", false)]
    #[case::fragment_mode("https://login.example/a", "&response_mode=query&response_mode=fragment", false)]
    #[case::other_type("https://login.example/a", "&response_type=token", false)]
    #[case::second_challenge("https://login.example/a", "&code_challenge=b", false)]
    #[case::plain_pkce("https://login.example/a", "&code_challenge_method=plain", false)]
    #[case::own_state("https://login.example/a", "&state=1", false)]
    #[case::empty_state("https://login.example/a", "&state=", false)]
    #[case::own_redirect("https://login.example/a", "&redirect_uri=https%3A%2F%2Fevil.example", false)]
    fn authorization_address_is_checked(#[case] address: &str, #[case] more: &str, #[case] expected: bool) {
        assert_eq!(read_url(&format!("{address}?{PARAMETERS}{more}")), expected);
    }

    #[rstest::rstest]
    #[case::no_type("response_type=code")]
    #[case::no_client("client_id=1")]
    #[case::no_challenge("code_challenge=a")]
    #[case::no_method("code_challenge_method=S256")]
    fn authorization_address_without_a_parameter_is_rejected(#[case] missing: &str) {
        let left = PARAMETERS.split('&').filter(|it| *it != missing).collect::<Vec<_>>().join("&");
        assert!(!read_url(&format!("https://login.example/a?{left}")));
    }

    #[test]
    fn other_kinds_have_no_page() {
        let kind = serde_json::json!({ "approve": { "device": null } });
        assert_eq!(read(kind.as_object().unwrap()).unwrap(), None);
    }
}
