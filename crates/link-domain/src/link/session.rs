//! The widget's session: bearer of everything after the exchange.

use std::time::Duration;

use link_types::id::{AttemptId, InviteId, LinkSessionId, LinkTemplateId, UserId};

use super::token::{ExchangeRequest, LinkToken, TokenRefused};
use crate::clock::Wall;
use crate::context::Context;
use crate::digest::Digest32;
use crate::owner::Owner;

/// How long a session lasts without being used.
pub const SLIDING_LIFE: Duration = Duration::from_secs(30 * 60);
/// How long a session lasts even if it is used.
pub const ABSOLUTE_LIFE: Duration = Duration::from_secs(5 * 3_600);
/// How much older the stored `last_used_at` may grow than the last use: it spares a write a request.
const TOUCH_INTERVAL: Duration = Duration::from_secs(60);

/// A session as the store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkSession {
    /// The id; not a secret.
    pub id: LinkSessionId,
    /// SHA-256 of the bearer: the store looks a session up by it.
    pub secret_hash: Digest32,
    /// Whose user.
    pub owner: Owner,
    /// The user who links.
    pub user_id: UserId,
    /// The link template.
    pub template_id: LinkTemplateId,
    /// The origin of the page that embeds the widget.
    pub host_origin: String,
    /// The invitation whose landing page embeds the widget; null for a tenant's own page.
    pub invite_id: Option<InviteId>,
    /// The attempt it works on.
    pub attempt_id: AttemptId,
    /// When it began.
    pub created_at: Wall,
    /// When it was last used, to within a minute.
    pub last_used_at: Wall,
    /// Its end; null while it lasts.
    pub ended: Option<SessionEnd>,
}

/// Why a session ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The widget closed.
    Closed,
    /// A newer session of the same user and template took the attempt over.
    TakenOver,
}

/// Why a session is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionRefused {
    /// Its time is over.
    #[error("the session has expired")]
    Expired,
    /// It was closed or taken over.
    #[error("the session has ended")]
    Ended,
}

impl LinkSession {
    /// The session a token opens. Its attempt is made or taken over by [`super::Attempt::enter`].
    pub(super) fn open(token: &LinkToken, request: &ExchangeRequest, context: &mut Context) -> Self {
        let now = context.now().wall();
        Self {
            id: LinkSessionId::from_bytes(context.uuid()),
            secret_hash: request.secret_hash,
            owner: token.owner.clone(),
            user_id: token.user_id.clone(),
            template_id: request.template_id.clone(),
            host_origin: request.host_origin.clone(),
            invite_id: token.invite_id.clone(),
            attempt_id: AttemptId::from_bytes(context.uuid()),
            created_at: now,
            last_used_at: now,
            ended: None,
        }
    }

    /// How long the session lasts if it is not used again, and how long even if it is.
    pub fn time_left(&self, now: Wall) -> (Duration, Duration) {
        let ends = (self.created_at + ABSOLUTE_LIFE).since(now);
        let expires = (self.last_used_at + SLIDING_LIFE).since(now);
        (expires.min(ends), ends)
    }

    /// Uses the session: whether it may be, and its new form when the use is worth a write.
    ///
    /// # Errors
    ///
    /// [`SessionRefused`] when it is over.
    pub fn used(&self, now: Wall) -> Result<Option<Self>, SessionRefused> {
        if self.ended.is_some() {
            return Err(SessionRefused::Ended);
        }
        let (left, _) = self.time_left(now);
        if left.is_zero() {
            return Err(SessionRefused::Expired);
        }
        let touch = now.since(self.last_used_at) >= TOUCH_INTERVAL;
        Ok(touch.then(|| Self { last_used_at: now, ..self.clone() }))
    }

    /// The session as the answer to a repeated exchange.
    ///
    /// # Errors
    ///
    /// [`TokenRefused::Used`] when it is over: its token opened it, and opens no other.
    pub fn replayed(self, now: Wall) -> Result<Self, TokenRefused> {
        match self.used(now) {
            Ok(_) => Ok(self),
            Err(SessionRefused::Expired | SessionRefused::Ended) => Err(TokenRefused::Used),
        }
    }

    /// The session, ended; one that has ended keeps its reason.
    pub fn end(self, end: SessionEnd) -> Self {
        Self { ended: self.ended.or(Some(end)), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use rstest::rstest;

    #[rstest]
    #[case::at_once(0, Ok(false))]
    #[case::within_a_minute(59, Ok(false))]
    #[case::a_write_a_minute(60, Ok(true))]
    #[case::last_moment(1_799, Ok(true))]
    #[case::unused_for_half_an_hour(1_800, Err(SessionRefused::Expired))]
    fn a_session_slides(#[case] seconds: u64, #[case] expected: Result<bool, SessionRefused>) {
        let session = fixture::session();
        let now = session.created_at + Duration::from_secs(seconds);
        assert_eq!(session.used(now).map(|touched| touched.is_some()), expected);
    }

    #[test]
    fn no_use_carries_a_session_past_five_hours() {
        let mut session = fixture::session();
        let mut now = session.created_at;
        let mut uses = 0;
        while let Ok(touched) = session.used(now) {
            session = touched.unwrap_or(session);
            now = now + Duration::from_secs(600);
            uses += 1;
        }
        assert_eq!(uses, 30);
        assert_eq!(now.since(session.created_at), ABSOLUTE_LIFE);
    }

    #[test]
    fn exchange_is_replayed_only_while_its_session_lasts() {
        let session = fixture::session();
        let begun = session.created_at;
        assert_eq!(session.clone().replayed(begun), Ok(session.clone()));
        assert_eq!(session.clone().replayed(begun + SLIDING_LIFE), Err(TokenRefused::Used));
        assert_eq!(session.end(SessionEnd::Closed).replayed(begun), Err(TokenRefused::Used));
    }

    #[test]
    fn an_ended_session_is_refused_and_keeps_its_reason() {
        let ended = fixture::session().end(SessionEnd::TakenOver).end(SessionEnd::Closed);
        assert_eq!(ended.ended, Some(SessionEnd::TakenOver));
        assert_eq!(ended.used(ended.created_at), Err(SessionRefused::Ended));
    }
}
