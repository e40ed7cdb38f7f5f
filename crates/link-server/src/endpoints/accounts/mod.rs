//! `/accounts`: what people linked.

mod consent;
mod disable_monitor;
mod enable_monitor;
mod export;
mod get;
mod list;
mod payload;
mod revoke;

use axum::response::Response;
use link_domain::account::AccountInput;
use link_domain::event::Subject;
use link_types::id::AccountId;

use crate::http::caller::TenantCaller;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::idempotency::Effect;
use crate::http::problem::{Answer, Problem};

/// The routes of accounts.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(list::handler, revoke::by_query))
        .routes(routes!(get::handler, revoke::by_path))
        .routes(routes!(payload::handler))
        .routes(routes!(consent::handler))
        .routes(routes!(disable_monitor::handler))
        .routes(routes!(enable_monitor::handler))
        .routes(routes!(export::handler))
}

/// Tells an account what its tenant asks of it, once for each idempotency key, and answers 204.
async fn tell(
    caller: TenantCaller,
    id: AccountId,
    input: impl Fn() -> AccountInput<'static> + Send + 'static,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let account = tx.account(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (_, change) = account.apply(input(), context)?;
            Ok(Effect::no_content(change).about(Subject::Account(id.clone())))
        })
        .await
}
