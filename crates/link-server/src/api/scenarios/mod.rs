//! `/scenarios`: the published test inputs of the sandbox, and a tenant's own logins. Production returns 404.

mod own_data;
mod published;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_connectors::sandbox::{PASSWORD, is_published};
use link_domain::change::{Change, Deletion};
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::scenario::{Scenario, ScenarioOutcome};
use link_types::id::ScenarioId;
use link_types::problem::FaultCode;
use link_types::scenario::ScenarioAsk;
use link_types::{LinkErrorCode, Mode, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::openapi::{OpenApi, RefOr};

use self::published::{Published, published_inputs};
use crate::api::resource_limits::one_more_scenario;
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{NoQuery, PageQuery, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem, fault};
use crate::openapi::{parse_example, refusals};

pub use own_data::SCHEMAS as DATA_SCHEMAS;

/// Returns the routes of scenarios.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create => ScenarioCreated, list => read))
        .routes(routes!(delete => ScenarioDeleted))
}

/// Published test inputs, and a page of your own logins.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Scenarios {
    /// Test inputs of every sandbox.
    published: Published,
    /// Your own logins, newest first.
    items: Vec<OwnScenario>,
    /// Value of `cursor` for the next page of your own logins. Null on the last page.
    next_cursor: Option<String>,
}

/// Adds the published test inputs as the example of this endpoint. Tables of the reference are generated from it.
pub fn show_example(document: &mut OpenApi) {
    let list = document.paths.paths.get_mut("/scenarios").and_then(|it| it.get.as_mut());
    let response = list.and_then(|it| it.responses.responses.get_mut("200"));
    let Some(RefOr::T(response)) = response else { return };
    if let Some(RefOr::T(content)) = response.content.get_mut("application/json") {
        let example = Scenarios { published: published_inputs(), items: Vec::new(), next_cursor: None };
        content.example = serde_json::to_value(example).ok();
    }
}

/// Lists the published test inputs and your own logins. Sandbox only: returns 404 in production.
///
/// Your own logins are listed newest first.
#[utoipa::path(
    get, path = "/scenarios", tag = "sandbox", operation_id = "listScenarios", params(Query<PageQuery>),
    responses((status = 200, description = "The published test inputs, and a page of your own logins", body = Scenarios), refusals::Read),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> ApiResult<Json<Scenarios>> {
    let owner = caller.owner().clone();
    check_sandbox(&owner)?;
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.scenarios().list(&owner, &request)?) })
        .await?;
    let items = page.items.into_iter().map(view).collect::<ApiResult<Vec<_>>>()?;
    Ok(Json(Scenarios { published: published_inputs(), items, next_cursor: page.next_cursor }))
}

/// Body of `POST /scenarios`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateScenario {
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
    /// Data points to read, by the keys of a payload. Lists are plain arrays, and items have no ids. If a kind is
    /// omitted, its data is fictional. An empty list means that there is no data.
    #[serde(default)]
    #[schema(schema_with = own_data::schema)]
    data: Map<String, Value>,
}

/// Adds your own login to the sandbox. Sandbox only: returns 404 in production.
///
/// Returns 409 if you already have a login with this name, or 100 logins.
#[utoipa::path(
    post, path = "/scenarios", tag = "sandbox", operation_id = "createScenario",
    request_body(content = CreateScenario, example = json!({"login": "ana.ruiz", "asks": ["CODE"], "data": {"incomes": []}})),
    responses((status = 201, description = "The created login", body = OwnScenario, example = json!(parse_example(include_str!("create.json")))), refusals::Write),
    security(("apiKey" = []))
)]
async fn create(
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
        data: own_data::read(app.caches.schemas.get()?, body.data).map_err(Problem::invalid)?,
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
            IdempotentResponse::for_created(&view(scenario)?, change)
        })
        .await
}

/// Deletes one of your own logins.
///
/// Accounts that were linked with it are unchanged.
#[utoipa::path(
    delete, path = "/scenarios/{id}", tag = "sandbox", operation_id = "deleteScenario",
    params(("id" = ScenarioId, Path, description = "The scenario's id")),
    responses((status = 204, description = "The login is deleted"), refusals::Read),
    security(("apiKey" = []))
)]
async fn delete(
    caller: TenantCaller,
    PathId(id): PathId<ScenarioId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    check_sandbox(&owner)?;
    caller
        .write(move |tx| {
            tx.scenarios().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let deletions = vec![Deletion::Scenario(id.clone())];
            Ok(tx.apply(&Change { deletions, ..Change::default() }, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Checks that the environment is the sandbox.
///
/// # Errors
/// 404 in production.
fn check_sandbox(owner: &Owner) -> ApiResult<()> {
    match owner.mode {
        Mode::Sandbox => Ok(()),
        Mode::Production => Err(Problem::missing()),
    }
}

/// One of your own logins.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnScenario {
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
fn view(scenario: Scenario) -> ApiResult<OwnScenario> {
    let outcome = scenario.outcome;
    Ok(OwnScenario {
        id: scenario.id,
        created_at: scenario.created_at.into(),
        login: scenario.login,
        password: outcome.password,
        asks: outcome.asks,
        error_code: outcome.error_code,
        data: own_data::show_data(&outcome.data)?,
    })
}
