//! `POST /accounts/{id}/disableMonitor`: stops continuous sync.

use axum::response::Response;
use link_domain::account::AccountInput;
use link_types::id::AccountId;

use crate::http::caller::TenantCaller;
use crate::http::problem::Answer;
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Stop continuous sync of an account.
#[utoipa::path(
    post, path = "/accounts/{id}/disableMonitor", tag = "accounts", operation_id = "disableMonitor",
    params(("id" = AccountId, Path, description = "The account")),
    responses((status = 204, description = "Stopped"), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Response> {
    super::tell(caller, id, || AccountInput::DisableMonitor).await
}
