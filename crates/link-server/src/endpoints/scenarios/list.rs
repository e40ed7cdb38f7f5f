//! `GET /scenarios`: everything the sandbox answers to.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::{OwnScenario, Published, check_sandbox, published, view};
use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::Answer;
use crate::http::query::{PageParams, PageQuery, Query};
use crate::http::refusals;

/// The published inputs, and a page of the tenant's own logins.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scenarios {
    /// What every tenant's sandbox knows.
    published: Published,
    /// Logins of the tenant's own, newest first.
    items: Vec<OwnScenario>,
    /// Pass it as `cursor` for the next page of them; null on the last.
    next_cursor: Option<String>,
}

/// The answer of a tenant that has no login of its own.
pub fn example() -> Scenarios {
    Scenarios { published: published(), items: Vec::new(), next_cursor: None }
}

/// List what the sandbox answers to: the published inputs and your own logins. Sandbox only, 404 in production.
#[utoipa::path(
    get, path = "/scenarios", tag = "sandbox", operation_id = "listScenarios", params(PageParams),
    responses((status = 200, description = "The published inputs, and a page of your own", body = Scenarios), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> Answer<Json<Scenarios>> {
    let owner = caller.owner().clone();
    check_sandbox(&owner)?;
    let page =
        app.store().read(move |reader| -> Answer<_> { Ok(reader.scenarios(&owner, &request)?) }).await?;
    let items = page.items.into_iter().map(view).collect::<Answer<Vec<_>>>()?;
    Ok(Json(Scenarios { published: published(), items, next_cursor: page.next_cursor }))
}
