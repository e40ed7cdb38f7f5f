//! `GET /users/{id}`: returns a user with a new link token.

use axum::Json;
use axum::extract::State;
use link_domain::change::{Change, Row};
use link_domain::linking::link::LinkToken;
use link_domain::tenancy::user::User;
use link_types::id::UserId;
use link_types::token::Token;
use link_types::user::UserWithToken;

use crate::api::resource_limits::room_for_a_token;
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves a user with a new link token.
///
/// A user can have 100 tokens that are neither used nor expired. Creating another deletes the oldest one.
#[utoipa::path(
    get, path = "/users/{id}", tag = "users", operation_id = "getUser",
    params(("id" = UserId, Path, description = "The user's id")),
    responses((status = 200, description = "The user", body = UserWithToken, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<UserId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<UserWithToken>> {
    let (owner, context, life) = (caller.owner().clone(), caller.context(), app.token_life());
    let user = app
        .store()
        .write(move |tx| -> ApiResult<_> {
            let user = tx.users().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            room_for_a_token(tx, &user, context.now().tenant())?;
            let (issued, token) =
                LinkToken::issue(owner.clone(), user.id.clone(), life, &mut context.clone());
            tx.apply(&Change::row(Row::LinkToken(issued)), context.now())?;
            Ok(with_token(&user, token))
        })
        .await?;
    Ok(Json(user))
}

/// Returns a user as shown in the two responses that contain a token.
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
