//! `GET /link/session`: returns the session's current state.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use link_types::link::LinkSession;

use super::view::Reading;
use crate::app::App;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves the session's current state.
///
/// It contains what the widget needs to continue after a reload: the texts, the consent and the attempt with its
/// progress. Durations are relative, because the widget's clock may be wrong.
#[utoipa::path(
    get, path = "/link/session", tag = "link", operation_id = "getSession",
    responses((status = 200, description = "The session", body = LinkSession, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<LinkSession>> {
    let (session, attempt, now) = (caller.session().clone(), caller.attempt().clone(), caller.now());
    let (handoff, may_hand_off) = (caller.handoff().cloned(), app.settings().may_hand_off());
    let (languages, source) = (caller.languages().clone(), Arc::clone(app.source(caller.owner().mode)));
    let view = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let reading = Reading { may_hand_off, languages: &languages, source: source.as_ref() };
            let view = super::view::view(reader, &session, &attempt, (now, &reading))?;
            Ok(match &handoff {
                Some(handoff) => handoff.on_phone(view),
                None => view,
            })
        })
        .await?;
    Ok(Json(view))
}
