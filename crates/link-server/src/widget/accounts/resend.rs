//! `POST /link/accounts/{id}/resend`: requests another code.

use axum::Json;
use link_domain::account::AccountInput;
use link_domain::quota::Quota;
use link_types::challenge::ResendChallenge;
use link_types::id::AccountId;
use link_types::link::AccountProgress;

use super::own::apply_within;
use crate::http::extract::body::Body;
use crate::http::extract::caller::SessionCaller;
use crate::http::extract::query::PathId;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Requests another code for a challenge.
///
/// Returns 429 if the user's quota of codes is used up.
#[utoipa::path(
    post, path = "/link/accounts/{id}/resend", tag = "link", operation_id = "resendChallenge",
    request_body(content = ResendChallenge, example = json!({"challengeId": "ch-0192f0c1a2b37c4d8e5f60718293a4b5", "channel": "SMS"})),
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 200, description = "The account's progress", body = AccountProgress), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Body(body): Body<ResendChallenge>,
) -> ApiResult<Json<AccountProgress>> {
    let input =
        move || AccountInput::Resend { challenge_id: body.challenge_id.clone(), channel: body.channel };
    apply_within(&caller, id, Some(Quota::Resends), input).await
}
