//! `/scenarios`: the sandbox's published inputs, and a tenant's own logins. Production has none: 404.

mod create;
mod delete;
mod list;
mod own_data;
mod published;

use link_domain::owner::Owner;
use link_domain::scenario::Scenario;
use link_types::id::ScenarioId;
use link_types::scenario::ScenarioAsk;
use link_types::{LinkErrorCode, Mode, Timestamp};
use serde::Serialize;

use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::{Answer, Problem};

pub use list::example;
pub use own_data::SCHEMAS as DATA_SCHEMAS;
pub use published::{Published, published};

/// The routes of scenarios.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(create::handler, list::handler)).routes(routes!(delete::handler))
}

fn check_sandbox(owner: &Owner) -> Answer<()> {
    match owner.mode {
        Mode::Sandbox => Ok(()),
        Mode::Production => Err(Problem::missing()),
    }
}

/// A login of the tenant's own.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnScenario {
    /// Prefix `scn-`.
    pub id: ScenarioId,
    /// When it was added.
    pub created_at: Timestamp,
    /// What the person types; where a provider asks for an e-mail address, the part before the `@`.
    pub login: String,
    /// The right password.
    pub password: String,
    /// What is asked after the password, one after the other.
    pub asks: Vec<ScenarioAsk>,
    /// How the link ends; null for CONNECTED.
    pub error_code: Option<LinkErrorCode>,
    /// The data points that are read, by the keys of a payload, lists bare and items without ids; a kind that is not
    /// here is invented.
    #[schema(schema_with = own_data::schema)]
    pub data: serde_json::Value,
}

fn view(scenario: Scenario) -> Answer<OwnScenario> {
    let outcome = scenario.outcome;
    Ok(OwnScenario {
        id: scenario.id,
        created_at: scenario.created_at.into(),
        login: scenario.login,
        password: outcome.password,
        asks: outcome.asks,
        error_code: outcome.error_code,
        data: own_data::shown(&outcome.data)?,
    })
}
