//! `OPTIONS /link/uploads`: what of tus is there.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_types::archive::MAX_FILE_BYTES;

use crate::http::tus::{EXTENSIONS, TUS_EXTENSION, TUS_MAX_SIZE, TUS_VERSION, VERSION};

/// What the address allows; versions, extensions, the largest upload. It needs no credentials, as any preflight.
pub(super) fn answer(allowed: &'static str) -> Response {
    let headers = [
        (header::ALLOW, HeaderValue::from_static(allowed)),
        (TUS_VERSION, HeaderValue::from_static(VERSION)),
        (TUS_EXTENSION, HeaderValue::from_static(EXTENSIONS)),
        (TUS_MAX_SIZE, HeaderValue::from(MAX_FILE_BYTES)),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}
