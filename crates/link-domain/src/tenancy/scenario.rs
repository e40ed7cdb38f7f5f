//! Custom logins of a sandbox tenant, in addition to the published ones.

use link_types::LinkErrorCode;
use link_types::id::ScenarioId;
use link_types::scenario::{ScenarioAsk, ScenarioData};
use serde::{Deserialize, Serialize};

use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;
use crate::kernel::system::BoxFuture;

mod transition;

/// Maximum number of custom logins per tenant.
pub const SCENARIOS_LIMIT: u64 = 100;
/// Maximum number of challenges per login.
pub const ASKS_LIMIT: usize = 5;

/// A custom login of a tenant, and its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Identifier of the custom login.
    pub id: ScenarioId,
    /// Tenant and environment of the login.
    pub owner: Owner,
    /// When the login was created.
    pub created_at: TenantTime,
    /// Login name in lowercase. If a provider asks for an email address, it is the part before the `@`.
    pub login: String,
    /// Outcome of the login.
    pub outcome: ScenarioOutcome,
}

/// Outcome of a custom login.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScenarioOutcome {
    /// Correct password. Any other password fails with INVALID_CREDENTIALS.
    pub password: String,
    /// Challenges after the password, in order.
    pub asks: Vec<ScenarioAsk>,
    /// Error code that the link ends with. `None` for CONNECTED.
    pub error_code: Option<LinkErrorCode>,
    /// Data that is read.
    pub data: ScenarioData,
}

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
