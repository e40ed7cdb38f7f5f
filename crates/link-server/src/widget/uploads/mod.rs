//! Uploads by tus 1.0. An upload is one file of an archive of the attempt.

mod append;
mod create;
mod head;
mod options;
mod overridden;
mod own;
mod receive;
mod terminate;

use axum::middleware::from_fn;
use axum::routing::{options as on_options, post as on_post};

use crate::http::endpoints::{Endpoints, routes};
use crate::http::tus;

/// Returns the routes of uploads. Routes that only tus defines (OPTIONS, overridden methods) are not in the document.
pub(super) fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create::handler))
        .routes(routes!(head::handler, append::handler, terminate::handler))
        .route("/link/uploads", on_options(async || options::answer("POST,OPTIONS")))
        .route(
            "/link/uploads/{id}",
            on_post(overridden::handler).options(async || options::answer("HEAD,PATCH,DELETE,POST,OPTIONS")),
        )
        .layer(from_fn(tus::layer::layer))
}
