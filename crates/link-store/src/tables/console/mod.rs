//! Tables of the developer portal: members of tenants, their one-time addresses, sessions and passkeys.

pub(crate) mod addresses;
pub(crate) mod members;
pub(crate) mod passkeys;
pub(crate) mod sessions;
