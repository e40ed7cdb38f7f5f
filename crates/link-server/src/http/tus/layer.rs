//! The tus protocol version, and `X-HTTP-Method-Override`, for all upload requests.

use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use link_types::problem::ProblemCode;

use super::{METHOD_OVERRIDE, TUS_RESUMABLE, TUS_VERSION, VERSION};
use crate::http::problem::Problem;

/// Rejects other versions of the protocol with 412, and adds `Tus-Resumable` to every response.
pub async fn layer(request: Request, next: Next) -> Response {
    let is_options = request.method() == Method::OPTIONS;
    let is_supported = request.headers().get(TUS_RESUMABLE).is_some_and(|it| it == VERSION);
    let mut response = if is_supported || is_options {
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

/// Returns the method in `X-HTTP-Method-Override` of a `POST`, for clients that can send only `POST`. Accepts `PATCH`,
/// `DELETE` and `HEAD`.
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
    #[case::patch("POST", "PATCH", Some(Method::PATCH))]
    #[case::delete("POST", "DELETE", Some(Method::DELETE))]
    #[case::unsupported("POST", "TRACE", None)]
    #[case::not_a_post("GET", "PATCH", None)]
    fn method_override_applies_only_to_post(
        #[case] sent: &str,
        #[case] meant: &str,
        #[case] expected: Option<Method>,
    ) {
        let request = Request::builder().method(sent).header(METHOD_OVERRIDE, meant).body(Body::empty());
        assert_eq!(meant_method(&request.unwrap()), expected);
    }
}
