//! Context that all data of an account shares.

use link_types::Date;
use link_types::provider::Provider;

use super::person::Person;

/// The context in which all data is drawn.
pub(super) struct Scene<'a> {
    pub(super) provider: &'a Provider,
    pub(super) person: Person,
    pub(super) today: Date,
    /// Whether the provider's longest list exceeds the limit of a webhook payload.
    pub(super) many: bool,
}

/// The id of a body before the domain assigns one.
pub(super) const PLACEHOLDER: [u8; 16] = [0; 16];
