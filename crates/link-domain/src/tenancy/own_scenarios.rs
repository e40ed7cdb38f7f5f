//! Port through which the sandbox finds a tenant's custom logins.

use crate::kernel::future::BoxFuture;
use crate::kernel::owner::Owner;
use crate::tenancy::scenario::Scenario;

/// Finds the custom logins of tenants.
pub trait OwnScenarios: Send + Sync {
    /// Returns an owner's custom login, or `None` if it does not exist or cannot be read now.
    fn find<'a>(&'a self, owner: &'a Owner, login: &'a str) -> BoxFuture<'a, Option<Scenario>>;
}

/// An implementation without custom logins.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoScenarios;

impl OwnScenarios for NoScenarios {
    fn find<'a>(&'a self, _: &'a Owner, _: &'a str) -> BoxFuture<'a, Option<Scenario>> {
        Box::pin(std::future::ready(None))
    }
}
