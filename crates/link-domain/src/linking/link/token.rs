//! The link token: single-use and short-lived. Exchanging it is the only way to get a session.

use std::time::Duration;

use link_types::id::{AttemptId, LinkSessionId, LinkTemplateId, UserId};
use link_types::{Sensitive, link};

use super::session::{LinkSession, SessionError};
use crate::invitations::visit::VisitRef;
use crate::kernel::clock::{Now, TenantTime, Wall};
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};
use crate::kernel::owner::Owner;
use crate::tenancy::template::LinkTemplate;

/// Default lifetime of a link token: 30 minutes.
pub const DEFAULT_TOKEN_LIFE: Duration = Duration::from_secs(30 * 60);
/// Maximum lifetime of a link token: 5 hours.
pub const MAX_TOKEN_LIFE: Duration = Duration::from_secs(5 * 3_600);
/// Maximum number of a user's link tokens that are neither used nor expired. A new one replaces the oldest.
pub const UNUSED_TOKENS_LIMIT: usize = 100;
/// How long the same token with the same secret returns the same session: 60 seconds. This covers lost responses.
pub const REPLAY_WINDOW: Duration = Duration::from_secs(60);
/// Prefix of every link token.
const PREFIX: &str = "lpt_";
/// Number of timestamp bytes that follow the prefix, in hex.
const TIMESTAMP_BYTES: usize = 8;

/// A link token as the store keeps it: only its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkToken {
    /// Digest by which the store finds the token ([`LinkToken::hash`]).
    pub hash: Digest32,
    /// Tenant and environment of the user.
    pub owner: Owner,
    /// User that the token opens the widget for.
    pub user_id: UserId,
    /// When the token was created.
    pub created_at: TenantTime,
    /// When the token expires, on the tenant's clock.
    pub expires_at: TenantTime,
    /// Visit whose page uses the token. `None` for a tenant's own page.
    pub visit: Option<VisitRef>,
    /// Exchange of the token. `None` while it is unused.
    pub consumed: Option<Consumption>,
}

/// The exchange that used a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consumption {
    /// When the token was exchanged.
    pub at: Wall,
    /// SHA-256 of the session's secret, by which the session is found.
    pub secret_hash: Digest32,
}

/// A frame's request to exchange a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeRequest {
    /// SHA-256 of the secret that the frame generated.
    pub secret_hash: Digest32,
    /// Link template that the widget was opened with.
    pub template_id: LinkTemplateId,
    /// Origin of the page that embeds the widget.
    pub host_origin: String,
    /// Whether the page is the service's own landing page.
    pub on_landing_page: bool,
    /// Owner of the link sites on the page's host, if it is an own host.
    pub on_own_host_of: Option<Owner>,
}

/// Result of an exchange.
#[derive(Clone, Debug, PartialEq)]
pub enum Exchange {
    /// The token is now used and opens a session, which still needs an attempt.
    Opened {
        /// The used token.
        token: Box<LinkToken>,
        /// The new session.
        session: Box<LinkSession>,
    },
    /// The same frame repeated the exchange and gets the same session, found by its secret's digest.
    Replayed {
        /// SHA-256 of the session's secret.
        secret_hash: Digest32,
    },
}

/// Result that an exchange would have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A new session.
    Opens,
    /// The session that the same exchange opened earlier.
    Replays {
        /// SHA-256 of the session's secret.
        secret_hash: Digest32,
    },
}

/// Reason why a token opens no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The token was already used, by another frame or too long ago.
    #[error("the link token was already used")]
    Used,
    /// The token has expired.
    #[error("the link token has expired")]
    Expired,
    /// The token is not valid for this link template or this page.
    #[error("the link token is not valid here")]
    Invalid,
}

