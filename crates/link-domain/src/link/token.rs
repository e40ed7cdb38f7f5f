//! The link token: single use, short-lived. Exchanging it is the one way to a session.

use std::time::Duration;

use link_types::id::{InviteId, LinkTemplateId, UserId};
use link_types::{Sensitive, token};

use super::session::{LinkSession, SLIDING_LIFE};
use crate::change::{Change, Row};
use crate::clock::{Now, TenantTime, Wall};
use crate::context::Context;
use crate::digest::{Digest32, hex};
use crate::owner::Owner;
use crate::template::LinkTemplate;

/// How long a link token is good for, when the settings say nothing.
pub const DEFAULT_TOKEN_LIFE: Duration = Duration::from_secs(30 * 60);
/// The longest life the settings may give a link token.
pub const MAX_TOKEN_LIFE: Duration = Duration::from_secs(5 * 3_600);
/// The most link tokens of a user that are neither used nor expired: with one more, the oldest goes.
pub const UNUSED_TOKENS_LIMIT: usize = 100;
/// How long the same token with the same secret gets the same session: a lost answer costs nothing.
pub const REPLAY_WINDOW: Duration = Duration::from_secs(60);
/// What the text of every link token begins with.
const PREFIX: &str = "lpt_";
/// Bytes of the moment that follows it, in hexadecimal digits.
const MOMENT_BYTES: usize = 8;

/// A link token as the store keeps it: by its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkToken {
    /// The store looks a token up by it ([`LinkToken::hash`]).
    pub hash: Digest32,
    /// Whose user.
    pub owner: Owner,
    /// The user it opens the widget for.
    pub user_id: UserId,
    /// When it was made.
    pub created_at: TenantTime,
    /// When it expires: the sandbox's clock moves it.
    pub expires_at: TenantTime,
    /// The invitation whose landing page opens the widget with it; null for a tenant's own page.
    pub invite_id: Option<InviteId>,
    /// Its exchange; null while it is unused.
    pub consumed: Option<Consumption>,
}

/// The exchange that used a token up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consumption {
    /// When.
    pub at: Wall,
    /// SHA-256 of the session's secret; the session is found by it.
    pub secret_hash: Digest32,
}

/// What a frame exchanges a token with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeRequest {
    /// SHA-256 of the secret the frame made.
    pub secret_hash: Digest32,
    /// The link template the widget was opened with.
    pub template_id: LinkTemplateId,
    /// The origin of the page that embeds the widget.
    pub host_origin: String,
    /// Whether that is the service's own landing page.
    pub on_landing_page: bool,
}

/// What an exchange came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Exchange {
    /// The token is used up now and opens a session, which still needs its attempt.
    Opened {
        /// The used-up token and the session.
        change: Change,
        /// The session.
        session: Box<LinkSession>,
    },
    /// The same frame asks again: it gets the session it had, found by its secret's digest.
    Replayed {
        /// SHA-256 of the session's secret.
        secret_hash: Digest32,
    },
}

/// What an exchange would lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A new session.
    Opens,
    /// The session that the same exchange opened before.
    Replays {
        /// SHA-256 of the session's secret.
        secret_hash: Digest32,
    },
}

/// Why a token opens no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefused {
    /// It was used before, by another frame or too long ago.
    #[error("the link token was already used")]
    Used,
    /// Its time is over.
    #[error("the link token has expired")]
    Expired,
    /// It is not for this link template or this page.
    #[error("the link token is not valid here")]
    Invalid,
}

impl LinkToken {
    /// Makes a token for a user: what is stored, and what the tenant gets once.
    pub fn issue(
        owner: Owner,
        user_id: UserId,
        life: Duration,
        context: &mut Context,
    ) -> (Self, token::Token) {
        let moment = &context.uuid()[..MOMENT_BYTES];
        let text = format!("{PREFIX}{}{}", hex(moment), hex(&context.secret()));
        let created_at = context.now().tenant();
        let expires_at = created_at + life.min(MAX_TOKEN_LIFE);
        let issued = token::Token { expires_at: expires_at.into(), mode: owner.mode, access_token: text };
        let hash = Self::hash(&issued.access_token);
        (Self { hash, owner, user_id, created_at, expires_at, invite_id: None, consumed: None }, issued)
    }

