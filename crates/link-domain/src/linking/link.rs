//! The parts of a link flow: the token that opens the widget, the session it works in, and the attempt that outlives
//! both.

mod attempt;
mod confirmation;
mod handoff;
mod opening;
pub(crate) mod session;
mod survey;
pub(crate) mod token;

pub use attempt::{
    Attempt, Placement, ReloginError, TakenOverError, Work, account_for_login, account_for_relogin,
};
pub use confirmation::{CONFIRMATION_LIFE, confirmation, confirms};
pub use handoff::{
    HANDOFF_LIFE, HANDOFFS_LIMIT, Handoff, HandoffEnd, HandoffError, HandoffOverError, HandoffStep,
    PhoneAccess, StepProgress,
};
pub use opening::{OPENING_MEMORY, UiEventUses, UiEvents};
pub use session::{ABSOLUTE_LIFE, LinkSession, SLIDING_LIFE, SessionEnd, SessionError};
pub use survey::{SURVEY_MEMORY, Survey};
pub use token::{
    Consumption, DEFAULT_TOKEN_LIFE, Exchange, ExchangeRequest, LinkToken, MAX_TOKEN_LIFE, REPLAY_WINDOW,
    TokenError, UNUSED_TOKENS_LIMIT, Verdict,
};
