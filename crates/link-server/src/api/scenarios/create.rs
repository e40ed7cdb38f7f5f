//! `POST /scenarios`: adds a tenant's own login to its sandbox.

use axum::extract::State;
use axum::response::Response;
use link_connectors::sandbox::{PASSWORD, is_published};
use link_domain::tenancy::scenario::{Scenario, ScenarioOutcome};
use link_types::LinkErrorCode;
use link_types::problem::FaultCode;
use link_types::scenario::ScenarioAsk;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::own::{OwnScenario, check_sandbox, view};
use super::own_data;
use crate::api::resource_limits::one_more_scenario;
use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem, fault};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Body of `POST /scenarios`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateScenario {
    /// Login name to type in the widget: lower-case letters, digits, dots, underscores and hyphens. It must not be a
    /// published login.
    #[schema(min_length = 3, max_length = 64, pattern = "^[a-z0-9._-]+$", example = "ana.ruiz")]
    login: String,
    /// Correct password. Defaults to `pass`.
    #[schema(min_length = 1, max_length = 128)]
    password: Option<String>,
    /// Challenges after the password, in order. If omitted, there are no challenges.
    #[serde(default)]
    #[schema(max_items = 5)]
    asks: Vec<ScenarioAsk>,
    /// Error with which linking fails after that. If omitted, the account connects.
    error_code: Option<LinkErrorCode>,
    /// Data points to read, by the keys of a payload: `identity`, `rating`, `documents`, `incomes`, `transactions`,
    /// `employments`, `contributions`, `liabilities`. Lists are plain arrays, and items have no ids. If a kind is
    /// omitted, its data is fictional. An empty list means that there is no data.
    #[serde(default)]
    #[schema(schema_with = super::own_data::schema)]
    data: Map<String, Value>,
}

/// Adds your own login to the sandbox. Sandbox only: returns 404 in production.
///
/// Returns 409 if you already have a login with this name, or 100 logins.
#[utoipa::path(
    post, path = "/scenarios", tag = "sandbox", operation_id = "createScenario",
    request_body(content = CreateScenario, example = json!({"login": "ana.ruiz", "asks": ["CODE"], "data": {"incomes": []}})),
    responses((status = 201, description = "The created login", body = OwnScenario, example = json!(shown(include_str!("create.json")))), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateScenario>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    check_sandbox(&owner)?;
    let outcome = ScenarioOutcome {
        password: body.password.unwrap_or_else(|| PASSWORD.to_owned()),
        asks: body.asks,
        error_code: body.error_code,
        data: own_data::read(app.schemas()?, body.data).map_err(Problem::invalid)?,
    };
    let login = body.login;
    caller
        .once(move |tx, context| {
            let created = Scenario::create(owner.clone(), &login, outcome.clone(), is_published, context);
            let (scenario, change) = created.map_err(Problem::invalid)?;
            if tx.scenarios().by_login(&owner, &login)?.is_some() {
                return Err(Problem::conflict("A scenario with this login already exists. Delete it first.")
                    .with_errors(vec![fault(
                        "login",
                        FaultCode::Invalid,
                        "already used by another scenario",
                    )]));
            }
            one_more_scenario(tx, &owner)?;
            IdempotentResponse::created(&view(scenario)?, change)
        })
        .await
}
