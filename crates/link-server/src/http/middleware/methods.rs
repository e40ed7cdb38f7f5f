//! `OPTIONS` for every path.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;

/// Answers `OPTIONS` with 204 and `Allow` if no endpoint does, and adds `OPTIONS` to the `Allow` of every 405. CORS
/// preflights and tus are handled elsewhere.
pub async fn layer<N, F>(request: Request, next: N) -> Response
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