impl LinkToken {
    /// Creates a token for a user. Returns the stored token, and the text that the tenant receives once.
    pub fn issue(
        owner: Owner,
        user_id: UserId,
        life: Duration,
        context: &mut Context,
    ) -> (Self, link::Token) {
        let timestamp = &context.uuid()[..TIMESTAMP_BYTES];
        let text = format!("{PREFIX}{}{}", hex(timestamp), hex(&context.secret()));
        let created_at = context.now().tenant();
        let expires_at = created_at + life.min(MAX_TOKEN_LIFE);
        let issued = link::Token { expires_at: expires_at.into(), mode: owner.mode, access_token: text };
        let hash = Self::hash(&issued.access_token);
        (Self { hash, owner, user_id, created_at, expires_at, visit: None, consumed: None }, issued)
    }

    /// Restricts the token to the page of a visit.
    pub fn of_visit(self, visit: VisitRef) -> Self {
        Self { visit: Some(visit), ..self }
    }

    /// Returns the digest by which the store finds a token: the token's timestamp, followed by the first 192 bits of
    /// its SHA-256. Tokens created together are therefore adjacent in the store's index, and a commit of many tokens
    /// writes few pages. For a text without a timestamp, the digest is its SHA-256; older tokens have no timestamp.
    pub fn hash(text: &str) -> Digest32 {
        let digest = Digest32::from_text(text);
        let Some(timestamp) = timestamp(text) else { return digest };
        let mut bytes = [0; 32];
        let (first, rest) = bytes.split_at_mut(TIMESTAMP_BYTES);
        first.copy_from_slice(&timestamp);
        rest.copy_from_slice(&digest.as_bytes()[..rest.len()]);
        Digest32::from_bytes(bytes)
    }

    /// Returns the digest of a frame's secret.
    pub fn secret_hash(secret: &Sensitive) -> Digest32 {
        Digest32::from_text(secret.expose())
    }

    /// Returns the result that an exchange would have now.
    ///
    /// # Errors
    ///
    /// [`TokenError`] if the token opens no session.
    pub fn verdict(
        &self,
        request: &ExchangeRequest,
        template: &LinkTemplate,
        now: Now,
    ) -> Result<Verdict, TokenError> {
        if template.owner != self.owner || template.template.id != request.template_id {
            return Err(TokenError::Invalid);
        }
        match &self.consumed {
            Some(used)
                if used.secret_hash == request.secret_hash && now.wall().since(used.at) < REPLAY_WINDOW =>
            {
                return Ok(Verdict::Replays { secret_hash: used.secret_hash });
            }
            Some(_) => return Err(TokenError::Used),
            None => {}
        }
        if now.tenant() >= self.expires_at {
            return Err(TokenError::Expired);
        }
        let is_at_home = match self.visit {
            Some(_) => request.on_landing_page || request.on_own_host_of.as_ref() == Some(&self.owner),
            None => template.allows_origin(&request.host_origin),
        };
        if is_at_home { Ok(Verdict::Opens) } else { Err(TokenError::Invalid) }
    }

    /// Exchanges the token for a session.
    ///
    /// # Errors
    ///
    /// [`TokenError`] if the token opens no session.
    pub fn exchange(
        self,
        request: ExchangeRequest,
        template: &LinkTemplate,
        context: &mut Context,
    ) -> Result<Exchange, TokenError> {
        if let Verdict::Replays { secret_hash } = self.verdict(&request, template, context.now())? {
            return Ok(Exchange::Replayed { secret_hash });
        }
        let now = context.now();
        let session = LinkSession::open(&self, &request, context);
        let consumed = Some(Consumption { at: now.wall(), secret_hash: request.secret_hash });
        let token = Box::new(Self { consumed, ..self });
        Ok(Exchange::Opened { token, session: Box::new(session) })
    }
}

impl LinkSession {
    /// Opens the session of a token. [`super::Attempt::enter`] creates or takes over its attempt.
    fn open(token: &LinkToken, request: &ExchangeRequest, context: &mut Context) -> Self {
        let now = context.now().wall();
        Self {
            id: LinkSessionId::from_bytes(context.uuid()),
            secret_hash: request.secret_hash,
            owner: token.owner.clone(),
            user_id: token.user_id.clone(),
            template_id: request.template_id.clone(),
            host_origin: request.host_origin.clone(),
            visit: token.visit.clone(),
            attempt_id: AttemptId::from_bytes(context.uuid()),
            created_at: now,
            last_used_at: now,
            ended: None,
        }
    }

