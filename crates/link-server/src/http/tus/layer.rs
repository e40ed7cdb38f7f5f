//! What every request of an upload has in common: the protocol's version, and methods in disguise.

use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use link_types::problem::ProblemCode;

use super::{METHOD_OVERRIDE, TUS_RESUMABLE, TUS_VERSION, VERSION};
use crate::http::problem::Problem;

/// Refuses another version of the protocol, and says ours on every answer.
pub async fn layer(request: Request, next: Next) -> Response {
    let asks_what_is_there = request.method() == Method::OPTIONS;
    let spoken = request.headers().get(TUS_RESUMABLE).is_some_and(|it| it == VERSION);
    let mut response = if spoken || asks_what_is_there {
        next.run(request).await
    } else {
        let version = HeaderValue::from_static(VERSION);
        Problem::new(ProblemCode::InvalidParameters, "Send `Tus-Resumable: 1.0.0`.")
            .with_status(StatusCode::PRECONDITION_FAILED)
            .with_header(TUS_VERSION, version)
            .into_response()
    };
    response.headers_mut().insert(TUS_RESUMABLE, HeaderValue::from_static(VERSION));
    response
}

/// The method that a client meant which can only send `POST`: `PATCH` or `DELETE`, nothing else.
pub fn meant_method(request: &Request) -> Option<Method> {
    if request.method() != Method::POST {
        return None;
    }
    match request.headers().get(METHOD_OVERRIDE)?.as_bytes() {
        b"PATCH" => Some(Method::PATCH),
        b"DELETE" => Some(Method::DELETE),
        b"HEAD" => Some(Method::HEAD),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use rstest::rstest;

    #[rstest]
    #[case::a_patch("POST", "PATCH", Some(Method::PATCH))]
    #[case::a_delete("POST", "DELETE", Some(Method::DELETE))]
    #[case::nothing_stranger("POST", "TRACE", None)]
    #[case::only_of_a_post("GET", "PATCH", None)]
    fn a_post_may_stand_for_another_method(
        #[case] sent: &str,
        #[case] meant: &str,
        #[case] expected: Option<Method>,
    ) {
        let request = Request::builder().method(sent).header(METHOD_OVERRIDE, meant).body(Body::empty());
        assert_eq!(meant_method(&request.unwrap()), expected);
    }
}
