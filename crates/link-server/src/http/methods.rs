//! `OPTIONS` of every address: what it answers, without doing anything.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

/// Answers `OPTIONS` where no endpoint does (CORS and tus have answers of their own), and names it in every `Allow`.
pub async fn layer(request: Request, next: Next) -> Response {
    let asks_what_is_there = request.method() == Method::OPTIONS;
    let mut response = next.run(request).await;
    if response.status() != StatusCode::METHOD_NOT_ALLOWED {
        return response;
    }
    name_options(response.headers_mut());
    if asks_what_is_there && response.headers().contains_key(header::ALLOW) {
        let (mut parts, _) = response.into_parts();
        parts.status = StatusCode::NO_CONTENT;
        parts.headers.remove(header::CONTENT_TYPE);
        parts.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(parts, Body::empty());
    }
    response
}

fn name_options(headers: &mut HeaderMap) {
    let Some(allow) = headers.get(header::ALLOW).and_then(|it| it.to_str().ok()) else { return };
    if let Ok(with_options) = HeaderValue::from_str(&format!("{allow},OPTIONS")) {
        headers.insert(header::ALLOW, with_options);
    }
}
