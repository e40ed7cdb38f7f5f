//! The session: its person, template and lifetime. Its secret is not stored here.

use link_types::Mode;
use link_types::id::{AttemptId, UserId};
use link_types::link::{AttemptState, LinkSession, SessionTemplate};

use crate::context::{Context, Identity};
use crate::event::TimerId;

/// The flow pauses when this much of the session is left, so that a new token arrives before it ends.
const SPARE_MS: u32 = 60_000;

/// An open session.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) user: UserId,
    pub(crate) mode: Mode,
    pub(crate) template: SessionTemplate,
    pub(crate) attempt: AttemptId,
    pub(crate) has_linked: bool,
    /// Whether this is the phone of a hand-off.
    pub(crate) is_handoff: bool,
    /// Whether a step can continue on a phone.
    pub(crate) may_hand_off: bool,
    /// Whether the phone's access has ended.
    pub(crate) is_over: bool,
    unused_ms: u32,
    unused: TimerId,
    end: TimerId,
}

impl Session {
    /// Begins a session and starts its two clocks. Returns the state of its attempt.
    pub(crate) fn begin(session: LinkSession, context: &mut Context) -> AttemptState {
        let unused = context.start_timer(before_end(session.expires_in_ms));
        let end = context.start_timer(before_end(session.ends_in_ms));
        context.mode = session.mode;
        context.expiries = 0;
        context.session = Some(Self {
            user: session.user_id,
            mode: session.mode,
            template: session.template,
            attempt: session.attempt.id.clone(),
            has_linked: session.has_linked,
            is_handoff: session.is_handoff,
            may_hand_off: session.may_hand_off,
            is_over: false,
            unused_ms: session.expires_in_ms,
            unused,
            end,
        });
        session.attempt
    }

    /// Returns whether that timer says that the session is about to end.
    pub(crate) fn is_ending(&self, timer: TimerId) -> bool {
        timer == self.unused || timer == self.end
    }

    /// Returns the person, template and environment.
    pub(crate) fn identity(&self) -> Identity {
        Identity { user: self.user.clone(), template: self.template.id.clone(), mode: self.mode }
    }
}

/// Restarts the sliding clock, because the service has just replied.
pub(crate) fn restart_clock(context: &mut Context) {
    let Some(unused_ms) = context.session.as_ref().map(|session| session.unused_ms) else { return };
    let timer = context.start_timer(before_end(unused_ms));
    if let Some(session) = &mut context.session {
        session.unused = timer;
    }
}

fn before_end(lasts_ms: u32) -> u32 {
    lasts_ms.saturating_sub(SPARE_MS)
}
