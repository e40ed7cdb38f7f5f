//! `/accounts`: the accounts that people linked.

mod consent;
mod disable_monitor;
mod enable_monitor;
mod export;
mod get;
mod list;
mod payload;
mod refresh;
mod revoke;

use axum::response::Response;
use link_domain::change::Change;
use link_domain::kernel::context::Context;
use link_domain::linking::account::Account;
use link_domain::notifications::event::Subject;
use link_store::Tx;
use link_types::id::AccountId;

use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::caller::TenantCaller;
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};

/// Returns the routes of accounts.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(list::handler, revoke::by_query))
        .routes(routes!(get::handler, revoke::by_path))
        .routes(routes!(payload::handler))
        .routes(routes!(consent::handler))
        .routes(routes!(disable_monitor::handler))
        .routes(routes!(enable_monitor::handler))
        .routes(routes!(refresh::handler))
        .routes(routes!(export::handler))
}

/// Applies a transition to an account, once for each idempotency key, and returns 204.
async fn apply_once(
    caller: TenantCaller,
    id: AccountId,
    transition: impl Fn(&mut Tx<'_>, Account, &mut Context) -> ApiResult<Change> + Send + 'static,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let account = tx.accounts().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let change = transition(tx, account, context)?;
            Ok(IdempotentResponse::no_content(change).about(Subject::Account(id.clone())))
        })
        .await
}
