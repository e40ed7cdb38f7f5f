//! The security headers that every answer has, whatever wrote it, and those of every page.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use link_types::Mode;

use crate::router::prefix;
use crate::settings::Settings;

/// The address that browsers report violations of a page's policy to; each host of the service has it.
pub const CSP_REPORTS: &str = "/csp-reports";

/// What a page's policy says about reports. `report-uri` is for browsers that do not know `report-to`.
pub const REPORTED: &str = "report-uri /csp-reports; report-to csp";

const REPORTING_ENDPOINTS: HeaderName = HeaderName::from_static("reporting-endpoints");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// A year. Subdomains are not included: a host's other names are its owner's decision.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// No page of the service uses any of these, nor does a page embedded in one.
const PERMISSIONS: HeaderValue = HeaderValue::from_static(
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), \
     microphone=(), midi=(), payment=(), serial=(), usb=()",
);

/// What the headers depend on.
#[derive(Debug)]
pub struct SecurityHeaders {
    is_https: bool,
}

impl SecurityHeaders {
    /// Those of a service with these settings.
    pub fn of(settings: &Settings) -> Self {
        Self { is_https: settings.is_https() }
    }

    fn write(&self, is_of_the_api: bool, is_of_the_frame: bool, headers: &mut HeaderMap) {
        if self.is_https {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
        }
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        // Most answers of the API are personal, and several carry a token or a signed address.
        if is_of_the_api && !headers.contains_key(header::CACHE_CONTROL) {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        let media_type = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        if media_type.is_some_and(|it| it.starts_with("text/html")) {
            headers.insert(PERMISSIONS_POLICY, PERMISSIONS);
            headers.insert(REPORTING_ENDPOINTS, HeaderValue::from_static("csp=\"/csp-reports\""));
            // The frame is embedded by other origins, and a policy about openers concerns top-level pages alone.
            if !is_of_the_frame {
                headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
            }
        }
    }
}

/// Writes the headers on every answer.
pub async fn layer(written: Arc<SecurityHeaders>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_of_the_api =
        [Mode::Sandbox, Mode::Production].into_iter().any(|mode| path.starts_with(prefix(mode)));
    let is_of_the_frame = path.starts_with("/sdk/");
    let mut response = next.run(request).await;
    written.write(is_of_the_api, is_of_the_frame, response.headers_mut());
    response
}
