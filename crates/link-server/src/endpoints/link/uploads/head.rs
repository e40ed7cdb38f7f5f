//! `HEAD /link/uploads/{id}`: how much of an upload is there.

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_types::id::FileId;

use super::{check_own, find, standing};
use crate::app::App;
use crate::http::caller::SessionCaller;
use crate::http::problem::Answer;
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;
use crate::http::tus::locked;

/// How much of an upload is there. A request that is still sending is asked to end first, so that the answer holds.
#[utoipa::path(
    head, path = "/link/uploads/{id}", tag = "link", operation_id = "getUploadOffset",
    params(
        ("id" = FileId, Path, description = "The file"),
        ("Tus-Resumable" = String, Header, description = "1.0.0", example = "1.0.0"),
    ),
    responses(
        (status = 200, description = "It stands there", headers(
            ("Upload-Offset" = u32, description = "Bytes that are there"),
            ("Upload-Length" = u32, description = "Bytes in all"),
            ("Upload-Expires" = String, description = "When it goes unless more comes"),
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
) -> Answer<Response> {
    check_own(&app, &caller, &id).await?;
    let _turn = app.upload_turns().take(&id).await.ok_or_else(locked)?;
    let headers = app
        .store()
        .read(move |reader| -> Answer<_> {
            let (archive, file) = find(reader, caller.session(), &id)?;
            Ok(standing(&archive, &file))
        })
        .await?;
    let uncached = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((StatusCode::OK, uncached, headers).into_response())
}
