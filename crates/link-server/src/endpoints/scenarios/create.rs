//! `POST /scenarios`: adds a login of the tenant's own to its sandbox.

use axum::extract::State;
use axum::response::Response;
use link_connectors::sandbox::{PASSWORD, is_published};
use link_domain::scenario::{Scenario, ScenarioOutcome};
use link_types::LinkErrorCode;
use link_types::problem::FaultCode;
use link_types::scenario::ScenarioAsk;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{OwnScenario, check_sandbox, own_data, view};
use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::endpoints::quotas::one_more_scenario;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::{Answer, Problem, fault};
use crate::http::refusals;

/// Body of `POST /scenarios`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateScenario {
    /// What the person will type: lower-case letters, digits, dots, underscores and hyphens; not a published login.
    #[schema(min_length = 3, max_length = 64, pattern = "^[a-z0-9._-]+$", example = "ana.ruiz")]
    login: String,
    /// The right password; `pass` when left out.
    #[schema(min_length = 1, max_length = 128)]
    password: Option<String>,
    /// What is asked after the password, one after the other; nothing when left out.
    #[serde(default)]
    #[schema(max_items = 5)]
    asks: Vec<ScenarioAsk>,
    /// How the link ends after that; it connects when left out.
    error_code: Option<LinkErrorCode>,
    /// The data points to read, by the keys of a payload: `identity`, `rating`, `documents`, `incomes`,
    /// `transactions`, `employments`, `contributions`, `liabilities`; lists bare, items without ids. A kind that is
    /// left out is invented; an empty list means none.
    #[serde(default)]
    #[schema(schema_with = super::own_data::schema)]
    data: Map<String, Value>,
}

/// Add a login of your own: sandbox only, 404 in production. 409 when there is one of this name, or a hundred already.
#[utoipa::path(
    post, path = "/scenarios", tag = "sandbox", operation_id = "createScenario",
    request_body(content = CreateScenario, example = json!({"login": "ana.ruiz", "asks": ["CODE"], "data": {"incomes": []}})),
    responses((status = 201, description = "Added", body = OwnScenario, example = json!(shown(include_str!("create.json")))), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateScenario>,
) -> Answer<Response> {
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
            let made = Scenario::create(owner.clone(), &login, outcome.clone(), is_published, context);
            let (scenario, change) = made.map_err(Problem::invalid)?;
            if tx.scenario_by_login(&owner, &login)?.is_some() {
                return Err(Problem::conflict(
                    "There is a scenario with this login already: delete it first.",
                )
                .with_errors(vec![fault("login", FaultCode::Invalid, "taken")]));
            }
            one_more_scenario(tx, &owner)?;
            Effect::created(&view(scenario)?, change)
        })
        .await
}
