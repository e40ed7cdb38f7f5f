//! `GET /scenarios`: lists the test inputs of the sandbox.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::{OwnScenario, Published, check_sandbox, published, view};
use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::ApiResult;
use crate::http::query::{PageParams, PageQuery, Query};
use crate::http::refusals;

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

/// Returns the response for a tenant without its own logins.
pub fn example() -> Scenarios {
    Scenarios { published: published(), items: Vec::new(), next_cursor: None }
}

/// Lists the published test inputs and your own logins. Sandbox only: returns 404 in production.
///
/// Your own logins are listed newest first.
#[utoipa::path(
    get, path = "/scenarios", tag = "sandbox", operation_id = "listScenarios", params(PageParams),
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
