//! `/exports`: the files that accounts were exported as, by the addresses that the exports show.

mod file;

use axum::routing::get;

use crate::http::endpoints::Endpoints;

/// The route of exports: an address of its own making, no operation of the document.
pub fn routes() -> Endpoints {
    Endpoints::new().route("/exports/{tenant}/{export}", get(file::handler))
}
