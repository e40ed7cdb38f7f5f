//! `DELETE` of a signal.

use axum::http::StatusCode;
use link_types::signal::{SignalId, SignalKind};

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::problem::{ApiResult, Problem};

/// Erases a signal of this kind.
///
/// # Errors
/// 404 if it does not exist or is of another kind.
pub(super) async fn erase(
    app: &App,
    caller: &TenantCaller,
    kind: SignalKind,
    id: SignalId,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    app.store()
        .write(move |tx| -> ApiResult<_> {
            let found = tx.signals().get(&owner, &id)?.filter(|signal| signal.kind() == kind);
            let signal = found.ok_or_else(Problem::missing)?;
            Ok(tx.apply(&signal.erase(), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
