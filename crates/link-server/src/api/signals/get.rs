//! `GET` of a signal.

use axum::Json;
use axum::response::{IntoResponse as _, Response};
use link_types::signal::{SignalId, SignalKind};

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::problem::{ApiResult, Problem};

/// Returns a signal of this kind.
///
/// # Errors
/// 404 if it does not exist or is of another kind.
pub(super) async fn get(
    app: &App,
    caller: &TenantCaller,
    kind: SignalKind,
    id: SignalId,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let found =
        app.store().read(move |reader| -> ApiResult<_> { Ok(reader.signals().get(&owner, &id)?) }).await?;
    let signal = found.filter(|signal| signal.kind() == kind).ok_or_else(Problem::missing)?;
    Ok(Json(signal.view()).into_response())
}
