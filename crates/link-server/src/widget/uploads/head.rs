//! `HEAD /link/uploads/{id}`: returns how many bytes of an upload have been received.

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_types::id::FileId;

use super::own::{check_own, find, standing};
use crate::app::App;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::ApiResult;
use crate::http::tus::locked;
use crate::openapi::refusals;

/// Retrieves how many bytes of an upload have been received.
///
/// A request that is still sending bytes is ended first, so that the response is final.
#[utoipa::path(
    head, path = "/link/uploads/{id}", tag = "link", operation_id = "getUploadOffset",
    params(
        ("id" = FileId, Path, description = "The file's id"),
        ("Tus-Resumable" = String, Header, description = "Version of tus", example = "1.0.0"),
    ),
    responses(
        (status = 200, description = "The upload's progress", headers(
            ("Upload-Offset" = u32, description = "Number of bytes received"),
            ("Upload-Length" = u32, description = "Size of the file in bytes"),
            ("Upload-Expires" = String, description = "When the upload is removed if no more bytes arrive"),
        )),
        refusals::Upload
    ),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<FileId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    check_own(&caller, &id).await?;
    let _lock = app.upload_locks().take(&id).await.ok_or_else(locked)?;
    let (owner, reach) = (caller.owner().clone(), caller.reach());
    let headers = caller
        .read(move |reader| -> ApiResult<_> {
            let (archive, file) = find(reader, (&owner, &reach), &id)?;
            Ok(standing(&archive, &file))
        })
        .await?;
    let uncached = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((StatusCode::OK, uncached, headers).into_response())
}
