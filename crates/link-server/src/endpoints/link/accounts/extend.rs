//! `POST /link/accounts/{id}/extend`: more time for a challenge.

use axum::Json;
use link_domain::account::AccountInput;
use link_types::challenge::ExtendChallenge;
use link_types::id::AccountId;
use link_types::link::AccountProgress;

use super::apply;
use crate::http::body::Body;
use crate::http::caller::SessionCaller;
use crate::http::problem::Answer;
use crate::http::query::PathId;
use crate::http::refusals;

/// Have more time for the challenge: as much as it had at first, from now on.
#[utoipa::path(
    post, path = "/link/accounts/{id}/extend", tag = "link", operation_id = "extendChallenge",
    request_body(content = ExtendChallenge, example = json!({"challengeId": "ch-0192f0c1a2b37c4d8e5f60718293a4b5"})),
    params(("id" = AccountId, Path, description = "The account")),
    responses((status = 200, description = "The account under way", body = AccountProgress), refusals::Write),
    security(("session" = []))
)]
pub(in super::super) async fn handler(
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Body(body): Body<ExtendChallenge>,
) -> Answer<Json<AccountProgress>> {
    let input = move || AccountInput::Extend { challenge_id: body.challenge_id.clone() };
    apply(&caller, id, input).await
}