    /// The token, for the landing page of an invitation: it opens the widget there and nowhere else.
    pub fn of_invite(self, invite_id: InviteId) -> Self {
        Self { invite_id: Some(invite_id), ..self }
    }

    /// The digest under which the store knows a token: the moment that the token begins with, then the first 192 bits of
    /// its SHA-256. Tokens that are made together so lie side by side in the store's index, and a commit of many writes few of
    /// its pages. A text that begins with no moment has its SHA-256: tokens had none before.
    pub fn hash(text: &str) -> Digest32 {
        let digest = Digest32::of(text);
        let Some(moment) = moment(text) else { return digest };
        let mut bytes = [0; 32];
        let (first, rest) = bytes.split_at_mut(MOMENT_BYTES);
        first.copy_from_slice(&moment);
        rest.copy_from_slice(&digest.as_bytes()[..rest.len()]);
        Digest32::from_bytes(bytes)
    }

    /// The digest of a frame's secret.
    pub fn secret_hash(secret: &Sensitive) -> Digest32 {
        Digest32::of(secret.expose())
    }

    /// What an exchange would lead to now.
    ///
    /// # Errors
    ///
    /// [`TokenRefused`] when it opens no session.
    pub fn verdict(
        &self,
        request: &ExchangeRequest,
        template: &LinkTemplate,
        now: Now,
    ) -> Result<Verdict, TokenRefused> {
        if template.owner != self.owner || template.template.id != request.template_id {
            return Err(TokenRefused::Invalid);
        }
        match &self.consumed {
            Some(used)
                if used.secret_hash == request.secret_hash && now.wall().since(used.at) < REPLAY_WINDOW =>
            {
                return Ok(Verdict::Replays { secret_hash: used.secret_hash });
            }
            Some(_) => return Err(TokenRefused::Used),
            None => {}
        }
        if now.tenant() >= self.expires_at {
            return Err(TokenRefused::Expired);
        }
        let is_at_home = match self.invite_id {
            Some(_) => request.on_landing_page,
            None => template.allows_origin(&request.host_origin),
        };
        if is_at_home { Ok(Verdict::Opens) } else { Err(TokenRefused::Invalid) }
    }

    /// Exchanges the token for a session.
    ///
    /// # Errors
    ///
    /// [`TokenRefused`] when it opens none.
    pub fn exchange(
        self,
        request: ExchangeRequest,
        template: &LinkTemplate,
        context: &mut Context,
    ) -> Result<Exchange, TokenRefused> {
        if let Verdict::Replays { secret_hash } = self.verdict(&request, template, context.now())? {
            return Ok(Exchange::Replayed { secret_hash });
        }
        let now = context.now();
        let session = LinkSession::open(&self, &request, context);
        let consumed = Some(Consumption { at: now.wall(), secret_hash: request.secret_hash });
        let token = Self { consumed, ..self };
        let change = Change { rows: vec![Row::LinkToken(token)], ..Change::default() };
        Ok(Exchange::Opened { change, session: Box::new(session) })
    }
}

/// The moment a token begins with: the first half of a UUIDv7. `None` where the text is not as long as such a token, or does
/// not begin so.
fn moment(text: &str) -> Option<[u8; MOMENT_BYTES]> {
    let digits = text.strip_prefix(PREFIX).filter(|digits| digits.len() == 2 * (MOMENT_BYTES + 32))?;
    let mut moment = [0; MOMENT_BYTES];
    base16ct::lower::decode(digits.get(..2 * MOMENT_BYTES)?, &mut moment).ok()?;
    Some(moment)
}

