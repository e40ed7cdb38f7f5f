//! `POST /tokens`: a fresh link token for a user.

use axum::extract::State;
use axum::response::Response;
use link_domain::change::{Change, Row};
use link_domain::event::Subject;
use link_domain::link::LinkToken;
use link_types::id::UserId;
use link_types::token::Token;

use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::endpoints::quotas::room_for_a_token;
use crate::http::caller::TenantCaller;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::idempotency::Effect;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{FromQuery, Query, QueryFields};
use crate::http::refusals;

/// The routes of tokens.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(handler))
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

/// Make a fresh link token for a user. Of more than 100 that are neither used nor expired, the oldest goes.
#[utoipa::path(
    post, path = "/tokens", tag = "tokens", operation_id = "createToken",
    params(("userId" = UserId, Query, description = "The user")),
    responses((status = 201, description = "A fresh token", body = Token, example = json!(shown(include_str!("create.json")))), refusals::Act),
    security(("apiKey" = []))
)]
async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(wanted): Query<Wanted>,
) -> Answer<Response> {
    let user_id = wanted.user_id.ok_or_else(Problem::missing)?;
    let (owner, life) = (caller.owner().clone(), app.token_life());
    caller
        .once(move |tx, context| {
            let user = tx.user(&owner, &user_id)?.ok_or_else(Problem::missing)?;
            room_for_a_token(tx, &user, context.now().tenant())?;
            let (issued, token) = LinkToken::issue(owner.clone(), user.id.clone(), life, context);
            let ends = issued.expires_at;
            let effect = Effect::created(&token, Change::row(Row::LinkToken(issued)))?;
            Ok(effect.about(Subject::User(user.id)).secret_until(ends))
        })
        .await
}
