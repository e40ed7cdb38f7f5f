//! Opening a session on an attempt: continuing an open attempt, or starting one.

use link_types::uploading::ResumePoint;

use super::{Attempt, Open, RESUME_POINT_LIFE, Work};
use crate::change::{Change, Row};
use crate::kernel::clock::{Now, TenantTime};
use crate::linking::link::session::{LinkSession, SessionEnd};

impl Attempt {
    /// Returns the open attempt if the next session should continue it. If the session expired without closing, the
    /// attempt may be finished. So may that of a session that goes on, if the person closed its page: nothing of it is
    /// left, or the person must sign in again to the account that it linked. A finished attempt is ended now, so that the
    /// next session starts over: it shows and reports no old success, and its events have other keys. An account that was
    /// linked after the widget closed, on the provider's page, is new to the person: they see it within a day.
    pub fn reopen(self, before: Option<LinkSession>, work: Work<'_>, now: Now) -> (Option<Open>, Change) {
        let goes_on = before.as_ref().is_some_and(|session| session.record_use(now.wall()).is_ok());
        let is_finished = self.account_id.is_none() || work.needs_login();
        let is_closed = before.as_ref().is_some_and(|it| it.ended == Some(SessionEnd::Closed));
        let is_recent = now.tenant().since(self.created_at) <= RESUME_POINT_LIFE;
        let is_unseen = is_closed && is_recent && work.has_linked();
        if (goes_on || is_unseen) && !is_finished {
            return (Some((self, before)), Change::default());
        }
        let left = self.leave(work, now.tenant());
        if left.ended_at.is_none() {
            return (Some((left, before)), Change::default());
        }
        let older =
            before.filter(|_| goes_on).map(|older| Row::LinkSession(older.end(SessionEnd::TakenOver)));
        (None, Change { rows: older.into_iter().chain([Row::Attempt(left)]).collect(), ..Change::default() })
    }

    /// Starts a new session. It takes over the user's open attempt for the template and ends the session that worked on
    /// it, or creates an attempt. Returns the session with its attempt, and everything that must be written.
    ///
    /// The attempt keeps its choices, but not their consent. A tenant's server can open a session itself and store a consent,
    /// so it counts only in that session (ADR 184).
    pub fn enter(session: LinkSession, open: Option<Open>, now: TenantTime) -> (LinkSession, Self, Change) {
        let mut rows = Vec::new();
        let attempt = match open {
            Some((attempt, before)) => {
                let older = before.filter(|older| older.id != session.id);
                rows.extend(older.map(|older| Row::LinkSession(older.end(SessionEnd::TakenOver))));
                let place = ResumePoint { consent: None, ..attempt.place };
                Self { session_id: session.id.clone(), place, ..attempt }
            }
            None => Self {
                id: session.attempt_id.clone(),
                owner: session.owner.clone(),
                user_id: session.user_id.clone(),
                template_id: session.template_id.clone(),
                session_id: session.id.clone(),
                account_id: None,
                place: ResumePoint::default(),
                created_at: now,
                ended_at: None,
            },
        };
        let session = LinkSession { attempt_id: attempt.id.clone(), ..session };
        rows.push(Row::LinkSession(session.clone()));
        rows.push(Row::Attempt(attempt.clone()));
        (session, attempt, Change { rows, ..Change::default() })
    }

    /// Closes the widget: ends its session and leaves the attempt.
    pub fn close(self, session: LinkSession, work: Work<'_>, now: TenantTime) -> Change {
        let rows =
            vec![Row::LinkSession(session.end(SessionEnd::Closed)), Row::Attempt(self.leave(work, now))];
        Change { rows, ..Change::default() }
    }
}
