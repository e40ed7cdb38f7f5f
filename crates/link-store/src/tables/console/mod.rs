//! Tables of the developer portal: members of tenants, their one-time addresses and their sessions.

pub(crate) mod addresses;
pub(crate) mod members;
pub(crate) mod sessions;
