//! The parts of a link flow: the token that opens the widget, the session it works in, and the attempt that outlives
//! both.

use std::time::Duration;

pub use attempt::{
    Attempt, Placement, ReloginError, TakenOverError, Work, account_for_login, account_for_relogin,
};
pub use confirmation::{CONFIRMATION_LIFE, confirmation, confirms};
pub use handoff::{
    HANDOFF_LIFE, HANDOFFS_LIMIT, Handoff, HandoffEnd, HandoffError, HandoffOverError, HandoffStep,
    PhoneAccess, StepProgress,
};
use link_types::id::{LinkTemplateId, UserId};
use link_types::uploading::EmployerSurvey;
pub use opening::{OPENING_MEMORY, UiEventUses, UiEvents};
pub use session::{ABSOLUTE_LIFE, LinkSession, SLIDING_LIFE, SessionEnd, SessionError};
pub use token::{
    Consumption, DEFAULT_TOKEN_LIFE, Exchange, ExchangeRequest, LinkToken, MAX_TOKEN_LIFE, REPLAY_WINDOW,
    TokenError, UNUSED_TOKENS_LIMIT, Verdict,
};

use crate::kernel::clock::Wall;
use crate::kernel::owner::Owner;

mod attempt;
mod confirmation;
mod handoff;
mod opening;
pub(crate) mod session;
pub(crate) mod token;

/// How long an answer is kept: 60 days.
pub const SURVEY_MEMORY: Duration = Duration::from_secs(60 * 86_400);

/// An answer to the employer survey. The store encrypts it, because a person typed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// Identifier of the answer.
    pub id: String,
    /// Tenant and environment of the user.
    pub owner: Owner,
    /// User who answered.
    pub user_id: UserId,
    /// Link template that was used.
    pub template_id: LinkTemplateId,
    /// Text that the person typed.
    pub answer: EmployerSurvey,
    /// When the answer was received.
    pub received_at: Wall,
}
