//! `POST /link/events`: records UI events in batches.

use axum::http::StatusCode;
use link_domain::linking::link::{UiEventUses, UiEvents};
use link_domain::tenancy::quota::{Quota, QuotaExceededError};
use link_types::uploading::{TrapReport, UiEventBatch};

use crate::http::extract::body::Body;
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Records UI events of the widget.
///
/// An event that is already known, by its opening and number, is ignored. Returns 429 if the session's or the user's
/// quota of events is used up. The widget then drops the events.
#[utoipa::path(
    post, path = "/link/events", tag = "link", operation_id = "tellUiEvents",
    request_body(content = UiEventBatch, example = json!({
        "opening": "0192f0c1-a2b3-7c4d",
        "events": [{"seq": 0, "eventName": "ConsentPageOpened", "afterMs": 120}],
    })),
    responses((status = 204, description = "The events are recorded"), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(caller: SessionCaller, Body(batch): Body<UiEventBatch>) -> ApiResult<StatusCode> {
    let (session, now) = (caller.session().clone(), caller.now());
    let reported = UiEvents {
        owner: session.owner,
        user_id: session.user_id,
        template_id: session.template_id,
        attempt_id: session.attempt_id,
        opening: batch.opening,
        events: batch.events,
        trap: batch.trap,
        received_at: now.wall(),
    };
    if reported.is_empty() {
        return Ok(StatusCode::NO_CONTENT);
    }
    // A phone has a separate quota, for the same reason as a separate rate.
    let device = if caller.handoff().is_some() { "/phone" } else { "" };
    let counted = format!("{}{device}", session.id);
    let trap = caller
        .report(move |tx| -> ApiResult<Result<Option<TrapReport>, QuotaExceededError>> {
            let (owner, user) = (&reported.owner, &reported.user_id);
            let uses = UiEventUses {
                session: tx.quota_uses().get(owner, user, Quota::UiEventsOfSession, &counted)?,
                user: tx.quota_uses().get(owner, user, Quota::UiEventsOfUser, "")?,
                traps: tx.quota_uses().get(owner, user, Quota::Traps, "")?,
            };
            // Does not return an error: rolling the unit back would make the other units of its group run again.
            let (admitted, change) = match reported.clone().admit(uses) {
                Ok(admitted) => admitted,
                Err(exceeded) => return Ok(Err(exceeded)),
            };
            tx.apply(&change, now)?;
            Ok(Ok(admitted.trap))
        })
        .await??;
    if let Some(trap) = trap {
        tracing::warn!(build = trap.build, offsets = ?trap.offsets, "The widget's wasm trapped");
    }
    Ok(StatusCode::NO_CONTENT)
}
