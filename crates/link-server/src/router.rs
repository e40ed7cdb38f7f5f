//! All routes of the service, and the layers around them.

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use link_types::Mode;
use utoipa::OpenApi as _;

use crate::app::App;
use crate::http::extract::caller::Environment;
use crate::http::middleware::security_headers::{self, SecurityHeaders};
use crate::http::middleware::{cors, drain_body, host, methods, request_id, unauthenticated};
use crate::http::prefix::prefix;
use crate::{api, hosted, openapi, public, widget};

/// Builds the router of the whole service.
pub fn router(app: App) -> Router {
    let widget_api = widget::routes().router().layer(from_fn_with_state(app.clone(), cors::layer));
    let both = api::routes().router().merge(widget_api);
    let api = |mode| both.clone().layer(axum::Extension(Environment(mode)));
    let ids = Arc::new(request_id::RequestIds::new(app.random()));
    let readiness = Arc::clone(app.readiness());
    let hosts = Arc::new(host::Hosts::of(app.settings()));
    let anonymous = Arc::new(unauthenticated::UnauthenticatedRequests::of(app.settings()));
    let secure = Arc::new(SecurityHeaders::of(app.settings()));
    let addresses = Router::new()
        .nest(prefix(Mode::Sandbox), api(Mode::Sandbox))
        .nest(prefix(Mode::Production), api(Mode::Production))
        .merge(widget::files::routes())
        .merge(hosted::routes(&app))
        .merge(public::routes())
        .layer(from_fn(move |request, next| host::layer(Arc::clone(&hosts), request, next)))
        .layer(from_fn(move |request, next| unauthenticated::layer(Arc::clone(&anonymous), request, next)))
        // Health checks may use any `Host`, so they are outside of the host check.
        .route("/health/live", get(public::health::live))
        .route("/health/ready", get(public::health::ready))
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
/// [`PUBLISHED`](crate::openapi::published::PUBLISHED).
pub fn openapi_document() -> utoipa::openapi::OpenApi {
    let header = openapi::Header::openapi();
    let mut document = api::routes().merge(widget::routes()).document(header);
    openapi::conventions::document(&mut document);
    api::scenarios::show_example(&mut document);
    openapi::complete(&mut document);
    document
}
