//! `OPTIONS` of every address: what it answers, without doing anything.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Answers `OPTIONS` where no endpoint does (CORS and tus have answers of their own), and names it in every `Allow`.
pub async fn layer(request: Request, next: Next) -> Response {
    let asks_what_is_there = request.method() == Method::OPTIONS;
    let mut response = next.run(request).await;
    if response.status() != StatusCode::METHOD_NOT_ALLOWED {
        return response;
    }
    name_options(response.headers_mut());
    match response.headers_mut().remove(header::ALLOW) {
        Some(allow) if asks_what_is_there => {
            (StatusCode::NO_CONTENT, [(header::ALLOW, allow)]).into_response()
        }
        Some(allow) => {
            response.headers_mut().insert(header::ALLOW, allow);
            response
        }
        None => response,
    }
}

fn name_options(headers: &mut HeaderMap) {
    let Some(allow) = headers.get(header::ALLOW).and_then(|it| it.to_str().ok()) else { return };
    if let Ok(with_options) = HeaderValue::from_str(&format!("{allow},OPTIONS")) {
        headers.insert(header::ALLOW, with_options);
    }
}
