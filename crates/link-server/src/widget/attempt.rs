//! `PUT /link/attempt`: saves the person's choices, so that they are not asked again after a reload.

use axum::http::StatusCode;
use link_domain::change::{Change, Row};
use link_domain::linking::link::{TakenOverError, Work};
use link_types::uploading::ResumePoint;

use crate::http::extract::body::Body;
use crate::http::extract::computer_caller::ComputerCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Saves the person's choices so far.
///
/// The session returns them as `attempt.place`.
#[utoipa::path(
    put, path = "/link/attempt", tag = "link", operation_id = "putAttempt",
    request_body(content = ResumePoint, example = json!({"providerId": "mx_social_security", "loginOption": "username"})),
    responses((status = 204, description = "The choices are saved"), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(caller: ComputerCaller, Body(place): Body<ResumePoint>) -> ApiResult<StatusCode> {
    let (session, now) = (caller.session().clone(), caller.now());
    caller
        .write(move |tx| -> ApiResult<_> {
            let attempt = tx.link_attempts().get(&session.attempt_id)?.ok_or_else(Problem::missing)?;
            let taken_over =
                |TakenOverError| Problem::conflict("Another session has taken over this attempt.");
            let account = match &attempt.account_id {
                Some(id) => tx.accounts().get(&attempt.owner, id)?,
                None => None,
            };
            let work = Work::of(account.as_ref(), &[]);
            let attempt = attempt.at(place.clone(), &session, work).map_err(taken_over)?;
            Ok(tx.apply(&Change::row(Row::Attempt(attempt)), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
