//! `POST /tokens`: a fresh link token for a user.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::{Change, Row};
use link_domain::link::LinkToken;
use link_types::id::UserId;
use link_types::token::Token;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{FromQuery, Query, QueryFields};
use crate::http::refusals;

/// The routes of tokens.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(handler))
}

/// Whose token.
struct Wanted {
    user_id: Option<UserId>,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self { user_id: query.required("userId", "a user's id") }
    }
}

/// Make a fresh link token for a user.
#[utoipa::path(
    post, path = "/tokens", tag = "tokens", operation_id = "createToken",
    params(("userId" = UserId, Query, description = "The user")),
    responses((status = 201, description = "A fresh token", body = Token), refusals::Read),
    security(("apiKey" = []))
)]
async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(wanted): Query<Wanted>,
) -> Answer<(StatusCode, Json<Token>)> {
    let user_id = wanted.user_id.ok_or_else(Problem::missing)?;
    let (owner, context, life) = (caller.owner().clone(), caller.context(), app.token_life());
    let token = app
        .store()
        .write(move |tx| -> Answer<_> {
            let user = tx.user(&owner, &user_id)?.ok_or_else(Problem::missing)?;
            let (issued, token) = LinkToken::issue(owner.clone(), user.id, life, &mut context.clone());
            tx.apply(&Change::row(Row::LinkToken(issued)), context.now())?;
            Ok(token)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(token)))
}
