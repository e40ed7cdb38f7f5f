//! `POST /link/accounts/{id}/answer`: submits the answer to a provider's challenge.

use axum::Json;
use link_domain::linking::account::{self, AccountInput, Link};
use link_types::challenge::{AnswerChallenge, ChallengeAnswer};
use link_types::id::AccountId;
use link_types::link::AccountProgress;

use super::own::{own, sealed};
use crate::http::extract::body::Body;
use crate::http::extract::path::PathId;
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;
use crate::widget::guesses;

/// Submits the answer to a challenge.
///
/// Text must be encrypted to the session's key. A choice is not secret and is sent as is.
#[utoipa::path(
    post, path = "/link/accounts/{id}/answer", tag = "link", operation_id = "answerChallenge",
    request_body(content = AnswerChallenge, example = json!({"challengeId": "ch-0192f0c1a2b37c4d8e5f60718293a4b5", "answer": {"choice": {"value": "bahia"}}})),
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 200, description = "The account's progress", body = AccountProgress), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Body(body): Body<AnswerChallenge>,
) -> ApiResult<Json<AccountProgress>> {
    let answer = match &body.answer {
        ChallengeAnswer::Text { sealed: text } => {
            account::Answer::Text(sealed(text, caller.session(), "answer.text.sealed")?)
        }
        ChallengeAnswer::Choice { value } => account::Answer::Choice(value.clone()),
    };
    let (owner, reach, context) = (caller.owner().clone(), caller.reach(), caller.context());
    let user = caller.session().user_id.clone();
    let progress = caller
        .write(move |tx| -> ApiResult<_> {
            let account = own(tx.accounts().get(&owner, &id)?, &reach)?;
            let tries = match account.login_hash {
                Some(hash) => {
                    let user_tries = tx.login_tries().get(&owner, &user, &account.provider_id, hash)?;
                    let tried = account.link().and_then(Link::tried);
                    Some(guesses::charged(tx, user_tries, tried)?)
                }
                None => None,
            };
            let input = AccountInput::Answer {
                challenge_id: body.challenge_id.clone(),
                answer: answer.clone(),
                tries,
            };
            let (account, change) = account.apply(input, &mut context.clone())?;
            tx.apply(&change, context.now())?;
            Ok(account.progress(context.now()))
        })
        .await?;
    Ok(Json(caller.worded_progress(progress)))
}
