//! A tenant's own logins.

use link_domain::kernel::owner::Owner;
use link_domain::tenancy::scenario::Scenario;
use link_types::id::ScenarioId;
use link_types::scenario::ScenarioAsk;
use link_types::{LinkErrorCode, Mode, Timestamp};
use serde::Serialize;

use super::own_data;
use crate::http::problem::{ApiResult, Problem};

/// Checks that the environment is the sandbox.
///
/// # Errors
/// 404 in production.
pub(super) fn check_sandbox(owner: &Owner) -> ApiResult<()> {
    match owner.mode {
        Mode::Sandbox => Ok(()),
        Mode::Production => Err(Problem::missing()),
    }
}

/// One of your own logins.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnScenario {
    /// Identifier, with the prefix `scn-`.
    pub id: ScenarioId,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Login name to type in the widget. If a provider asks for an email address, the part before the `@`.
    pub login: String,
    /// Correct password.
    pub password: String,
    /// Challenges after the password, in order.
    pub asks: Vec<ScenarioAsk>,
    /// Error with which linking fails. Null if the account connects.
    pub error_code: Option<LinkErrorCode>,
    /// Data points to read, by the keys of a payload. Lists are plain arrays, and items have no ids. If a kind is
    /// missing, its data is fictional.
    #[schema(schema_with = own_data::schema)]
    pub data: serde_json::Value,
}

/// Returns the login as REST shows it.
pub(super) fn view(scenario: Scenario) -> ApiResult<OwnScenario> {
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
