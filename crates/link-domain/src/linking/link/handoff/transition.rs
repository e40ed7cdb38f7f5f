//! Decisions about a hand-off: creating it, using its code, ending it.

use link_types::Sensitive;

use super::{HANDOFFS_LIMIT, Handoff, HandoffEnd, HandoffError, HandoffStep, StepProgress};
use crate::change::{Change, Row};
use crate::kernel::clock::Wall;
use crate::kernel::context::Context;
use crate::linking::link::session::LinkSession;
use crate::linking::link::token::{Consumption, ExchangeRequest, TokenError, Verdict};

impl Handoff {
    /// Creates a hand-off of a session. It replaces `before`, whose code and phone are rejected from then on. Returns the
    /// token, which is not stored.
    ///
    /// # Errors
    ///
    /// [`HandoffError::TooMany`] if the session has created the maximum number of them.
    pub fn create(
        session: &LinkSession,
        step: HandoffStep,
        before: Option<Self>,
        context: &mut Context,
    ) -> Result<(Self, Sensitive, Change), HandoffError> {
        let number = before.map_or(0, |it| it.number) + 1;
        if number > HANDOFFS_LIMIT {
            return Err(HandoffError::TooMany);
        }
        let token = Self::token(context);
        let created = Self {
            session_id: session.id.clone(),
            owner: session.owner.clone(),
            user_id: session.user_id.clone(),
            token_hash: Self::hash(&token),
            step,
            number,
            created_at: context.now().wall(),
            continued: None,
            ended: None,
        };
        let change = Change::row(Row::Handoff(created.clone()));
        Ok((created, token, change))
    }

    /// Uses the code: the phone gets access with the secret that it generated. The same request again has no further
    /// effect, because its response may have been lost.
    ///
    /// # Errors
    ///
    /// [`TokenError`] if the code gives no access to the session.
    pub fn redeem(
        self,
        request: &ExchangeRequest,
        session: &LinkSession,
        progress: StepProgress,
        now: Wall,
    ) -> Result<(Self, Change), TokenError> {
        match self.verdict(request, session, progress, now)? {
            Verdict::Replays { .. } => Ok((self, Change::default())),
            Verdict::Opens => {
                let continued = Some(Consumption { at: now, secret_hash: request.secret_hash });
                let redeemed = Self { continued, ..self };
                let change = Change::row(Row::Handoff(redeemed.clone()));
                Ok((redeemed, change))
            }
        }
    }

    /// Ends the hand-off. If it has already ended, the reason is unchanged.
    pub fn end(self, end: HandoffEnd) -> (Self, Change) {
        if self.ended.is_some() {
            return (self, Change::default());
        }
        let ended = Self { ended: Some(end), ..self };
        let change = Change::row(Row::Handoff(ended.clone()));
        (ended, change)
    }
}
