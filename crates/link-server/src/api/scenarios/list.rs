//! `GET /scenarios`: lists the test inputs of the sandbox.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::openapi::{OpenApi, RefOr};

use super::own::{OwnScenario, check_sandbox, view};
use super::published::{Published, published};
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{PageQuery, Query};
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Published test inputs, and a page of your own logins.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scenarios {
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
        let example = Scenarios { published: published(), items: Vec::new(), next_cursor: None };
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
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> ApiResult<Json<Scenarios>> {
    let owner = caller.owner().clone();
    check_sandbox(&owner)?;
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> { Ok(reader.scenarios().list(&owner, &request)?) })
        .await?;
    let items = page.items.into_iter().map(view).collect::<ApiResult<Vec<_>>>()?;
    Ok(Json(Scenarios { published: published(), items, next_cursor: page.next_cursor }))
}
