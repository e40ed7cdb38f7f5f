//! CORS for the widget's endpoints. Allows only the frame's origin; a same-origin frame does not need CORS.
//!
//! Our own: tower-http answers every OPTIONS itself, also those for tus, and sends `allow-methods` to every origin.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;

/// Answers the frame's preflight requests, and lets its script read responses.
pub async fn layer(State(app): State<App>, request: Request, next: Next) -> Response {
    let frame = HeaderValue::from_str(&app.settings.sdk_url).ok();
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

/// Answers `OPTIONS` with 204 and `Allow` if no endpoint does, and adds `OPTIONS` to the `Allow` of every 405. CORS
/// preflights and tus are handled elsewhere.
pub async fn respond_to_options<N, F>(request: Request, next: N) -> Response
where
    N: FnOnce(Request) -> F,
    F: Future<Output = Response>,
{
    let is_options = request.method() == Method::OPTIONS;
    let mut response = next(request).await;
    if response.status() != StatusCode::METHOD_NOT_ALLOWED {
        return response;
    }
    add_options(response.headers_mut());
    if is_options && response.headers().contains_key(header::ALLOW) {
        let (mut parts, _) = response.into_parts();
        parts.status = StatusCode::NO_CONTENT;
        parts.headers.remove(header::CONTENT_TYPE);
        parts.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(parts, Body::empty());
    }
    response
}

fn add_options(headers: &mut HeaderMap) {
    let Some(allow) = headers.get(header::ALLOW).and_then(|it| it.to_str().ok()) else { return };
    if let Ok(with_options) = HeaderValue::from_str(&format!("{allow},OPTIONS")) {
        headers.insert(header::ALLOW, with_options);
    }
}
