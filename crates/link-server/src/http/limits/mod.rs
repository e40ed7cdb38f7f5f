//! Limits: on rates, on concurrent activities, and on the time that a body takes.

pub mod body;
pub mod network;
pub mod permits;
pub mod rate_limit;
