//! `POST /accounts/{id}/refresh`: reads an account again now.

use axum::http::StatusCode;
use axum::response::Response;
use link_domain::linking::account::AccountInput;
use link_domain::notifications::event::Subject;
use link_types::id::AccountId;
use link_types::task::Task;

use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Reads an account in continuous sync again now.
///
/// Returns the task that reports the reading: the one in progress, if there is one. A reading that failed and waits
/// for another try is tried now. At most one request an hour starts a reading or a try; others return 429. An account
/// whose `monitorStatus` is not ACTIVE returns 409.
#[utoipa::path(
    post, path = "/accounts/{id}/refresh", tag = "accounts", operation_id = "refreshAccount",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 202, description = "The task that reports the reading", body = Task, example = json!(shown(include_str!("refresh.json")))), refusals::Write),
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
            let (account, change) = account.apply(AccountInput::Refresh, context)?;
            let task = account.running_task().ok_or_else(|| Problem::system("No reading was started"))?;
            let response = IdempotentResponse::new(StatusCode::ACCEPTED, &task.view(), change)?;
            Ok(response.about(Subject::Account(id.clone())))
        })
        .await
}
