//! `GET /link/archives/{id}`: returns the progress of an archive. Supports long polling.

use axum::Json;
use axum::extract::State;
use link_store::Watched;
use link_types::id::ArchiveId;
use link_types::uploading::ArchiveProgress;

use super::own::own;
use crate::app::App;
use crate::http::extract::path::PathId;
use crate::http::extract::query::Query;
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;
use crate::openapi::shown;
use crate::widget::news::Wait;

/// Retrieves the progress of an archive.
///
/// With `after` and `wait`, the response waits for a later version.
#[utoipa::path(
    get, path = "/link/archives/{id}", tag = "link", operation_id = "getLinkArchive",
    params(
        ("id" = ArchiveId, Path, description = "The archive's id"),
        Query<Wait>,
    ),
    responses((status = 200, description = "The archive's progress", body = ArchiveProgress, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<ArchiveId>,
    Query(wait): Query<Wait>,
) -> ApiResult<Json<ArchiveProgress>> {
    let about = Watched::Archive(id.clone());
    wait.news(&app, &caller, about, |it: &ArchiveProgress| it.version, || current(&caller, &id)).await
}

async fn current(caller: &SessionCaller, id: &ArchiveId) -> ApiResult<ArchiveProgress> {
    let (owner, reach, id, now) = (caller.owner().clone(), caller.reach(), id.clone(), caller.now());
    caller
        .read(move |reader| -> ApiResult<_> {
            let archive = own(reader.archives().get(&owner, &id)?, &reach)?;
            Ok(archive.progress(now.tenant()))
        })
        .await
}
