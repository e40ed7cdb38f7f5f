//! `DELETE /link/accounts/{id}`: the person revokes access.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::account::{AccountInput, IllegalTransition};
use link_types::id::AccountId;

use super::own;
use crate::app::App;
use crate::http::caller::SessionCaller;
use crate::http::problem::Answer;
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Revoke access: the account's data is removed.
#[utoipa::path(
    delete, path = "/link/accounts/{id}", tag = "link", operation_id = "revokeLinkAccount",
    params(("id" = AccountId, Path, description = "The account")),
    responses((status = 204, description = "Revoked"), refusals::Read),
    security(("session" = []))
)]
pub(in super::super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<StatusCode> {
    let (owner, user, context) = (caller.owner().clone(), caller.session().user_id.clone(), caller.context());
    app.store()
        .write(move |tx| -> Answer<_> {
            let account = own(tx.account(&owner, &id)?, &user)?;
            match account.apply(AccountInput::Revoke, &mut context.clone()) {
                Ok((_, change)) => Ok(tx.apply(&change, context.now())?),
                Err(IllegalTransition::AlreadyDisconnected) => Ok(()),
                Err(error) => Err(error.into()),
            }
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
