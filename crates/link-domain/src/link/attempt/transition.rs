//! Opening a session on an attempt: continuing an open attempt, or starting one.

use link_types::uploading::ResumePoint;

use super::{Attempt, Open, Work};
use crate::change::{Change, Row};
use crate::clock::{Now, TenantTime};
use crate::link::session::{LinkSession, SessionEnd};

impl Attempt {
    /// Returns the open attempt if the next session should continue it. If the session expired without closing, the
    /// attempt may be finished. It is then ended now, so that the next session starts over instead of showing an old
    /// success.
    pub fn reopen(self, before: Option<LinkSession>, work: Work<'_>, now: Now) -> (Option<Open>, Change) {
        if before.as_ref().is_some_and(|session| session.used(now.wall()).is_ok()) {
            return (Some((self, before)), Change::default());
        }
        let left = self.leave(work, now.tenant());
        match left.ended_at {
            Some(_) => (None, Change::row(Row::Attempt(left))),
            None => (Some((left, before)), Change::default()),
        }
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
