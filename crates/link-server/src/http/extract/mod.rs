//! Extractors: what a handler takes from a request. Each rejects a request that lacks it.

pub mod body;
pub mod caller;
pub mod client;
pub mod computer_caller;
pub mod handoff_step;
pub mod path;
pub mod query;
pub mod session_caller;
