//! `DELETE /users/{id}`: erases a user with everything of theirs.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::user::ERASED_AT_ONCE;
use link_types::id::UserId;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Erase a user: accounts, archives, invitations, forms, tasks, tokens and sessions. Live accounts and archives are
/// revoked, with their events; nothing stays that could be asked for. Of a user with very many things the rest follows
/// within moments.
#[utoipa::path(
    delete, path = "/users/{id}", tag = "users", operation_id = "deleteUser",
    params(("id" = UserId, Path, description = "The user")),
    responses((status = 204, description = "Erased"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<UserId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    app.store()
        .write(move |tx| -> Answer<_> {
            let mut context = context.clone();
            let user = tx.user(&owner, &id)?.ok_or_else(Problem::missing)?;
            let belongings = tx.belongings_of(&owner, &id, ERASED_AT_ONCE)?;
            let change = user.erase(belongings, &mut context);
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
