//! `POST /tokens`: creates a link token for a user.

use axum::extract::State;
use axum::response::Response;
use link_domain::change::{Change, Row};
use link_domain::kernel::subject::Subject;
use link_domain::linking::link::LinkToken;
use link_types::id::UserId;
use link_types::link::Token;

use crate::api::resource_limits::room_for_a_token;
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::parse_example;
use crate::openapi::refusals;

/// Returns the routes of tokens.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(handler => LinkTokenCreated))
}

/// Query of a new link token.
struct CreateTokenQuery {
    user_id: Option<UserId>,
}

impl FromQuery for CreateTokenQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self { user_id: query.take_required("userId", "The user's id", "a user's id") }
    }
}

/// Creates a link token for a user.
///
/// A user can have 100 tokens that are neither used nor expired. Creating another deletes the oldest one.
#[utoipa::path(
    post, path = "/tokens", tag = "tokens", operation_id = "createToken",
    params(Query<CreateTokenQuery>),
    responses((status = 201, description = "The created link token", body = Token, example = json!(parse_example(include_str!("create.json")))), refusals::Act),
    security(("apiKey" = []))
)]
async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<CreateTokenQuery>,
) -> ApiResult<Response> {
    let user_id = query.user_id.ok_or_else(Problem::missing)?;
    let (owner, life) = (caller.owner().clone(), app.settings.token_life());
    caller
        .once(move |tx, context| {
            let user = tx.users().get(&owner, &user_id)?.ok_or_else(Problem::missing)?;
            room_for_a_token(tx, &user, context.now().tenant())?;
            let (issued, token) = LinkToken::issue(owner.clone(), user.id.clone(), life, context);
            let ends = issued.expires_at;
            let effect = IdempotentResponse::for_created(&token, Change::row(Row::LinkToken(issued)))?;
            Ok(effect.about(Subject::User(user.id)).secret_until(ends))
        })
        .await
}
