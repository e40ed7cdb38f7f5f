//! `GET /docs`: the OpenAPI document for people, by Swagger UI. Everything it loads is in this binary.

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use utoipa_swagger_ui::{Config, SwaggerUi};

/// Scripts and requests of this origin alone. Swagger UI sets style attributes and draws its icons by `data:`.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      report-uri /csp-reports; report-to csp; frame-ancestors 'none'";

/// The page and its files.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let config = Config::new(["/openapi.json"])
        // Its badge would tell a stranger's server the address of this one.
        .validator_url("none")
        .deep_linking(true)
        .display_request_duration(true)
        .filter(true)
        .doc_expansion("none")
        .default_models_expand_depth(0);
    Router::from(SwaggerUi::new("/docs").config(config)).layer(map_response(guarded))
}

async fn guarded(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    let guards: [(HeaderName, &'static str); 3] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in guards {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}