const _: () = assert!(REPLAY_WINDOW.as_secs() < SLIDING_LIFE.as_secs());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ClockOffset;
    use crate::fixture;
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
        }
    }

    fn later(seconds: u64) -> Context {
        let start = fixture::context().now().wall();
        Context::new(Now::new(start + Duration::from_secs(seconds), ClockOffset::default()), [3; 32])
    }

    fn unused() -> LinkToken {
        let life = DEFAULT_TOKEN_LIFE;
        LinkToken::issue(fixture::owner(), fixture::user_id(), life, &mut fixture::context()).0
    }

    fn used_by(secret_hash: Digest32) -> LinkToken {
        let at = fixture::context().now().wall();
        LinkToken { consumed: Some(Consumption { at, secret_hash }), ..unused() }
    }

    #[rstest]
    #[case::first(unused(), A, 0, "opened")]
    #[case::last_moment(unused(), A, 1_799, "opened")]
    #[case::expired(unused(), A, 1_800, "Expired")]
    #[case::lost_answer(used_by(A), A, 59, "replayed")]
    #[case::lost_too_long(used_by(A), A, 60, "Used")]
    #[case::another_frame(used_by(A), B, 1, "Used")]
    #[case::used_and_expired(used_by(A), B, 9_999, "Used")]
    fn a_token_opens_one_session(
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
    fn a_token_is_good_only_with_its_environments_templates_on_their_pages() {
        let (template, _) = fixture::templates();
        let elsewhere = ExchangeRequest { host_origin: "https://evil.example".into(), ..request(A) };
        assert_eq!(unused().exchange(elsewhere, &template, &mut later(0)), Err(TokenRefused::Invalid));
        let mut foreign = template.clone();
        foreign.owner.mode = link_types::Mode::Production;
        assert_eq!(unused().exchange(request(A), &foreign, &mut later(0)), Err(TokenRefused::Invalid));
    }

    #[test]
    fn a_token_of_an_invitation_opens_the_widget_on_the_landing_page_alone() {
        let (template, _) = fixture::templates();
        let invite = fixture::invite().0.id;
        let token = unused().of_invite(invite.clone());
        assert_eq!(token.clone().exchange(request(A), &template, &mut later(0)), Err(TokenRefused::Invalid));
        let landing = ExchangeRequest { on_landing_page: true, ..request(A) };
        assert_eq!(
            unused().exchange(
                ExchangeRequest { host_origin: "https://l".into(), ..landing.clone() },
                &template,
                &mut later(0)
            ),
            Err(TokenRefused::Invalid),
            "a tenant's token does not work there"
        );
        match token.exchange(landing, &template, &mut later(0)) {
            Ok(Exchange::Opened { session, .. }) => assert_eq!(session.invite_id, Some(invite)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_token_lives_five_hours_at_most() {
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
    fn tokens_made_one_after_the_other_lie_side_by_side_in_the_store() {
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
    fn a_digest_tells_tokens_of_one_moment_apart() {
        let token = |seed: u8| {
            let mut context = Context::new(fixture::context().now(), [seed; 32]);
            LinkToken::issue(fixture::owner(), fixture::user_id(), DEFAULT_TOKEN_LIFE, &mut context).1
        };
        let (one, other) = (token(1).access_token, token(2).access_token);
        assert_eq!(one[..20], other[..20]);
        assert_ne!(LinkToken::hash(&one), LinkToken::hash(&other));
        assert_eq!(LinkToken::hash(&one).as_bytes()[8..], Digest32::of(&one).as_bytes()[..24]);
    }

    #[rstest]
    #[case::made_before_tokens_began_with_their_moment(&format!("lpt_{}", "5a".repeat(32)))]
    #[case::no_digits(&format!("lpt_{}", "zz".repeat(40)))]
    #[case::in_the_middle_of_a_character(&format!("lpt_{}é{}", "0".repeat(15), "0".repeat(63)))]
    #[case::of_another_kind(&format!("lps_{}", "5a".repeat(40)))]
    #[case::short("lpt_")]
    #[case::nothing("")]
    fn a_text_without_a_moment_has_its_sha_256(#[case] text: &str) {
        assert_eq!(LinkToken::hash(text), Digest32::of(text));
    }
}
