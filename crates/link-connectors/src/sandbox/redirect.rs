//! The sandbox as a provider that logs in on its own page (OAuth 2 with PKCE): its authorization address, the outcomes
//! that its page offers, and the exchange of its codes. The service draws its pages.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use link_domain::linking::account_source::{PosedChallenge, ProviderPage, Step};
use link_types::challenge::{ChallengeKind, RedirectAddress};
use link_types::{LinkErrorCode, Sensitive};
use sha2::{Digest, Sha256};
use std::time::Duration;
use url::form_urlencoded;

use super::published::{PASSWORD, PublishedOutcome};
use super::scenario::word;
use super::state::Stage;

/// Path of all pages, below the public URL of the service.
pub const PROVIDER_PATH: &str = "/sandbox/provider";
/// Path of the page with the login form, which the authorization address opens.
pub const LOGIN_PATH: &str = "/sandbox/provider/authorize";
/// Path of the page that asks a person who has signed in.
pub const CONSENT_PATH: &str = "/sandbox/provider/consent";
/// How long the sandbox waits for the person.
const LASTS: Duration = Duration::from_secs(10 * 60);

/// Where the sandbox's page is, and the randomness for a login on it.
#[derive(Clone)]
pub(super) struct RedirectPage {
    public_url: String,
    secret: Arc<dyn Fn() -> [u8; 32] + Send + Sync>,
}

impl Default for RedirectPage {
    fn default() -> Self {
        Self::new("http://localhost:8787", || [7; 32])
    }
}

impl RedirectPage {
    pub(super) fn new(public_url: &str, secret: impl Fn() -> [u8; 32] + Send + Sync + 'static) -> Self {
        Self { public_url: public_url.to_owned(), secret: Arc::new(secret) }
    }

    /// Sends the person to the page.
    pub(super) fn pose(&self, login: String) -> Step {
        let random = || URL_SAFE_NO_PAD.encode((self.secret)());
        let (verifier, nonce) = (random(), random());
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("response_type", "code")
            .append_pair("client_id", "linchpin-sandbox")
            .append_pair("scope", "openid offline_access")
            .append_pair("nonce", &nonce)
            .append_pair("code_challenge", &challenge_of(&verifier))
            .append_pair("code_challenge_method", "S256")
            .finish();
        let page = ProviderPage {
            url: format!("{}{LOGIN_PATH}?{query}", self.public_url),
            issuer: Some(issuer(&self.public_url)),
        };
        Step::Challenge {
            state: Stage::Redirected { login, verifier, nonce }.to_state(),
            challenge: PosedChallenge {
                kind: ChallengeKind::Redirect { address: RedirectAddress::default() },
                lasts: Some(LASTS),
                check_after: None,
                extendable: false,
                resend: None,
                tries_left: None,
                wrong_answer: false,
                redirect: Some(page),
            },
        }
    }
}

/// Returns the issuer of the sandbox provider.
pub fn issuer(public_url: &str) -> String {
    format!("{public_url}{PROVIDER_PATH}")
}

/// Returns whether a person can sign in on the page: with a published login that leads to it, and the published password.
pub fn is_known(login: &str, password: &Sensitive) -> bool {
    let outcome = PublishedOutcome::for_login(&word(login));
    outcome == Some(PublishedOutcome::Redirects) && password.expose() == PASSWORD
}

/// An outcome that the page offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageOutcome {
    /// The account connects.
    Allow,
    /// The person refuses: `error=access_denied`.
    Refuse,
    /// The provider fails: `error=server_error`.
    Error,
    /// The account connects after three waits.
    Slow,
    /// The code has expired when it is exchanged.
    ExpiredCode,
    /// The response has no `iss`.
    NoIssuer,
    /// The response has the `iss` of another provider.
    WrongIssuer,
    /// The account connects, and later readings fail, because the provider ended the access.
    EndedAccess,
}

impl PageOutcome {
    /// Every outcome, in the order of the page.
    pub const ALL: [Self; 8] = [
        Self::Allow,
        Self::Refuse,
        Self::Error,
        Self::Slow,
        Self::ExpiredCode,
        Self::NoIssuer,
        Self::WrongIssuer,
        Self::EndedAccess,
    ];

