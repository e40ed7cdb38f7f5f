//! The widget's three lives: the token that opens it, the session it works in, the attempt that outlives both.

mod attempt;
mod session;
mod token;
mod tries;

pub use attempt::{Attempt, Placement, place};
pub use session::{ABSOLUTE_LIFE, LinkSession, SLIDING_LIFE, SessionEnd, SessionRefused};
pub use token::{
    Consumption, DEFAULT_TOKEN_LIFE, Exchange, ExchangeRequest, LinkToken, MAX_TOKEN_LIFE, REPLAY_WINDOW,
    TokenRefused,
};
pub use tries::{LoginTries, login_hash};
