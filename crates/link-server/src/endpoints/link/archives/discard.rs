//! `DELETE /link/archives/{id}`: the person takes back what was not submitted.

use axum::http::StatusCode;
use link_domain::archive::ArchiveInput;
use link_types::id::ArchiveId;

use super::apply;
use crate::http::caller::SessionCaller;
use crate::http::problem::Answer;
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Discard an archive that was not submitted: it goes with its files and without a trace.
#[utoipa::path(
    delete, path = "/link/archives/{id}", tag = "link", operation_id = "discardLinkArchive",
    params(("id" = ArchiveId, Path, description = "The archive")),
    responses((status = 204, description = "Gone"), refusals::Write),
    security(("session" = []))
)]
pub(in super::super) async fn handler(
    caller: SessionCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<StatusCode> {
    apply(&caller, id, || ArchiveInput::Discard).await?;
    Ok(StatusCode::NO_CONTENT)
}
