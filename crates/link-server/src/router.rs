//! All routes of the service, and the layers around them.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;
use link_types::Mode;

use crate::app::App;
use crate::http::limits::network::{self, UnauthenticatedRequests};
use crate::http::middleware::host::{self, Hosts};
use crate::http::middleware::request_id::RequestObserver;
use crate::http::middleware::security_headers::{self, SecurityHeaders};
use crate::http::middleware::{cors, drain_body};
use crate::http::prefix;
use crate::{api, console, hosted, public, widget};

/// Builds the router of the whole service.
pub fn router(app: App) -> Router {
    let api = |mode| {
        let widget = widget::routes().router(prefix(mode));
        let widget = widget.layer(from_fn_with_state(app.clone(), cors::layer));
        api::routes().router(prefix(mode)).merge(widget)
    };
    let inner = Arc::new(Inner::new(&app));
    let security = Arc::new(SecurityHeaders::new(&app.settings));
    let addresses = Router::new()
        .merge(api(Mode::Sandbox))
        .merge(api(Mode::Production))
        .merge(widget::files::routes())
        .merge(console::routes(&app))
        .merge(hosted::routes(&app))
        .merge(public::routes())
        .route(public::LIVE, get(public::live))
        .route(public::READY, get(public::ready))
        .route(public::SITE_HOST, get(public::check_site_host))
        .layer(from_fn(move |request, next: Next| {
            let inner = Arc::clone(&inner);
            async move { inner.run(request, next).await }
        }))
        .with_state(app);
    // A router sets `Allow` outside its layers, so the layers that need it wrap another router.
    Router::new().fallback_service(addresses).layer(from_fn(move |request, next: Next| {
        let security = Arc::clone(&security);
        async move {
            drain_body::layer(request, |request| {
                security_headers::layer(&security, request, |request| {
                    cors::respond_to_options(request, |request| next.run(request))
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
    observer: RequestObserver,
    unauthenticated: UnauthenticatedRequests,
    hosts: Hosts,
    app: App,
}

impl Inner {
    fn new(app: &App) -> Self {
        Self {
            observer: RequestObserver::new(app),
            unauthenticated: UnauthenticatedRequests::new(&app.settings),
            hosts: Hosts::new(&app.settings),
            app: app.clone(),
        }
    }

    async fn run(&self, request: Request, next: Next) -> Response {
        let serve = |request: Request| async move {
            // Health checks, and proxies that ask for a certificate, may use any `Host`.
            if [public::LIVE, public::READY, public::SITE_HOST].contains(&request.uri().path()) {
                return next.run(request).await;
            }
            network::layer(&self.unauthenticated, request, |request| {
                let pages = (&self.app, hosted::show_missing as fn(&App, &HeaderMap) -> Response);
                host::layer(&self.hosts, pages, request, |request| next.run(request))
            })
            .await
        };
        self.observer.run(request, serve).await
    }
}

/// Builds the OpenAPI 3.1 document of both environments from the code. The service serves
/// [`PUBLISHED`](crate::openapi::PUBLISHED).
#[cfg(feature = "document")]
pub fn openapi_document() -> utoipa::openapi::OpenApi {
    use utoipa::OpenApi as _;

    use crate::openapi;

    let header = openapi::Header::openapi();
    let mut document = api::routes().merge(widget::routes()).document(header);
    openapi::conventions::document(&mut document);
    api::scenarios::show_example(&mut document);
    openapi::complete(&mut document);
    document
}