    /// Returns the value of the page's button.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Refuse => "refuse",
            Self::Error => "error",
            Self::Slow => "slow",
            Self::ExpiredCode => "expired-code",
            Self::NoIssuer => "no-issuer",
            Self::WrongIssuer => "wrong-issuer",
            Self::EndedAccess => "ended-access",
        }
    }

    /// Parses the value of a button.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == text)
    }

    /// Returns the parameters of the response for a page that was opened with this nonce and code challenge.
    pub fn response(
        self,
        public_url: &str,
        nonce: &str,
        code_challenge: &str,
    ) -> Vec<(&'static str, String)> {
        let own = || ("iss", issuer(public_url));
        let code = || ("code", format!("{}.{nonce}.{code_challenge}", self.as_str()));
        match self {
            Self::Refuse => vec![("error", "access_denied".to_owned()), own()],
            Self::Error => vec![("error", "server_error".to_owned()), own()],
            Self::NoIssuer => vec![code()],
            Self::WrongIssuer => vec![code(), ("iss", "https://other.example".to_owned())],
            Self::Allow | Self::Slow | Self::ExpiredCode | Self::EndedAccess => vec![code(), own()],
        }
    }
}

/// The result of exchanging a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exchanged {
    /// The access lasts.
    Connects,
    /// The provider needs time.
    ConnectsSlowly,
    /// The access ends before the next reading.
    ConnectsOnce,
}

/// Exchanges a code of the page.
///
/// # Errors
/// INVALID_AUTH if the code belongs to another login, and MFA_TIMEOUT if it has expired.
pub(super) fn exchange(code: &Sensitive, verifier: &str, nonce: &str) -> Result<Exchanged, LinkErrorCode> {
    let mut parts = code.expose().splitn(3, '.');
    let outcome = parts.next().and_then(PageOutcome::parse);
    let is_of_login = parts.next() == Some(nonce) && parts.next() == Some(challenge_of(verifier).as_str());
    match outcome.filter(|_| is_of_login) {
        Some(PageOutcome::Slow) => Ok(Exchanged::ConnectsSlowly),
        Some(PageOutcome::EndedAccess) => Ok(Exchanged::ConnectsOnce),
        Some(PageOutcome::ExpiredCode) => Err(LinkErrorCode::MfaTimeout),
        Some(PageOutcome::Allow | PageOutcome::NoIssuer | PageOutcome::WrongIssuer) => {
            Ok(Exchanged::Connects)
        }
        Some(PageOutcome::Refuse | PageOutcome::Error) | None => Err(LinkErrorCode::InvalidAuth),
    }
}

/// Returns the code challenge of a verifier (RFC 7636, S256).
fn challenge_of(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange_code_of(
        outcome: PageOutcome,
        nonce: &str,
        verifier: &str,
    ) -> Result<Exchanged, LinkErrorCode> {
        let response = outcome.response("http://localhost:8787", "nonce", &challenge_of("verifier"));
        let code = response.into_iter().find(|(name, _)| *name == "code").map(|(_, code)| code);
        exchange(&Sensitive::new(code.unwrap_or_default()), verifier, nonce)
    }

    #[rstest::rstest]
    #[case(PageOutcome::Allow, Ok(Exchanged::Connects))]
    #[case(PageOutcome::Slow, Ok(Exchanged::ConnectsSlowly))]
    #[case(PageOutcome::EndedAccess, Ok(Exchanged::ConnectsOnce))]
    #[case(PageOutcome::ExpiredCode, Err(LinkErrorCode::MfaTimeout))]
    fn code_plays_the_outcome_of_its_button(
        #[case] outcome: PageOutcome,
        #[case] expected: Result<Exchanged, LinkErrorCode>,
    ) {
        assert_eq!(exchange_code_of(outcome, "nonce", "verifier"), expected);
    }

    #[test]
    fn code_of_another_login_is_rejected() {
        let refused = Err(LinkErrorCode::InvalidAuth);
        assert_eq!(exchange_code_of(PageOutcome::Allow, "other", "verifier"), refused);
        assert_eq!(exchange_code_of(PageOutcome::Allow, "nonce", "other"), refused);
    }

    #[rstest::rstest]
    #[case::published("oauth", "pass", true)]
    #[case::as_an_address("OAuth@example.com", "pass", true)]
    #[case::wrong_password("oauth", "word", false)]
    #[case::login_without_the_page("good", "pass", false)]
    fn only_the_published_login_signs_in(
        #[case] login: &str,
        #[case] password: &str,
        #[case] expected: bool,
    ) {
        assert_eq!(is_known(login, &Sensitive::new(password)), expected);
    }

    #[test]
    fn every_button_has_its_value() {
        for outcome in PageOutcome::ALL {
            assert_eq!(PageOutcome::parse(outcome.as_str()), Some(outcome));
        }
    }
}
