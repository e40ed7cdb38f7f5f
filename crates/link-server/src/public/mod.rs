//! Endpoints without credentials that belong to the whole service: health, documentation, reports of browsers,
//! programs that wait for an API key.

mod csp_reports;
mod device;
mod sandbox_provider;

use std::time::Duration;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use link_domain::kernel::domain_proof::check_domain;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::app::App;
use crate::http::middleware::request_id::Finished;
use crate::http::middleware::site_host;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi;

/// Returns all routes except those about the service's health, which may use any `Host`.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/openapi.json", get(openapi::document))
        .merge(docs_routes())
        .merge(csp_reports::routes())
        .merge(device::routes())
        .merge(sandbox_provider::routes())
        .route("/.well-known/security.txt", get(security_txt))
}

// `GET /docs`: shows the OpenAPI document in Swagger UI. All its files are in this binary.

/// The policy of the page: scripts and requests of this origin only.
///
/// Swagger UI sets style attributes and loads its icons from `data:` URLs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      report-uri /csp-reports; report-to csp; frame-ancestors 'none'";

/// Returns the routes of the page and its files.
fn docs_routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
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

/// Path of the liveness check.
pub const LIVE: &str = "/health/live";
/// Path of the readiness check.
pub const READY: &str = "/health/ready";

/// Path at which a proxy asks whether it may get a certificate for an own host.
pub const SITE_HOST: &str = "/health/site-host";

/// Returns 200 if the parameter `domain` is a proven own host of link sites, and 404 if not, as Caddy asks (`on_demand_tls`). It
/// says nothing that the certificate does not say, and reads no database for it, so anyone may ask.
pub async fn check_site_host(State(app): State<App>, RawQuery(query): RawQuery) -> ApiResult<&'static str> {
    let query = query.unwrap_or_default();
    let asked = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "domain");
    let name = asked.and_then(|(_, name)| check_domain(&name)).ok_or_else(Problem::missing)?;
    let owner = site_host::owner_of(&app, &name).await?;
    owner.map(|_| "proven\n").ok_or_else(Problem::missing)
}

/// The line if the process can serve, but retention is paused until an operator acts.
const PAUSED: &str = "retention is paused because the clock jumped: run `linchpin retention show`\n";

/// Returns 200 while the process runs.
pub async fn live() -> &'static str {
    "live\n"
}

/// Returns 200 while the process can serve: its database reads and writes, and no stop is in progress. Otherwise 503.
///
/// The cost does not depend on how often the endpoint is called.
pub async fn ready(State(app): State<App>) -> Response {
    if !app.is_stopping() && app.health.readiness.is_ready(&app.store).await {
        let mut body = "ready\n".to_owned();
        if app.health.known_jump.get().is_some() {
            body.push_str(PAUSED);
        }
        for fault in app.health.dependencies.all() {
            body.push_str(&format!("{} refuses: {} (see the log)\n", fault.dependency.as_str(), fault.code));
        }
        return body.into_response();
    }
    let mut response = (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response();
    response.extensions_mut().insert(Finished);
    response
}

/// How long the response is valid. RFC 9116 recommends less than a year.
const LIFE: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// Returns the operator's contact, or 404 if `--security-contact` is not set.
async fn security_txt(State(app): State<App>) -> ApiResult<Response> {
    let contact = app.settings.security_contact.as_deref().ok_or_else(Problem::missing)?;
    let expires = link_types::Timestamp::from_micros((app.wall() + LIFE).micros());
    let public = &app.settings.public_url;
    let text = format!(
        "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en\nCanonical: {public}/.well-known/security.txt\n"
    );
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    Ok(response)
}
