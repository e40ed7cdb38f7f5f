//! `POST /accounts/{id}/enableMonitor`: starts continuous sync again.

use axum::response::Response;
use link_domain::account::AccountInput;
use link_types::id::AccountId;

use crate::http::caller::TenantCaller;
use crate::http::problem::Answer;
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Start continuous sync of an account again. One that waits for its person goes on waiting.
#[utoipa::path(
    post, path = "/accounts/{id}/enableMonitor", tag = "accounts", operation_id = "enableMonitor",
    params(("id" = AccountId, Path, description = "The account")),
    responses((status = 204, description = "Started"), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Response> {
    super::tell(caller, id, || AccountInput::EnableMonitor).await
}
