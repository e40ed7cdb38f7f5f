//! `POST /link/accounts/{id}/answer`: answers the provider's challenge.

use axum::Json;
use link_domain::account::{self, AccountInput};
use link_types::challenge::{AnswerChallenge, ChallengeAnswer};
use link_types::id::AccountId;
use link_types::link::AccountProgress;

use super::{apply, sealed};
use crate::http::body::Body;
use crate::http::caller::SessionCaller;
use crate::http::problem::Answer;
use crate::http::query::PathId;
use crate::http::refusals;

/// Answer the challenge. What is typed comes sealed; the answer to a choice is no secret.
#[utoipa::path(
    post, path = "/link/accounts/{id}/answer", tag = "link", operation_id = "answerChallenge",
    request_body(content = AnswerChallenge, example = json!({"challengeId": "ch-0192f0c1a2b37c4d8e5f60718293a4b5", "answer": {"choice": {"value": "bahia"}}})),
    params(("id" = AccountId, Path, description = "The account")),
    responses((status = 200, description = "The account under way", body = AccountProgress), refusals::Write),
    security(("session" = []))
)]
pub(in super::super) async fn handler(
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Body(body): Body<AnswerChallenge>,
) -> Answer<Json<AccountProgress>> {
    let answer = match body.answer {
        ChallengeAnswer::Text { sealed: text } => {
            account::Answer::Text(sealed(&text, caller.session(), "answer.text.sealed")?)
        }
        ChallengeAnswer::Choice { value } => account::Answer::Choice(value),
    };
    let input =
        move || AccountInput::Answer { challenge_id: body.challenge_id.clone(), answer: answer.clone() };
    apply(&caller, id, input).await
}
