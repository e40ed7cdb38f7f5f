//! `/exports`: the files of exported accounts, by their signed URLs.

pub(crate) mod export_address;
mod file;

use axum::routing::get;

use crate::http::endpoints::Endpoints;

/// Returns the route of exports. Clients get the URL from an export, so it is not an operation of the document.
pub fn routes() -> Endpoints {
    Endpoints::new().route("/exports/{tenant}/{export}", get(file::handler))
}
