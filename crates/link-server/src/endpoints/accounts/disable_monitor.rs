//! `POST /accounts/{id}/disableMonitor`: stops continuous sync.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::account::AccountInput;
use link_types::id::AccountId;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
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
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    app.store()
        .write(move |tx| -> Answer<_> {
            let account = tx.account(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (_, change) = account.apply(AccountInput::DisableMonitor, &mut context.clone())?;
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
