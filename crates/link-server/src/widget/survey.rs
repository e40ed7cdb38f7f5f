//! `POST /link/survey`: records an employer or provider that the person could not find.

use axum::http::StatusCode;
use link_domain::change::{Change, Row};
use link_domain::link::Survey;
use link_domain::quota::Quota;
use link_types::problem::FaultCode;
use link_types::uploading::EmployerSurvey;

use crate::http::extract::body::Body;
use crate::http::extract::caller::SessionCaller;
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
    caller: SessionCaller,
    Body(answer): Body<EmployerSurvey>,
) -> ApiResult<StatusCode> {
    if answer.employer.trim().is_empty() {
        return Err(Problem::invalid_field("employer", FaultCode::Missing, "required"));
    }
    let (session, mut context) = (caller.session().clone(), caller.context());
    let survey = Survey {
        id: context.uuid_hex(),
        owner: session.owner,
        user_id: session.user_id,
        template_id: session.template_id,
        answer,
        received_at: context.now().wall(),
    };
    caller
        .write(move |tx| -> ApiResult<_> {
            let now = context.now();
            let used = tx.quota_uses().get(&survey.owner, &survey.user_id, Quota::Surveys, "")?;
            let used = Change::row(Row::QuotaUse(used.charge(1, now.wall())?));
            Ok(tx.apply(&used.then(Change::row(Row::Survey(survey.clone()))), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
