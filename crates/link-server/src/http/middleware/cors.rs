//! CORS for the widget's endpoints. Allows only the frame's origin; a same-origin frame does not need CORS.
//!
//! Our own: tower-http answers every OPTIONS itself, also those for tus, and sends `allow-methods` to every origin.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;

/// Answers the frame's preflight requests, and lets its script read responses.
pub async fn layer(State(app): State<App>, request: Request, next: Next) -> Response {
    let frame = HeaderValue::from_str(&app.settings().sdk_url).ok();
    let origin = request.headers().get(header::ORIGIN).cloned();
    let Some(frame) = frame.filter(|frame| origin.as_ref() == Some(frame)) else {
        return next.run(request).await;
    };
    let preflight = request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response =
        if preflight { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    allow(response.headers_mut(), frame, preflight);
    response
}

fn allow(headers: &mut HeaderMap, frame: HeaderValue, preflight: bool) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, frame);
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    if preflight {
        headers.insert(
            header::ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE"),
        );
        headers.insert(
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static(
                "authorization, content-type, tus-resumable, upload-length, upload-metadata, upload-offset, \
                 x-http-method-override",
            ),
        );
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    } else {
        headers.insert(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static(
                "retry-after, x-request-id, location, tus-resumable, tus-version, tus-extension, tus-max-size, \
                 upload-offset, upload-length, upload-metadata, upload-expires",
            ),
        );
    }
}
