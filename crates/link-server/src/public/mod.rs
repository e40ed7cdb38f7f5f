//! Endpoints without credentials that belong to the whole service: health, documentation, reports of browsers.

mod csp_reports;
mod docs;
pub mod health;
mod security_txt;

use axum::Router;
use axum::routing::get;

use crate::app::App;
use crate::openapi;

/// Returns all routes except those of [`health`], which may use any `Host`.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/openapi.json", get(openapi::document))
        .merge(docs::routes())
        .merge(csp_reports::routes())
        .route("/.well-known/security.txt", get(security_txt::show))
}
