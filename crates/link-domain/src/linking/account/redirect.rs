//! A login on the provider's own page (ADR 257). A ticket leads the person from the widget to that page, and a `state`
//! brings them back. Both are checked against the challenge that waits, so neither is stored a second time.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use link_types::challenge::RedirectAddress;
use link_types::id::{AccountId, ChallengeId, ProviderId};
use link_types::{LinkErrorCode, Mode, Sensitive};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use url::Url;

use super::{Account, AccountInput, LinkStep, PendingChallenge};
use crate::change::Change;
use crate::kernel::clock::{Now, Wall};
use crate::kernel::context::Context;
use crate::kernel::digest::Digest32;
use crate::kernel::owner::Owner;
use crate::kernel::sealed;
use crate::linking::account_source::ProviderPage;

/// How long a person may take from leaving for the provider's page to coming back: 10 minutes.
pub const REDIRECT_LIFE: Duration = Duration::from_secs(10 * 60);
/// Path of the page that a ticket opens.
pub const REDIRECT_PATH: &str = "/sign-in/start/";
/// Start of the path of each provider's callback address. The provider's id follows.
pub const CALLBACK_PATH: &str = "/sign-in/callback/";
/// Maximum length of a ticket and of a `state`, in bytes.
pub const MAX_TICKET: usize = 256;

/// Finds a challenge that waits for a login on the provider's page, and proves that the widget showed it. It is
/// serialized only in encrypted form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RedirectTicket {
    /// Tenant and environment of the account.
    pub owner: Owner,
    /// Account that is linked.
    pub account_id: AccountId,
    /// 256 random bits, in base64.
    #[serde(with = "sealed")]
    secret: Sensitive,
}

impl RedirectTicket {
    /// Issues a ticket for a challenge of this account.
    pub(super) fn issue(owner: &Owner, account_id: &AccountId, secret: [u8; 32]) -> Self {
        let secret = Sensitive::new(URL_SAFE_NO_PAD.encode(secret));
        Self { owner: owner.clone(), account_id: account_id.clone(), secret }
    }

    /// Parses a ticket. Returns `None` if the text is not a ticket.
    pub fn parse(text: &str) -> Option<Self> {
        let (owner, account_id, secret) = split(text)?;
        let secret = Sensitive::new(secret);
        Some(Self { owner, account_id, secret })
    }

    /// Returns the path of the page that the ticket opens.
    pub(super) fn path(&self) -> RedirectAddress {
        let Self { owner, account_id, secret } = self;
        let secret = secret.expose();
        RedirectAddress::new(format!("{REDIRECT_PATH}{}", join(owner, account_id, secret)))
    }

    /// Returns the proof that this browser opened the ticket's page. The browser keeps it in a cookie.
    fn browser_proof(&self, challenge: &ChallengeId) -> Sensitive {
        Sensitive::new(URL_SAFE_NO_PAD.encode(self.mac(challenge, "browser").finalize().into_bytes()))
    }

    fn mac(&self, challenge: &ChallengeId, purpose: &str) -> Hmac<Sha256> {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.secret.expose().as_bytes()) else {
            unreachable!("HMAC takes keys of every length");
        };
        mac.update(purpose.as_bytes());
        mac.update(b"\n");
        mac.update(challenge.as_str().as_bytes());
        mac
    }
}

/// Compares secrets by their digests, so that the time does not depend on the first byte that differs.
fn are_equal(one: &Sensitive, other: &Sensitive) -> bool {
    Digest32::from_text(one.expose()) == Digest32::from_text(other.expose())
}

/// The `state` with which a provider sends a person back.
#[derive(Clone, PartialEq, Eq)]
pub struct RedirectState {
    /// Tenant and environment of the account.
    pub owner: Owner,
    /// Account that is linked.
    pub account_id: AccountId,
    left_at: Wall,
    proof: Vec<u8>,
}

impl RedirectState {
    /// Parses a `state`. Returns `None` if the text does not have the form of one.
    pub fn parse(text: &str) -> Option<Self> {
        let (owner, account_id, rest) = split(text)?;
        let (left_at, proof) = rest.split_once('.')?;
        let left_at = Wall::from_micros(left_at.parse().ok()?);
        Some(Self { owner, account_id, left_at, proof: URL_SAFE_NO_PAD.decode(proof).ok()? })
    }
}

impl std::fmt::Debug for RedirectState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RedirectState(…)")
    }
}

/// A person leaves for the provider's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Address of the provider's page.
    pub url: Sensitive,
    /// Proof that this browser left. It must come back with the person.
    pub browser: Sensitive,
}

/// A person comes back from the provider's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// The provider whose callback address the browser opened.
    pub provider_id: ProviderId,
    /// The `state` of the address.
    pub state: RedirectState,
    /// Proof that the browser kept. `None` if it has none.
    pub browser: Option<Sensitive>,
    /// The `iss` of the address (RFC 9207).
    pub issuer: Option<String>,
    /// The provider's response.
    pub response: ProviderResponse,
}

/// The response with which a provider sends a person back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProviderResponse {
    /// The person signed in and agreed.
    Code {
        /// The provider's authorization code.
        code: Sensitive,
        /// Address that the provider sent the person back to.
        redirect_uri: String,
    },
    /// The person refused.
    Denied,
    /// The provider reports an error.
    Failed {
        /// Error code of the link.
        code: LinkErrorCode,
    },
}

