//! `DELETE /archives/{id}`: revokes an archive and erases its files and data.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::documents::archive::IllegalArchiveTransitionError;
use link_domain::tenancy::revoked_by::RevokedBy;
use link_domain::use_cases::revoke_archive;
use link_types::id::ArchiveId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Revokes an archive.
///
/// Its files and data are erased. The archive itself remains, with the status REVOKED.
#[utoipa::path(
    delete, path = "/archives/{id}", tag = "archives", operation_id = "revokeArchive",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 204, description = "The archive is revoked"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    app.store()
        .write(move |tx| -> ApiResult<_> {
            let archive = tx.archives().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let change =
                revoke_archive(archive, RevokedBy::Tenant, &mut context.clone()).map_err(|illegal| {
                    // Archives that are not submitted are invisible to the tenant.
                    let is_invisible = illegal == IllegalArchiveTransitionError::NotSubmitted;
                    if is_invisible { Problem::missing() } else { illegal.into() }
                })?;
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
