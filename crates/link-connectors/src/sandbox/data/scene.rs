//! Context that all data of an account shares.

use link_types::Date;
use link_types::provider::Provider;

use super::person::Person;
use crate::sandbox::draw::Draw;

/// The context in which all data is drawn.
pub(super) struct Scene<'a> {
    pub(super) provider: &'a Provider,
    pub(super) login: &'a str,
    pub(super) person: Person,
    pub(super) today: Date,
    /// Whether the provider's longest list exceeds the limit of a webhook payload.
    pub(super) many: bool,
}

impl Scene<'_> {
    /// Returns numbers for one thing of the person, such as the payslip of one month. They do not depend on the others.
    pub(super) fn draw(&self, thing: &str) -> Draw {
        Draw::new(&[self.provider.id.as_str(), self.login, thing])
    }
}

/// The id of a body before the domain assigns one.
pub(super) const PLACEHOLDER: [u8; 16] = [0; 16];
