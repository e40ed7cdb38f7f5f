//! Limits: on rates, on concurrent activities, and on the time that a body takes.

pub mod body;
pub mod counted;
pub mod known_sessions;
pub mod minimum_rate;
pub mod network;
pub mod permits;
pub mod rate_limit;
