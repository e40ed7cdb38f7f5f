//! `GET /link/accounts/{id}`: returns the progress of linking an account. Supports long polling.

use axum::Json;
use axum::extract::State;
use link_store::Watched;
use link_types::id::AccountId;
use link_types::link::AccountProgress;

use super::own::own;
use crate::app::App;
use crate::http::extract::path::PathId;
use crate::http::extract::query::Query;
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;
use crate::openapi::shown;
use crate::widget::news::Wait;

/// Retrieves the progress of linking an account.
///
/// With `after` and `wait`, the response waits for a later version.
#[utoipa::path(
    get, path = "/link/accounts/{id}", tag = "link", operation_id = "getLinkAccount",
    params(
        ("id" = AccountId, Path, description = "The account's id"),
        Query<Wait>,
    ),
    responses((status = 200, description = "The account's progress", body = AccountProgress, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Query(wait): Query<Wait>,
) -> ApiResult<Json<AccountProgress>> {
    let about = Watched::Account(id.clone());
    wait.news(&app, &caller, about, |it: &AccountProgress| it.version, || current(&caller, &id)).await
}

async fn current(caller: &SessionCaller, id: &AccountId) -> ApiResult<AccountProgress> {
    let (owner, reach, id, now) = (caller.owner().clone(), caller.reach(), id.clone(), caller.now());
    let progress = caller
        .read(move |reader| -> ApiResult<_> {
            Ok(own(reader.accounts().get(&owner, &id)?, &reach)?.progress(now))
        })
        .await?;
    Ok(caller.worded_progress(progress))
}
