//! `DELETE /accounts?id=` and `DELETE /accounts/{id}`: revokes access and removes the data.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::account::AccountInput;
use link_types::id::AccountId;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{FromQuery, NoQuery, PathId, Query, QueryFields};
use crate::http::refusals;

/// Which account to revoke. Without an id nothing is: there is no mass deletion.
pub(super) struct Wanted {
    id: Option<AccountId>,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self { id: query.required("id", "an account's id") }
    }
}

/// Revoke an account: its data is removed, the account stays as DISCONNECTED.
#[utoipa::path(
    delete, path = "/accounts", tag = "accounts", operation_id = "revokeAccountByQuery",
    params(("id" = AccountId, Query, description = "The account")),
    responses((status = 204, description = "Revoked"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn by_query(
    State(app): State<App>,
    caller: TenantCaller,
    Query(wanted): Query<Wanted>,
) -> Answer<StatusCode> {
    let id = wanted.id.ok_or_else(Problem::missing)?;
    revoke(&app, &caller, id).await
}

/// Revoke an account: its data is removed, the account stays as DISCONNECTED.
#[utoipa::path(
    delete, path = "/accounts/{id}", tag = "accounts", operation_id = "revokeAccount",
    params(("id" = AccountId, Path, description = "The account")),
    responses((status = 204, description = "Revoked"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn by_path(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<StatusCode> {
    revoke(&app, &caller, id).await
}

async fn revoke(app: &App, caller: &TenantCaller, id: AccountId) -> Answer<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    app.store()
        .write(move |tx| -> Answer<_> {
            let account = tx.account(&owner, &id)?.ok_or_else(Problem::missing)?;
            match account.apply(AccountInput::Revoke, &mut context.clone()) {
                Ok((_, change)) => Ok(tx.apply(&change, context.now())?),
                // Revoking twice is revoking.
                Err(link_domain::account::IllegalTransition::AlreadyDisconnected) => Ok(()),
                Err(error) => Err(error.into()),
            }
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
