//! `POST /accounts/{id}/disableMonitor`: stops continuous sync.

use axum::response::Response;
use link_domain::account::AccountInput;
use link_domain::data_point::Known;
use link_domain::event::Subject;
use link_types::id::AccountId;

use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{NoQuery, PathId, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Stops continuous sync of an account.
///
/// Its data remains, and `monitorStatus` becomes CUSTOMER_DISABLED. Returns 409 if the account is not connected, or has
/// no continuous sync.
#[utoipa::path(
    post, path = "/accounts/{id}/disableMonitor", tag = "accounts", operation_id = "disableMonitor",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 204, description = "Continuous sync is stopped"), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let account = tx.accounts().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let points = tx.data_points().of_account(&owner, &id)?;
            let known = Known::of(points).map_err(Problem::system)?;
            let cursors = tx.page_cursors(&owner);
            let (_, change) =
                account.apply(AccountInput::DisableMonitor { known, cursors: &cursors }, context)?;
            Ok(IdempotentResponse::no_content(change).about(Subject::Account(id.clone())))
        })
        .await
}
