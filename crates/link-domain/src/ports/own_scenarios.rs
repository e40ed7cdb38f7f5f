//! The port by which the sandbox finds a tenant's own logins.

use super::Answer;
use crate::owner::Owner;
use crate::scenario::Scenario;

/// Knows the logins that tenants added.
pub trait OwnScenarios: Send + Sync {
    /// An owner's own login; null when there is none, or it cannot be read now.
    fn find<'a>(&'a self, owner: &'a Owner, login: &'a str) -> Answer<'a, Option<Scenario>>;
}

/// No tenant has a login of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoScenarios;

impl OwnScenarios for NoScenarios {
    fn find<'a>(&'a self, _: &'a Owner, _: &'a str) -> Answer<'a, Option<Scenario>> {
        Box::pin(std::future::ready(None))
    }
}
