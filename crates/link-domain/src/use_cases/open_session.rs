//! A frame opens a session with a link token.

use crate::change::{Change, Row};
use crate::invitations::invite::{Invite, InviteInput};
use crate::kernel::context::Context;
use crate::linking::link::{Attempt, LinkSession, LinkToken, Work};

/// A user's open attempt for the token's link template.
pub struct StoredAttempt<'a> {
    /// The attempt.
    pub attempt: Attempt,
    /// Session that last worked on the attempt.
    pub session: Option<LinkSession>,
    /// Pending work of the attempt.
    pub work: Work<'a>,
}

/// A session that was opened.
pub struct OpenedSession {
    /// The session.
    pub session: LinkSession,
    /// Attempt that the session works on.
    pub attempt: Attempt,
    /// Everything that must be written.
    pub change: Change,
}

/// Opens the session of a used token. The session continues the user's open attempt, or starts one. `invite` is the
/// invitation whose landing page used the token; its widget counts as opened.
pub fn open_session(
    token: LinkToken,
    session: LinkSession,
    stored: Option<StoredAttempt<'_>>,
    invite: Option<Invite>,
    context: &mut Context,
) -> OpenedSession {
    let now = context.now();
    let used = Change::row(Row::LinkToken(token));
    let (open, left) = match stored {
        Some(StoredAttempt { attempt, session, work }) => attempt.reopen(session, work, now),
        None => (None, Change::default()),
    };
    let (session, attempt, entered) = Attempt::enter(session, open, now.tenant());
    let invited = invite.map(|it| it.note(InviteInput::WidgetOpened, context)).unwrap_or_default();
    OpenedSession { session, attempt, change: used.then(left).then(entered).then(invited) }
}
