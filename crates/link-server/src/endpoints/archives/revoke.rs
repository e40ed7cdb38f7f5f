//! `DELETE /archives/{id}`: erases an archive's files and data.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::archive::{ArchiveInput, IllegalTransition};
use link_types::id::ArchiveId;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Revoke an archive: its files and data are erased, the archive stays as REVOKED.
#[utoipa::path(
    delete, path = "/archives/{id}", tag = "archives", operation_id = "revokeArchive",
    params(("id" = ArchiveId, Path, description = "The archive")),
    responses((status = 204, description = "Revoked"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    app.store()
        .write(move |tx| -> Answer<_> {
            let archive = tx.archive(&owner, &id)?.ok_or_else(Problem::missing)?;
            match archive.apply(ArchiveInput::Revoke, &mut context.clone()) {
                Ok((_, change)) => Ok(tx.apply(&change, context.now())?),
                // Revoking twice is revoking.
                Err(IllegalTransition::AlreadyRevoked) => Ok(()),
                // A tenant knows of submitted archives alone.
                Err(IllegalTransition::NotSubmitted) => Err(Problem::missing()),
                Err(error) => Err(error.into()),
            }
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