impl ProviderResponse {
    /// Returns the response for the `error` of an address (RFC 6749, 4.1.2.1).
    pub fn from_error(error: &str) -> Self {
        match error {
            "access_denied" => Self::Denied,
            "server_error" | "temporarily_unavailable" => {
                Self::Failed { code: LinkErrorCode::ServiceUnavailable }
            }
            // The connector sent a request that the provider does not accept.
            _ => Self::Failed { code: LinkErrorCode::SystemError },
        }
    }
}

/// Reason why a ticket or a `state` does not work. The account is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RedirectError {
    /// No challenge of the account waits with this ticket or `state`: it was used, replaced, or never issued.
    #[error("no login waits for this address")]
    Over,
    /// The person took longer than [`REDIRECT_LIFE`], or than the provider allows.
    #[error("the time for this login is over")]
    Expired,
    /// The person came back in another browser than the one they left with.
    #[error("the login was begun in another browser")]
    OtherBrowser,
    /// The person came back to the callback address of another provider: the page that they were on is not that of the
    /// account's provider (a mix-up).
    #[error("the response came to the callback address of another provider")]
    OtherProvider,
    /// The response names another issuer, or none.
    #[error("the response does not name the provider as its issuer")]
    WrongIssuer,
}

impl Account {
    /// Leads a person to the provider's page. It changes nothing, so the ticket may be opened again. `redirect_uri` is the
    /// address that the provider sends them back to.
    ///
    /// # Errors
    ///
    /// [`RedirectError`] if no challenge waits for the ticket, or its time is over.
    pub fn leave(
        &self,
        ticket: &RedirectTicket,
        redirect_uri: &str,
        now: Now,
    ) -> Result<Departure, RedirectError> {
        let (challenge, page, own) = self.redirect().ok_or(RedirectError::Over)?;
        if !are_equal(&own.secret, &ticket.secret) {
            return Err(RedirectError::Over);
        }
        if challenge.has_lapsed(now.tenant()) {
            return Err(RedirectError::Expired);
        }
        let left_at = now.wall();
        let proof = URL_SAFE_NO_PAD.encode(proof(own, &challenge.id, left_at).finalize().into_bytes());
        let state = join(&self.owner, &self.id, &format!("{}.{proof}", left_at.micros()));
        let mut url = Url::parse(&page.url).map_err(|_| RedirectError::Over)?;
        url.query_pairs_mut().append_pair("redirect_uri", redirect_uri).append_pair("state", &state);
        Ok(Departure { url: Sensitive::new(url), browser: own.browser_proof(&challenge.id) })
    }

    /// Takes the response with which the provider sent a person back. A response counts once: the challenge then no longer
    /// waits.
    ///
    /// # Errors
    ///
    /// [`RedirectError`] if the response must not be used. The challenge then still waits, and the person can start again.
    pub fn receive_redirect(
        self,
        returned: Returned,
        context: &mut Context,
    ) -> Result<(Self, Change), RedirectError> {
        let Returned { provider_id, state, browser, issuer, response } = returned;
        let (challenge, page, ticket) = self.redirect().ok_or(RedirectError::Over)?;
        proof(ticket, &challenge.id, state.left_at)
            .verify_slice(&state.proof)
            .map_err(|_| RedirectError::Over)?;
        let now = context.now();
        if now.wall().since(state.left_at) >= REDIRECT_LIFE || challenge.has_lapsed(now.tenant()) {
            return Err(RedirectError::Expired);
        }
        let proof = ticket.browser_proof(&challenge.id);
        if !browser.is_some_and(|it| are_equal(&it, &proof)) {
            return Err(RedirectError::OtherBrowser);
        }
        if provider_id != self.provider_id {
            return Err(RedirectError::OtherProvider);
        }
        if page.issuer.is_some() && page.issuer != issuer {
            return Err(RedirectError::WrongIssuer);
        }
        let challenge_id = challenge.id.clone();
        self.apply(AccountInput::Redirected { challenge_id, response }, context)
            .map_err(|_| RedirectError::Over)
    }

    /// Returns the path of the page that leads to the provider's page, if a login there waits.
    pub fn redirect_path(&self) -> Option<RedirectAddress> {
        self.redirect().map(|(_, _, ticket)| ticket.path())
    }

    /// Returns the challenge that waits for a login on the provider's page.
    fn redirect(&self) -> Option<(&PendingChallenge, &ProviderPage, &RedirectTicket)> {
        match &self.link()?.step {
            LinkStep::Challenged { challenge, .. } => {
                Some((challenge, challenge.posed.redirect.as_ref()?, challenge.ticket.as_ref()?))
            }
            LinkStep::Working { .. } | LinkStep::Failed(_) => None,
        }
    }
}

fn proof(ticket: &RedirectTicket, challenge: &ChallengeId, left_at: Wall) -> Hmac<Sha256> {
    let mut mac = ticket.mac(challenge, "state");
    mac.update(&left_at.micros().to_be_bytes());
    mac
}

fn join(owner: &Owner, account_id: &AccountId, rest: &str) -> String {
    let mode = match owner.mode {
        Mode::Sandbox => 's',
        Mode::Production => 'p',
    };
    format!("{}.{mode}.{account_id}.{rest}", owner.tenant)
}

fn split(text: &str) -> Option<(Owner, AccountId, &str)> {
    if text.len() > MAX_TICKET {
        return None;
    }
    let mut parts = text.splitn(4, '.');
    let tenant = parts.next()?.parse().ok()?;
    let mode = match parts.next()? {
        "s" => Mode::Sandbox,
        "p" => Mode::Production,
        _ => return None,
    };
    let account_id = parts.next()?.parse().ok()?;
    Some((Owner { tenant, mode }, account_id, parts.next().filter(|it| !it.is_empty())?))
}
