//! Security headers of every response, and additional ones for HTML pages.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::Response;
use link_types::Mode;

use crate::http::prefix::prefix;
use crate::settings::Settings;

/// The path to which browsers report violations of a content security policy. Every host of the service serves it.
pub const CSP_REPORTS: &str = "/csp-reports";

/// The reporting directives of a content security policy. `report-uri` is for browsers without `report-to`.
pub const REPORTED: &str = "report-uri /csp-reports; report-to csp";

const REPORTING_ENDPOINTS: HeaderName = HeaderName::from_static("reporting-endpoints");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// One year. Subdomains are not included: the owner of the domain decides about those.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Browser features that no page of the service uses, nor any page embedded in one.
const PERMISSIONS: HeaderValue = HeaderValue::from_static(
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), \
     microphone=(), midi=(), payment=(), serial=(), usb=()",
);

/// The settings that the headers depend on.
#[derive(Debug)]
pub struct SecurityHeaders {
    is_https: bool,
}

impl SecurityHeaders {
    /// Creates the headers for these settings.
    pub fn of(settings: &Settings) -> Self {
        Self { is_https: settings.is_https() }
    }

    fn write(&self, is_api: bool, is_frame: bool, headers: &mut HeaderMap) {
        if self.is_https {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
        }
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        // Most responses of the API contain personal data, and several contain a token or a signed URL.
        if is_api && !headers.contains_key(header::CACHE_CONTROL) {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        let media_type = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        if media_type.is_some_and(|it| it.starts_with("text/html")) {
            headers.insert(PERMISSIONS_POLICY, PERMISSIONS);
            headers.insert(REPORTING_ENDPOINTS, HeaderValue::from_static("csp=\"/csp-reports\""));
            // Other origins embed the frame, and an opener policy affects only top-level pages.
            if !is_frame {
                headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
            }
        }
    }
}

/// Adds the headers to every response.
pub async fn layer<N, F>(security: &SecurityHeaders, request: Request, next: N) -> Response
where
    N: FnOnce(Request) -> F,
    F: Future<Output = Response>,
{
    let path = request.uri().path();
    let is_api = [Mode::Sandbox, Mode::Production].into_iter().any(|mode| path.starts_with(prefix(mode)));
    let is_frame = path.starts_with("/sdk/");
    let mut response = next(request).await;
    security.write(is_api, is_frame, response.headers_mut());
    response
}
