//! `PATCH /link/uploads/{id}`: appends bytes to a file.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_types::id::FileId;
use link_types::problem::ProblemCode;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use super::own::check_own;
use super::receive::receive;
use crate::app::App;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::http::tus::append;
use crate::openapi::refusals;

/// The maximum number of concurrent append requests of a session. The widget sends fewer. Each one holds a connection.
const AT_ONCE: usize = 10;

/// The schema of a binary body, so that generated clients send a file instead of a list of numbers.
enum Bytes {}

impl PartialSchema for Bytes {
    fn schema() -> RefOr<Schema> {
        let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
        ObjectBuilder::new().schema_type(Type::String).format(Some(format)).into()
    }
}

impl ToSchema for Bytes {}

/// Appends bytes to a file.
///
/// Bytes are durable as they arrive: an interrupted request loses at most the last 256 KB. After the last byte of the
/// file, the service inspects it. The response then says whether the file is accepted.
#[utoipa::path(
    patch, path = "/link/uploads/{id}", tag = "link", operation_id = "appendUpload",
    request_body(content = inline(Bytes), content_type = "application/offset+octet-stream", description = "The bytes to append"),
    params(
        ("id" = FileId, Path, description = "The file's id"),
        ("Tus-Resumable" = String, Header, description = "Version of tus", example = "1.0.0"),
        ("Upload-Offset" = u32, Header, description = "Offset of the first byte in the file", example = 0),
    ),
    responses(
        (status = 204, description = "The bytes are stored", headers(
            ("Upload-Offset" = u32, description = "Number of bytes received"),
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
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let append = append(&headers)?;
    let _counted = app.appends().admit(&caller.session().id, AT_ONCE).ok_or_else(|| {
        let detail = "The session has 10 concurrent append requests. Wait until one of them ends.";
        Problem::new(ProblemCode::RequestLimitExceeded, detail)
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    })?;
    check_own(&caller, &id).await?;
    let progress = receive(&app, caller, id, append, body).await?;
    Ok((StatusCode::NO_CONTENT, progress).into_response())
}
