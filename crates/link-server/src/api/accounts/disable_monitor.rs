//! `POST /accounts/{id}/disableMonitor`: stops continuous sync.

use axum::extract::State;
use axum::response::Response;
use link_domain::data::data_point::Known;
use link_domain::kernel::source::Source;
use link_domain::linking::account::AccountInput;
use link_types::id::AccountId;

use crate::api::payload_links::EventLinks;
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
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
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    super::apply_once(caller, id, move |tx, account, context| {
        let known = Known::of(tx.data_points().of_account(&account.owner, &account.id)?);
        let source = Source::Account(account.id.clone());
        let links = EventLinks::of(&app, tx, (&account.owner, &source), context.now().wall())?;
        let input = AccountInput::DisableMonitor { known: known.map_err(Problem::system)?, links: &links };
        Ok(account.apply(input, context)?.1)
    })
    .await
}
