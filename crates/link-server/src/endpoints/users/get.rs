//! `GET /users/{id}`: a user with a fresh link token.

use axum::Json;
use axum::extract::State;
use link_domain::change::{Change, Row};
use link_domain::link::LinkToken;
use link_domain::user::User;
use link_types::id::UserId;
use link_types::token::Token;
use link_types::user::UserWithToken;

use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::endpoints::quotas::room_for_a_token;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// A user, with a fresh link token. Of more than 100 that are neither used nor expired, the oldest goes.
#[utoipa::path(
    get, path = "/users/{id}", tag = "users", operation_id = "getUser",
    params(("id" = UserId, Path, description = "The user")),
    responses((status = 200, description = "The user", body = UserWithToken, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<UserId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Json<UserWithToken>> {
    let (owner, context, life) = (caller.owner().clone(), caller.context(), app.token_life());
    let user = app
        .store()
        .write(move |tx| -> Answer<_> {
            let user = tx.user(&owner, &id)?.ok_or_else(Problem::missing)?;
            room_for_a_token(tx, &user, context.now().tenant())?;
            let (issued, token) =
                LinkToken::issue(owner.clone(), user.id.clone(), life, &mut context.clone());
            tx.apply(&Change::row(Row::LinkToken(issued)), context.now())?;
            Ok(with_token(&user, token))
        })
        .await?;
    Ok(Json(user))
}

/// The user as the two answers that carry a token show it.
pub(super) fn with_token(user: &User, token: Token) -> UserWithToken {
    let view = user.view();
    UserWithToken {
        id: view.id,
        created_at: view.created_at,
        reference: view.reference,
        external_metadata: view.external_metadata,
        token,
    }
}
