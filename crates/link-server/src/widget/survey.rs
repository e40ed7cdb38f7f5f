//! `POST /link/survey`: records an employer or provider that the person could not find.

use axum::http::StatusCode;
use link_domain::tenancy::quota::Quota;
use link_domain::use_cases::answer_survey;
use link_types::problem::FaultCode;
use link_types::uploading::EmployerSurvey;

use crate::http::extract::body::Body;
use crate::http::extract::computer_caller::ComputerCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Records an employer or provider that the person could not find.
///
/// Returns 429 if the user's quota of answers is used up.
#[utoipa::path(
    post, path = "/link/survey", tag = "link", operation_id = "answerSurvey",
    request_body(content = EmployerSurvey, example = json!({"employer": "Agrícola Ficticia SPR", "searched": "agricola"})),
    responses((status = 204, description = "The answer is recorded"), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    caller: ComputerCaller,
    Body(answer): Body<EmployerSurvey>,
) -> ApiResult<StatusCode> {
    if answer.employer.trim().is_empty() {
        return Err(Problem::invalid_field("employer", FaultCode::Missing, "required"));
    }
    let (session, context) = (caller.session().clone(), caller.context());
    caller
        .write(move |tx| -> ApiResult<_> {
            let used = tx.quota_uses().get(&session.owner, &session.user_id, Quota::Surveys, "")?;
            let change = answer_survey(&session, answer.clone(), used, &mut context.clone())?;
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