    /// Returns the session in response to a repeated exchange.
    ///
    /// # Errors
    ///
    /// [`TokenError::Used`] if the session is over, because its token cannot open another one.
    pub fn replay(self, now: Wall) -> Result<Self, TokenError> {
        match self.record_use(now) {
            Ok(_) => Ok(self),
            Err(SessionError::Expired | SessionError::Ended) => Err(TokenError::Used),
        }
    }
}

/// Returns the timestamp of a token: the first half of a UUIDv7. `None` if the text does not have a token's length and
/// prefix.
fn timestamp(text: &str) -> Option<[u8; TIMESTAMP_BYTES]> {
    let digits = text.strip_prefix(PREFIX).filter(|digits| digits.len() == 2 * (TIMESTAMP_BYTES + 32))?;
    let mut timestamp = [0; TIMESTAMP_BYTES];
    base16ct::lower::decode(digits.get(..2 * TIMESTAMP_BYTES)?, &mut timestamp).ok()?;
    Some(timestamp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::kernel::clock::ClockOffset;
    use rstest::rstest;

    const A: Digest32 = Digest32::from_bytes([1; 32]);
    const B: Digest32 = Digest32::from_bytes([2; 32]);

    fn request(secret_hash: Digest32) -> ExchangeRequest {
        let (template, _) = fixture::templates();
        ExchangeRequest {
            secret_hash,
            template_id: template.template.id,
            host_origin: "https://shop.example".into(),
            on_landing_page: false,
            on_own_host_of: None,
        }
    }

    fn later(seconds: u64) -> Context {
        let start = fixture::context().now().wall();
        Context::new(Now::new(start + Duration::from_secs(seconds), ClockOffset::default()), [3; 32])
    }

    fn issue_token() -> LinkToken {
        let life = DEFAULT_TOKEN_LIFE;
        LinkToken::issue(fixture::owner(), fixture::user_id(), life, &mut fixture::context()).0
    }

    fn used_by(secret_hash: Digest32) -> LinkToken {
        let at = fixture::context().now().wall();
        LinkToken { consumed: Some(Consumption { at, secret_hash }), ..issue_token() }
    }

    #[rstest]
    #[case::first_use(issue_token(), A, 0, "opened")]
    #[case::just_before_expiry(issue_token(), A, 1_799, "opened")]
    #[case::expired(issue_token(), A, 1_800, "Expired")]
    #[case::repeated_exchange(used_by(A), A, 59, "replayed")]
    #[case::repeated_too_late(used_by(A), A, 60, "Used")]
    #[case::different_frame(used_by(A), B, 1, "Used")]
    #[case::used_and_expired(used_by(A), B, 9_999, "Used")]
    fn token_opens_exactly_one_session(
        #[case] token: LinkToken,
        #[case] secret: Digest32,
        #[case] after_seconds: u64,
        #[case] expected: &str,
    ) {
        let (template, _) = fixture::templates();
        let outcome = match token.exchange(request(secret), &template, &mut later(after_seconds)) {
            Ok(Exchange::Opened { .. }) => "opened".to_owned(),
            Ok(Exchange::Replayed { .. }) => "replayed".to_owned(),
            Err(refused) => format!("{refused:?}"),
        };
        assert_eq!(outcome, expected);
    }

    #[test]
    fn token_is_rejected_for_other_environment_or_origin() {
        let (template, _) = fixture::templates();
        let elsewhere = ExchangeRequest { host_origin: "https://evil.example".into(), ..request(A) };
        assert_eq!(issue_token().exchange(elsewhere, &template, &mut later(0)), Err(TokenError::Invalid));
        let mut foreign = template.clone();
        foreign.owner.mode = link_types::Mode::Production;
        assert_eq!(issue_token().exchange(request(A), &foreign, &mut later(0)), Err(TokenError::Invalid));
    }

    #[test]
    fn invitation_token_works_only_on_the_landing_page() {
        let (template, _) = fixture::templates();
        let visit = fixture::visit().reference();
        let token = issue_token().of_visit(visit.clone());
        assert_eq!(token.clone().exchange(request(A), &template, &mut later(0)), Err(TokenError::Invalid));
        let landing = ExchangeRequest { on_landing_page: true, ..request(A) };
        assert_eq!(
            issue_token().exchange(
                ExchangeRequest { host_origin: "https://l".into(), ..landing.clone() },
                &template,
                &mut later(0)
            ),
            Err(TokenError::Invalid),
            "a tenant's token is not valid on the landing page"
        );
        match token.exchange(landing, &template, &mut later(0)) {
            Ok(Exchange::Opened { session, .. }) => assert_eq!(session.visit, Some(visit)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn token_of_a_visit_works_on_own_hosts_of_its_tenant_only() {
        let (template, _) = fixture::templates();
        let of_visit = issue_token().of_visit(fixture::visit().reference());
        let other = Owner { mode: link_types::Mode::Production, ..fixture::owner() };
        for (owner, is_opened) in [(other, false), (fixture::owner(), true)] {
            let on_host = ExchangeRequest { on_own_host_of: Some(owner), ..request(A) };
            assert_eq!(of_visit.clone().exchange(on_host, &template, &mut later(0)).is_ok(), is_opened);
        }
    }

    #[test]
    fn token_lifetime_is_capped_at_five_hours() {
        let mut context = fixture::context();
        let (token, issued) = LinkToken::issue(
            fixture::owner(),
            fixture::user_id(),
            Duration::from_secs(1 << 20),
            &mut context,
        );
        assert_eq!(token.expires_at, context.now().tenant() + MAX_TOKEN_LIFE);
        assert_eq!(token.hash, LinkToken::hash(&issued.access_token));
    }

    #[test]
    fn token_hashes_sort_by_creation_time() {
        let token = |micros: u64| {
            let start = fixture::context().now().wall();
            let now = Now::new(start + Duration::from_micros(micros), ClockOffset::default());
            let mut context = Context::new(now, [(micros % 251) as u8; 32]);
            LinkToken::issue(fixture::owner(), fixture::user_id(), DEFAULT_TOKEN_LIFE, &mut context).0
        };
        let hashes: Vec<Digest32> = (0..2_000).map(|micros| token(micros).hash).collect();
        assert!(hashes.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn tokens_created_at_the_same_time_have_different_hashes() {
        let token = |seed: u8| {
            let mut context = Context::new(fixture::context().now(), [seed; 32]);
            LinkToken::issue(fixture::owner(), fixture::user_id(), DEFAULT_TOKEN_LIFE, &mut context).1
        };
        let (one, other) = (token(1).access_token, token(2).access_token);
        assert_eq!(one[..20], other[..20]);
        assert_ne!(LinkToken::hash(&one), LinkToken::hash(&other));
        assert_eq!(LinkToken::hash(&one).as_bytes()[8..], Digest32::from_text(&one).as_bytes()[..24]);
    }

    #[rstest]
    #[case::old_format_without_timestamp(&format!("lpt_{}", "5a".repeat(32)))]
    #[case::no_hex_digits(&format!("lpt_{}", "zz".repeat(40)))]
    #[case::split_inside_a_character(&format!("lpt_{}é{}", "0".repeat(15), "0".repeat(63)))]
    #[case::wrong_prefix(&format!("lps_{}", "5a".repeat(40)))]
    #[case::short("lpt_")]
    #[case::empty("")]
    fn token_without_timestamp_is_hashed_with_sha_256(#[case] text: &str) {
        assert_eq!(LinkToken::hash(text), Digest32::from_text(text));
    }
}
