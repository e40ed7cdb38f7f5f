//! `POST /link/handoff`: creates a code with which the person continues on their phone.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use link_domain::use_cases::{HandoffOffer, hand_off};
use link_types::handoff::{CreateHandoff, Handoff};

use super::code::picture;
use super::state::state;
use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::computer_caller::ComputerCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Creates a code with which the person continues one step on their phone.
///
/// The code works once, for 10 minutes. A later one of the same session replaces it, and ends the access of a phone that
/// used it. A session creates at most 10 codes.
#[utoipa::path(
    post, path = "/link/handoff", tag = "link", operation_id = "createHandoff",
    request_body(content = CreateHandoff, example = json!({"subject": {"upload": {"archiveType": "PAYSLIP"}}})),
    responses((status = 201, description = "The hand-off, with the code to scan", body = Handoff, example = json!({
        "phase": {"waiting": {"expiresInMs": 600_000}},
        "picture": "data:image/svg+xml;base64,PHN2Zz4="
    })), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: ComputerCaller,
    Body(body): Body<CreateHandoff>,
) -> ApiResult<(StatusCode, Json<Handoff>)> {
    if !app.settings().may_hand_off() {
        return Err(Problem::conflict("This service has no separate host for its pages."));
    }
    let (session, context) = (caller.session().clone(), caller.context());
    let hosted_url = app.settings().hosted_url.clone();
    let created = caller
        .write(move |tx| -> ApiResult<_> {
            let (owner, mut context) = (&session.owner, context.clone());
            let attempt = tx.link_attempts().get(&session.attempt_id)?.ok_or_else(Problem::missing)?;
            let account = match &attempt.account_id {
                Some(id) => tx.accounts().get(owner, id)?,
                None => None,
            };
            let template =
                tx.link_templates().get_to_cite(owner, &session.template_id)?.ok_or_else(Problem::missing)?;
            let offer = HandoffOffer {
                session: &session,
                account: account.as_ref(),
                template: &template,
                before: tx.link_handoffs().get(&session.id)?,
            };
            let (handoff, token, change) = hand_off(offer, body.subject, &mut context)?;
            tx.apply(&change, context.now())?;
            let picture = picture(&hosted_url, &session.template_id, &token)?;
            state(tx, &handoff, Some(picture), context.now())
        })
        .await?;
    Ok((StatusCode::CREATED, Json(created)))
}
