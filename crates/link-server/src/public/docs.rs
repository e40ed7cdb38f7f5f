//! `GET /docs`: shows the OpenAPI document in Swagger UI. All its files are in this binary.

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use utoipa_swagger_ui::{Config, SwaggerUi};

/// The policy of the page: scripts and requests of this origin only.
///
/// Swagger UI sets style attributes and loads its icons from `data:` URLs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      report-uri /csp-reports; report-to csp; frame-ancestors 'none'";

/// Returns the routes of the page and its files.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let config = Config::new(["/openapi.json"])
        // The validator badge would send this service's URL to a third party.
        .validator_url("none")
        .deep_linking(true)
        .display_request_duration(true)
        .filter(true)
        .doc_expansion("none")
        .default_models_expand_depth(0);
    Router::from(SwaggerUi::new("/docs").config(config)).layer(map_response(with_security_headers))
}

async fn with_security_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let security_headers: [(HeaderName, &'static str); 3] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in security_headers {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
