//! Tables of the developer portal: members of tenants, their one-time addresses, sessions and passkeys, and single sign-on.

pub(crate) mod addresses;
pub(crate) mod identities;
pub(crate) mod identity_providers;
pub(crate) mod members;
pub(crate) mod passkeys;
pub(crate) mod sessions;
