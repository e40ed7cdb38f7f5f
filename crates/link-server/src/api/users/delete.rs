//! `DELETE /users/{id}`: erases a user and all of the user's data.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::tenancy::user::ERASED_AT_ONCE;
use link_types::id::UserId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Erases a user and all of the user's data.
///
/// This includes accounts, archives, invitations, forms, tasks, tokens and sessions. Active accounts and archives are
/// revoked first, which emits their events. If a user has more than 20 resources, a background job erases the remaining
/// ones shortly afterwards.
#[utoipa::path(
    delete, path = "/users/{id}", tag = "users", operation_id = "deleteUser",
    params(("id" = UserId, Path, description = "The user's id")),
    responses((status = 204, description = "The user is erased"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<UserId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    app.store()
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let user = tx.users().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let user_data = tx.users().data(&owner, &id, ERASED_AT_ONCE)?;
            let change = user.erase(user_data, &mut context);
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
