//! tus 1.0, a protocol for resumable uploads: its headers and rules, independent of storage.
//!
//! Our own: tus leaves open when a file is inspected, and what happens to a second request for it (ADR 68).

mod headers;

use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use link_domain::kernel::clock::TenantTime;
use link_types::problem::ProblemCode;

use crate::http::problem::Problem;

pub use headers::{Append, Creation, append, creation, too_many_bytes, upload_in_use};

pub use self::headers::{FormMetadata, Metadata};

/// The supported version of the protocol.
pub const VERSION: &str = "1.0.0";
/// The supported extensions of the protocol.
pub const EXTENSIONS: &str = "creation,creation-with-upload,expiration,termination";
/// The media type of an append.
pub const OFFSET_STREAM: &str = "application/offset+octet-stream";

/// The protocol version of a request or response.
pub const TUS_RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
/// The supported versions.
pub const TUS_VERSION: HeaderName = HeaderName::from_static("tus-version");
/// The supported extensions.
pub const TUS_EXTENSION: HeaderName = HeaderName::from_static("tus-extension");
/// The maximum size of an upload in bytes.
pub const TUS_MAX_SIZE: HeaderName = HeaderName::from_static("tus-max-size");
/// The number of bytes received so far.
pub const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
/// The size of the file in bytes.
pub const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
/// The metadata of an upload.
pub const UPLOAD_METADATA: HeaderName = HeaderName::from_static("upload-metadata");
/// When an unfinished upload expires.
pub const UPLOAD_EXPIRES: HeaderName = HeaderName::from_static("upload-expires");
/// The intended method, for clients that can send only `POST`.
pub const METHOD_OVERRIDE: HeaderName = HeaderName::from_static("x-http-method-override");

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

/// Returns the time at which an upload is removed as an HTTP date, for `Upload-Expires`.
pub fn http_date(at: TenantTime) -> HeaderValue {
    let seconds = u64::try_from(at.micros() / 1_000_000).unwrap_or(0);
    let at = std::time::UNIX_EPOCH + Duration::from_secs(seconds);
    HeaderValue::from_str(&httpdate::fmt_http_date(at)).unwrap_or_else(|_| HeaderValue::from_static("0"))
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
    use axum::body::Body;
    use rstest::rstest;

    use super::*;

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
