//! `DELETE /alpha/forms/{id}`: erases a form submission.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::Change;
use link_types::id::FormId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Erases a form submission.
///
/// The answers are unreadable afterwards, also in backups once their day key is destroyed. Another request returns 404.
#[utoipa::path(
    delete, path = "/alpha/forms/{id}", tag = "forms", operation_id = "deleteForm",
    params(("id" = FormId, Path, description = "The submission's id")),
    responses((status = 204, description = "The form submission is erased"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<FormId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    app.store()
        .write(move |tx| -> ApiResult<_> {
            let form = tx.forms().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(&Change { erasures: vec![form.scope()], ..Change::default() }, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
