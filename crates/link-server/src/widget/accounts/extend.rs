//! `POST /link/accounts/{id}/extend`: extends the time of a challenge.

use axum::Json;
use link_domain::linking::account::AccountInput;
use link_types::challenge::ExtendChallenge;
use link_types::id::AccountId;
use link_types::link::AccountProgress;

use super::own::apply;
use crate::http::extract::body::Body;
use crate::http::extract::path::PathId;
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Extends the time of a challenge.
///
/// The challenge's full time starts again now.
#[utoipa::path(
    post, path = "/link/accounts/{id}/extend", tag = "link", operation_id = "extendChallenge",
    request_body(content = ExtendChallenge, example = json!({"challengeId": "ch-0192f0c1a2b37c4d8e5f60718293a4b5"})),
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 200, description = "The account's progress", body = AccountProgress), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Body(body): Body<ExtendChallenge>,
) -> ApiResult<Json<AccountProgress>> {
    let input = move || AccountInput::Extend { challenge_id: body.challenge_id.clone() };
    apply(&caller, id, input).await
}
