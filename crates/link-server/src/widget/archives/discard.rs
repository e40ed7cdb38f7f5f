//! `DELETE /link/archives/{id}`: discards an archive that was not submitted.

use axum::http::StatusCode;
use link_domain::documents::archive::ArchiveInput;
use link_types::id::ArchiveId;

use super::own::apply;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Discards an archive that was not submitted.
///
/// The archive and its files are deleted without a trace.
#[utoipa::path(
    delete, path = "/link/archives/{id}", tag = "link", operation_id = "discardLinkArchive",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 204, description = "The archive is deleted"), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    caller: SessionCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    apply(&caller, id, || ArchiveInput::Discard).await?;
    Ok(StatusCode::NO_CONTENT)
}
