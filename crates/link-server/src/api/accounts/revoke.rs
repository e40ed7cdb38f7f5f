//! `DELETE /accounts?id=` and `DELETE /accounts/{id}`: revokes an account and erases its data.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::tenancy::revoked_by::RevokedBy;
use link_domain::use_cases::revoke_account;
use link_types::id::AccountId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Query of `DELETE /accounts`. The id is required, so that no request revokes all accounts.
pub(super) struct RevokeAccountQuery {
    id: Option<AccountId>,
}

impl FromQuery for RevokeAccountQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self { id: query.required("id", "The account's id", "an account's id") }
    }
}

/// Revokes the account with this `id`.
///
/// The account's data is erased. The account itself remains, with the status DISCONNECTED.
#[utoipa::path(
    delete, path = "/accounts", tag = "accounts", operation_id = "revokeAccountByQuery",
    params(Query<RevokeAccountQuery>),
    responses((status = 204, description = "The account is revoked"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn by_query(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<RevokeAccountQuery>,
) -> ApiResult<StatusCode> {
    let id = query.id.ok_or_else(Problem::missing)?;
    revoke(&app, &caller, id).await
}

/// Revokes an account.
///
/// The account's data is erased. The account itself remains, with the status DISCONNECTED.
#[utoipa::path(
    delete, path = "/accounts/{id}", tag = "accounts", operation_id = "revokeAccount",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 204, description = "The account is revoked"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn by_path(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    revoke(&app, &caller, id).await
}

async fn revoke(app: &App, caller: &TenantCaller, id: AccountId) -> ApiResult<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    app.store()
        .write(move |tx| -> ApiResult<_> {
            let account = tx.accounts().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let change = revoke_account(account, RevokedBy::Tenant, &mut context.clone())?;
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
