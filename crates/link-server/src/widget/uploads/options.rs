//! `OPTIONS /link/uploads`: returns the supported parts of tus.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_types::archive::MAX_FILE_BYTES;

use crate::http::tus::{EXTENSIONS, TUS_EXTENSION, TUS_MAX_SIZE, TUS_VERSION, VERSION};

/// Returns the allowed methods, the version and extensions of tus, and the maximum size of an upload.
///
/// Like any preflight request, it needs no credentials.
pub(super) fn answer(allowed: &'static str) -> Response {
    let headers = [
        (header::ALLOW, HeaderValue::from_static(allowed)),
        (TUS_VERSION, HeaderValue::from_static(VERSION)),
        (TUS_EXTENSION, HeaderValue::from_static(EXTENSIONS)),
        (TUS_MAX_SIZE, HeaderValue::from(MAX_FILE_BYTES)),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}
