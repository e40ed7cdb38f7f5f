//! `POST /accounts/{id}/enableMonitor`: restarts continuous sync.

use axum::response::Response;
use link_domain::linking::account::AccountInput;
use link_types::id::AccountId;

use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Restarts continuous sync of an account.
///
/// If the person must sign in again first, sync continues after that.
#[utoipa::path(
    post, path = "/accounts/{id}/enableMonitor", tag = "accounts", operation_id = "enableMonitor",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 204, description = "Continuous sync is enabled"), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    super::apply_once(caller, id, |_, account, context| {
        Ok(account.apply(AccountInput::EnableMonitor, context)?.1)
    })
    .await
}
