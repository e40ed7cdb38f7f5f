//! `GET /archives/{id}`: returns one archive.

use axum::Json;
use axum::extract::State;
use link_store::Label;
use link_types::archive::Archive;
use link_types::id::ArchiveId;

use super::view::view;
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves an archive.
///
/// The URLs of its files are valid for 1 hour.
#[utoipa::path(
    get, path = "/archives/{id}", tag = "archives", operation_id = "getArchive",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 200, description = "The archive", body = Archive, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Archive>> {
    let owner = caller.owner().clone();
    let (archive, key) = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            Ok((reader.archives().get(&owner, &id)?, reader.derived_key(Label::Export)))
        })
        .await?;
    archive.and_then(|it| view(&app, &caller, &key, &it)).map(Json).ok_or_else(Problem::missing)
}
