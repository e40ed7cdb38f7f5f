//! All routes of the service, and the layers around them.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;
use link_types::Mode;
use utoipa::OpenApi as _;

use crate::app::App;
use crate::endpoints;
use crate::http::caller::Environment;
use crate::http::endpoints::Endpoints;
use crate::http::host::{self, Hosts};
use crate::http::prefix::prefix;
use crate::http::request_id::{self, RequestIds};
use crate::http::security_headers::{self, SecurityHeaders};
use crate::http::unauthenticated::{self, UnauthenticatedRequests};
use crate::http::{conventions, cors, drain_body, methods};
use crate::readiness::Readiness;

/// Builds the router of the whole service.
pub fn router(app: App) -> Router {
    let widget = widget_api().router().layer(from_fn_with_state(app.clone(), cors::layer));
    let both = tenant_api().router().merge(widget);
    let api = |mode| both.clone().layer(axum::Extension(Environment(mode)));
    let inner = Arc::new(Inner::of(&app));
    let security = Arc::new(SecurityHeaders::of(app.settings()));
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
        .route("/health/live", get(endpoints::health::live))
        .route("/health/ready", get(endpoints::health::ready))
        .layer(from_fn(move |request, next: Next| {
            let inner = Arc::clone(&inner);
            async move { inner.run(request, next).await }
        }))
        .with_state(app);
    // A router sets `Allow` outside of its own layers, so the layers that need it wrap another router.
    Router::new().fallback_service(addresses).layer(from_fn(move |request, next: Next| {
        let security = Arc::clone(&security);
        async move {
            drain_body::layer(request, |request| {
                security_headers::layer(&security, request, |request| {
                    methods::layer(request, |request| next.run(request))
                })
            })
            .await
        }
    }))
}

/// The layers that need the route of a request.
///
/// They are one layer of the router: axum allocates and clones each of its layers for each request, with everything
/// inside of it.
struct Inner {
    ids: RequestIds,
    readiness: Arc<Readiness>,
    unauthenticated: UnauthenticatedRequests,
    hosts: Hosts,
}

impl Inner {
    fn of(app: &App) -> Self {
        Self {
            ids: RequestIds::new(app.random()),
            readiness: Arc::clone(app.readiness()),
            unauthenticated: UnauthenticatedRequests::of(app.settings()),
            hosts: Hosts::of(app.settings()),
        }
    }

    async fn run(&self, request: Request, next: Next) -> Response {
        request_id::layer(&self.ids, &self.readiness, request, |request| async move {
            // Health checks may use any `Host`.
            if request.uri().path().starts_with("/health/") {
                return next.run(request).await;
            }
            unauthenticated::layer(&self.unauthenticated, request, |request| {
                host::layer(&self.hosts, request, |request| next.run(request))
            })
            .await
        })
        .await
    }
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
