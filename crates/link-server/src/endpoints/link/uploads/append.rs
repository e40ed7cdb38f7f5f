//! `PATCH /link/uploads/{id}`: more bytes of a file, durable as they come.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_types::id::FileId;
use link_types::problem::ProblemCode;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use super::check_own;
use super::receive::receive;
use crate::app::App;
use crate::http::caller::SessionCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;
use crate::http::tus::append;

/// Requests of one session that send bytes at once: the widget sends a few, and each one keeps a connection.
const AT_ONCE: usize = 10;

/// Bytes as they are, so that generated clients send a file instead of a list of numbers.
enum Bytes {}

impl PartialSchema for Bytes {
    fn schema() -> RefOr<Schema> {
        let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
        ObjectBuilder::new().schema_type(Type::String).format(Some(format)).into()
    }
}

impl ToSchema for Bytes {}

/// Send more bytes of a file. They are durable as they arrive: a request that breaks off loses at most the last
/// 256 KB. After its last byte the file is looked at, and refused or accepted by the answer.
#[utoipa::path(
    patch, path = "/link/uploads/{id}", tag = "link", operation_id = "appendUpload",
    request_body(content = inline(Bytes), content_type = "application/offset+octet-stream", description = "The bytes"),
    params(
        ("id" = FileId, Path, description = "The file"),
        ("Tus-Resumable" = String, Header, description = "1.0.0", example = "1.0.0"),
        ("Upload-Offset" = u32, Header, description = "Where the bytes belong", example = 0),
    ),
    responses(
        (status = 204, description = "They are there", headers(
            ("Upload-Offset" = u32, description = "Bytes that are there"),
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
    headers: HeaderMap,
    body: Body,
) -> Answer<Response> {
    let append = append(&headers)?;
    let _one_of_few = app.appends().admit(&caller.session().id, AT_ONCE).ok_or_else(|| {
        Problem::new(ProblemCode::RequestLimitExceeded, "Send bytes of at most 10 files at once.")
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    })?;
    check_own(&app, &caller, &id).await?;
    let standing = receive(&app, caller, id, append, body).await?;
    Ok((StatusCode::NO_CONTENT, standing).into_response())
}
