//! `POST /link/events`: what happened on the screen, in batches.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::link::{UiEventUses, UiEvents};
use link_domain::quota::{Quota, QuotaExceeded};
use link_store::StoreError;
use link_types::uploading::{TrapReport, UiEventBatch};

use crate::app::App;
use crate::http::body::Body;
use crate::http::caller::SessionCaller;
use crate::http::problem::Answer;
use crate::http::refusals;

/// Tell what happened on the screen. An event that is known already, by its opening and number, changes nothing. A session
/// and a user have a quota of events; over it the answer is 429, and the widget leaves out what it would have sent.
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
    if told.is_empty() {
        return Ok(StatusCode::NO_CONTENT);
    }
    let session_id = session.id;
    let trap = app
        .store()
        .write(move |tx| -> Result<Result<Option<TrapReport>, QuotaExceeded>, StoreError> {
            let (owner, user) = (&told.owner, &told.user_id);
            let uses = UiEventUses {
                session: tx.quota_use(owner, user, Quota::UiEventsOfSession, session_id.as_str())?,
                user: tx.quota_use(owner, user, Quota::UiEventsOfUser, "")?,
                traps: tx.quota_use(owner, user, Quota::Traps, "")?,
            };
            // A refusal undoes nothing: an undone unit would cost its neighbours in the group a second run.
            let (told, change) = match told.clone().admit(uses) {
                Ok(admitted) => admitted,
                Err(exceeded) => return Ok(Err(exceeded)),
            };
            tx.apply(&change, now)?;
            Ok(Ok(told.trap))
        })
        .await??;
    if let Some(trap) = trap {
        tracing::warn!(build = trap.build, offsets = ?trap.offsets, "the widget's program trapped");
    }
    Ok(StatusCode::NO_CONTENT)
}
