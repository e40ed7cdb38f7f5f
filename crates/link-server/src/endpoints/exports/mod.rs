//! `/exports`: the files that accounts were exported as, by the addresses that the exports show.

mod file;

use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

/// The route of exports: an address of its own making, no operation of the document.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().route("/exports/{tenant}/{export}", get(file::handler))
}
