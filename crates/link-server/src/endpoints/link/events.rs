//! `POST /link/events`: what happened on the screen, in batches.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::{Change, Row};
use link_domain::link::UiEvents;
use link_types::uploading::UiEventBatch;

use crate::app::App;
use crate::http::body::Body;
use crate::http::caller::SessionCaller;
use crate::http::problem::Answer;
use crate::http::refusals;

/// Tell what happened on the screen. An event that is known already, by its opening and number, changes nothing.
#[utoipa::path(
    post, path = "/link/events", tag = "link", operation_id = "tellUiEvents",
    request_body(content = UiEventBatch, example = json!({
        "opening": "0192f0c1-a2b3-7c4d",
        "events": [{"seq": 0, "eventName": "ConsentPageOpened", "afterMs": 120}],
    })),
    responses((status = 204, description = "Noted"), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    Body(batch): Body<UiEventBatch>,
) -> Answer<StatusCode> {
    let (session, now) = (caller.session().clone(), caller.now());
    if let Some(trap) = &batch.trap {
        tracing::warn!(build = trap.build, offsets = ?trap.offsets, "the widget's program trapped");
    }
    let told = UiEvents {
        owner: session.owner,
        user_id: session.user_id,
        template_id: session.template_id,
        attempt_id: session.attempt_id,
        opening: batch.opening,
        events: batch.events,
        trap: batch.trap,
        received_at: now.wall(),
    };
    let change = Change::row(Row::UiEvents(told));
    app.store().write(move |tx| -> Answer<_> { Ok(tx.apply(&change, now)?) }).await?;
    Ok(StatusCode::NO_CONTENT)
}
