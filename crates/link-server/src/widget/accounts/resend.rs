//! `POST /link/accounts/{id}/resend`: requests another code.

use axum::Json;
use link_domain::tenancy::quota::Quota;
use link_domain::use_cases::resend_code;
use link_types::challenge::ResendChallenge;
use link_types::id::AccountId;
use link_types::link::AccountProgress;

use super::own::own;
use crate::http::extract::body::Body;
use crate::http::extract::path::PathId;
use crate::http::extract::session_caller::SessionCaller;
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
    let (owner, reach, context) = (caller.owner().clone(), caller.reach(), caller.context());
    let user = caller.session().user_id.clone();
    let progress = caller
        .write(move |tx| -> ApiResult<_> {
            let account = own(tx.accounts().get(&owner, &id)?, &reach)?;
            let used = tx.quota_uses().get(&owner, &user, Quota::Resends, "")?;
            let requested = (body.challenge_id.clone(), body.channel);
            let (account, change) = resend_code(account, requested, used, &mut context.clone())?;
            tx.apply(&change, context.now())?;
            Ok(account.progress(context.now()))
        })
        .await?;
    Ok(Json(caller.worded_progress(progress)))
}
