//! `DELETE /link/handoff`: takes the step back from the phone.

use axum::Json;
use link_domain::linking::link::HandoffEnd;
use link_types::handoff::Handoff;

use super::state::state;
use crate::http::extract::computer_caller::ComputerCaller;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Takes the step back: the code no longer works, and a phone that used it has no access any more.
///
/// The response says whether the phone had already finished.
#[utoipa::path(
    delete, path = "/link/handoff", tag = "link", operation_id = "endHandoff",
    responses((status = 200, description = "The ended hand-off", body = Handoff, example = json!({
        "phase": {"ended": {}}, "picture": null
    })), refusals::Act),
    security(("session" = []))
)]
pub(super) async fn handler(
    caller: ComputerCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Handoff>> {
    let (id, now) = (caller.session().id.clone(), caller.now());
    let ended = caller
        .write(move |tx| -> ApiResult<_> {
            let handoff = tx.link_handoffs().get(&id)?.ok_or_else(Problem::missing)?;
            let (handoff, change) = handoff.end(HandoffEnd::TakenBack);
            tx.apply(&change, now)?;
            state(tx, &handoff, None, now)
        })
        .await?;
    Ok(Json(ended))
}
