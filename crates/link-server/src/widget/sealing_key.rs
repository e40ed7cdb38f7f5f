//! `GET /link/sealingKey`: returns the public key of the session.

use axum::Json;
use axum::extract::State;
use link_domain::kernel::sealing::SessionKey;
use link_store::Label;
use link_types::sealing::SealingKey;

use crate::app::App;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves the session's public key.
///
/// The service accepts credentials and typed answers only if they are encrypted to this key.
#[utoipa::path(
    get, path = "/link/sealingKey", tag = "link", operation_id = "getSealingKey",
    responses((status = 200, description = "The key", body = SealingKey, example = json!(shown(include_str!("sealing_key.json")))), refusals::Read),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<SealingKey>> {
    let root = app.store().read(|reader| -> ApiResult<_> { Ok(reader.derived_key(Label::Sessions)) }).await?;
    Ok(Json(SessionKey::derive(&root, &caller.session().id).published()))
}
