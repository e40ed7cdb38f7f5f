//! The widget's session, which authorizes everything after the token exchange.

use std::time::Duration;

use link_types::id::{AttemptId, LinkSessionId, LinkTemplateId, UserId};

use crate::invitations::visit::VisitRef;
use crate::kernel::clock::Wall;
use crate::kernel::digest::Digest32;
use crate::kernel::owner::Owner;

/// How long an idle session lasts: 30 minutes.
pub const SLIDING_LIFE: Duration = Duration::from_secs(30 * 60);
/// How long an active session lasts: 5 hours.
pub const ABSOLUTE_LIFE: Duration = Duration::from_secs(5 * 3_600);
/// How far the stored `last_used_at` may lag behind the last use: 60 seconds. This saves a write per request.
const TOUCH_INTERVAL: Duration = Duration::from_secs(60);

/// A session as the store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkSession {
    /// Identifier of the session. It is not a secret.
    pub id: LinkSessionId,
    /// SHA-256 of the bearer token, by which the store finds the session.
    pub secret_hash: Digest32,
    /// Tenant and environment of the user.
    pub owner: Owner,
    /// User who links.
    pub user_id: UserId,
    /// Link template that is used.
    pub template_id: LinkTemplateId,
    /// Origin of the page that embeds the widget.
    pub host_origin: String,
    /// Visit whose page embeds the widget. `None` for a tenant's own page.
    pub visit: Option<VisitRef>,
    /// Attempt that the session works on.
    pub attempt_id: AttemptId,
    /// When the session started.
    pub created_at: Wall,
    /// When the session was last used, with a precision of 1 minute.
    pub last_used_at: Wall,
    /// How the session ended. `None` while it is open.
    pub ended: Option<SessionEnd>,
}

/// Reason why a session ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The widget closed.
    Closed,
    /// A newer session of the same user and template took over the attempt.
    TakenOver,
}

/// Reason why a session is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// The session has expired.
    #[error("the session has expired")]
    Expired,
    /// The session was closed or taken over.
    #[error("the session has ended")]
    Ended,
}

impl LinkSession {
    /// Returns how long the session lasts if it is idle, and how long if it is active.
    pub fn time_left(&self, now: Wall) -> (Duration, Duration) {
        let ends = (self.created_at + ABSOLUTE_LIFE).since(now);
        let expires = (self.last_used_at + SLIDING_LIFE).since(now);
        (expires.min(ends), ends)
    }

    /// Uses the session. Returns its new state if the use must be written.
    ///
    /// # Errors
    ///
    /// [`SessionError`] if the session is over.
    pub fn record_use(&self, now: Wall) -> Result<Option<Self>, SessionError> {
        if self.ended.is_some() {
            return Err(SessionError::Ended);
        }
        let (left, _) = self.time_left(now);
        if left.is_zero() {
            return Err(SessionError::Expired);
        }
        let touch = now.since(self.last_used_at) >= TOUCH_INTERVAL;
        Ok(touch.then(|| Self { last_used_at: now, ..self.clone() }))
    }

    /// Ends the session. If it has already ended, the reason is unchanged.
    pub fn end(self, end: SessionEnd) -> Self {
        Self { ended: self.ended.or(Some(end)), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::linking::link::TokenError;
    use rstest::rstest;

    #[rstest]
    #[case::immediately(0, Ok(false))]
    #[case::within_a_minute(59, Ok(false))]
    #[case::after_a_minute(60, Ok(true))]
    #[case::last_moment(1_799, Ok(true))]
    #[case::unused_for_half_an_hour(1_800, Err(SessionError::Expired))]
    fn session_expires_after_30_idle_minutes(
        #[case] seconds: u64,
        #[case] expected: Result<bool, SessionError>,
    ) {
        let session = fixture::session();
        let now = session.created_at + Duration::from_secs(seconds);
        assert_eq!(session.record_use(now).map(|touched| touched.is_some()), expected);
    }

    #[test]
    fn active_session_expires_after_five_hours() {
        let mut session = fixture::session();
        let mut now = session.created_at;
        let mut uses = 0;
        while let Ok(touched) = session.record_use(now) {
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
        assert_eq!(session.clone().replay(begun), Ok(session.clone()));
        assert_eq!(session.clone().replay(begun + SLIDING_LIFE), Err(TokenError::Used));
        assert_eq!(session.end(SessionEnd::Closed).replay(begun), Err(TokenError::Used));
    }

    #[test]
    fn ended_session_is_rejected_and_keeps_its_reason() {
        let ended = fixture::session().end(SessionEnd::TakenOver).end(SessionEnd::Closed);
        assert_eq!(ended.ended, Some(SessionEnd::TakenOver));
        assert_eq!(ended.record_use(ended.created_at), Err(SessionError::Ended));
    }
}
