//! `GET /link/sealingKey`: what the widget seals to in this session.

use axum::Json;
use axum::extract::State;
use link_domain::sealing::SessionKey;
use link_store::Label;
use link_types::sealing::SealingKey;

use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::http::caller::SessionCaller;
use crate::http::problem::Answer;
use crate::http::query::{NoQuery, Query};
use crate::http::refusals;

/// The session's public key. Credentials and answers are accepted only sealed to it.
#[utoipa::path(
    get, path = "/link/sealingKey", tag = "link", operation_id = "getSealingKey",
    responses((status = 200, description = "The key", body = SealingKey, example = json!(shown(include_str!("sealing_key.json")))), refusals::Read),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Json<SealingKey>> {
    let root = app.store().read(|reader| -> Answer<_> { Ok(reader.derived_key(Label::Sessions)) }).await?;
    Ok(Json(SessionKey::derive(&root, &caller.session().id).published()))
}
