//! All routes of the service, and the layers around them.

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use link_types::Mode;
use utoipa::OpenApi as _;

use crate::app::App;
use crate::endpoints;
use crate::http::caller::Environment;
use crate::http::endpoints::Endpoints;
use crate::http::prefix::prefix;
use crate::http::security_headers::{self, SecurityHeaders};
use crate::http::{conventions, cors, drain_body, host, methods, request_id, unauthenticated};

/// Builds the router of the whole service.
pub fn router(app: App) -> Router {
    let widget = widget_api().router().layer(from_fn_with_state(app.clone(), cors::layer));
    let both = tenant_api().router().merge(widget);
    let api = |mode| both.clone().layer(axum::Extension(Environment(mode)));
    let ids = Arc::new(request_id::RequestIds::new(app.random()));
    let readiness = Arc::clone(app.readiness());
    let hosts = Arc::new(host::Hosts::of(app.settings()));
    let anonymous = Arc::new(unauthenticated::UnauthenticatedRequests::of(app.settings()));
    let secure = Arc::new(SecurityHeaders::of(app.settings()));
    let addresses = Router::new()
        .nest(prefix(Mode::Sandbox), api(Mode::Sandbox))
        .nest(prefix(Mode::Production), api(Mode::Production))
        .route("/sdk/frame/p1/{template_id}", get(endpoints::widget_files::frame))
        .route("/sdk/assets/{*path}", get(endpoints::widget_files::asset))
        .route("/sdk/{*path}", get(endpoints::widget_files::script))
        .merge(endpoints::hosted::routes(&app))
        .route("/openapi.json", get(endpoints::openapi::document))
        .merge(endpoints::docs::routes())
        .merge(endpoints::csp_reports::routes())
        .route("/.well-known/security.txt", get(endpoints::security_txt::show))
        .layer(from_fn(move |request, next| host::layer(Arc::clone(&hosts), request, next)))
        .layer(from_fn(move |request, next| unauthenticated::layer(Arc::clone(&anonymous), request, next)))
        // Health checks may use any `Host`, so they are outside of the host check.
        .route("/health/live", get(endpoints::health::live))
        .route("/health/ready", get(endpoints::health::ready))
        .layer(from_fn(move |request, next| {
            request_id::layer(Arc::clone(&ids), Arc::clone(&readiness), request, next)
        }))
        .with_state(app);
    // A router sets `Allow` outside of its own layers, so the layers that need it wrap another router.
    Router::new()
        .fallback_service(addresses)
        .layer(from_fn(methods::layer))
        .layer(from_fn(move |request, next| security_headers::layer(Arc::clone(&secure), request, next)))
        .layer(from_fn(drain_body::layer))
}

/// Builds the OpenAPI 3.1 document of both environments from the code. The service serves
/// [`PUBLISHED`](crate::http::published::PUBLISHED).
pub fn openapi_document() -> utoipa::openapi::OpenApi {
    let header = endpoints::openapi::Header::openapi();
    let mut document = tenant_api().merge(widget_api()).document(header);
    conventions::document(&mut document);
    endpoints::openapi::complete(&mut document);
    document
}

/// Returns the endpoints for tenants' servers, which use API keys.
fn tenant_api() -> Endpoints {
    Endpoints::new()
        .merge(endpoints::users::routes())
        .merge(endpoints::tokens::routes())
        .merge(endpoints::providers::routes())
        .merge(endpoints::accounts::routes())
        .merge(endpoints::archives::routes())
        .merge(endpoints::data_points::routes())
        .merge(endpoints::exports::routes())
        .merge(endpoints::tasks::routes())
        .merge(endpoints::webhooks::routes())
        .merge(endpoints::events::routes())
        .merge(endpoints::billing::routes())
        .merge(endpoints::scenarios::routes())
        .merge(endpoints::link_templates::routes())
        .merge(endpoints::consent_templates::routes())
        .merge(endpoints::social_securities::routes())
        .merge(endpoints::signals::routes())
        .merge(endpoints::invite_templates::routes())
        .merge(endpoints::invites::routes())
        .merge(endpoints::forms::routes())
}

/// Returns the endpoints for the widget, which uses link sessions.
fn widget_api() -> Endpoints {
    endpoints::link::routes()
}
