//! The providers that a session's link template offers.

pub(super) mod get;
pub(super) mod list;
mod search_key;
