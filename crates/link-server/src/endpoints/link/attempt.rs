//! `PUT /link/attempt`: where the person is, so that a reload asks nothing twice.

use axum::http::StatusCode;
use link_domain::change::{Change, Row};
use link_types::uploading::AttemptPlace;

use crate::http::body::Body;
use crate::http::caller::SessionCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::refusals;

/// Remember where the person is. It is given back with the session, as `attempt.place`.
#[utoipa::path(
    put, path = "/link/attempt", tag = "link", operation_id = "putAttempt",
    request_body(content = AttemptPlace, example = json!({"providerId": "mx_social_security", "loginOption": "username"})),
    responses((status = 204, description = "Remembered"), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(caller: SessionCaller, Body(place): Body<AttemptPlace>) -> Answer<StatusCode> {
    let (session, now) = (caller.session().clone(), caller.now());
    caller
        .write(move |tx| -> Answer<_> {
            let attempt = tx.link_attempt(&session.attempt_id)?.ok_or_else(Problem::missing)?;
            if attempt.session_id != session.id {
                return Err(Problem::conflict("Another session works on this attempt now."));
            }
            Ok(tx.apply(&Change::row(Row::Attempt(attempt.at(place.clone()))), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
