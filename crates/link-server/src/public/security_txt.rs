//! `GET /.well-known/security.txt`: how to report a vulnerability (RFC 9116).

use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// How long the response is valid. RFC 9116 recommends less than a year.
const LIFE: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// Returns the operator's contact, or 404 if `--security-contact` is not set.
pub async fn show(State(app): State<App>) -> ApiResult<Response> {
    let contact = app.settings().security_contact.as_deref().ok_or_else(Problem::missing)?;
    let expires = link_types::Timestamp::from_micros((app.wall() + LIFE).micros());
    let public = &app.settings().public_url;
    let text = format!(
        "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en\nCanonical: {public}/.well-known/security.txt\n"
    );
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    Ok(response)
}
