//! `GET /accounts/{id}`: returns one account.

use axum::Json;
use axum::extract::State;
use link_types::account::Account;
use link_types::id::AccountId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves an account.
///
/// A disconnected account remains until its user is erased. `connection.endReason` says whether it was revoked or has
/// expired.
#[utoipa::path(
    get, path = "/accounts/{id}", tag = "accounts", operation_id = "getAccount",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 200, description = "The account", body = Account, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Account>> {
    let owner = caller.owner().clone();
    let account = app
        .store()
        .read(move |reader| -> ApiResult<_> { Ok(reader.accounts().summary(&owner, &id)?) })
        .await?;
    account.map(|it| Json(it.view())).ok_or_else(Problem::missing)
}
