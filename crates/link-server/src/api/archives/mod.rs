//! `/archives`: documents that people, or tenants on their behalf, uploaded.

mod consent;
mod create;
pub mod file;
pub(super) mod file_address;
mod get;
mod list;
mod payload;
mod revoke;
mod view;

use axum::routing::get;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of archives.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(list::handler, create::handler))
        .routes(routes!(get::handler, revoke::handler))
        .routes(routes!(payload::handler))
        .routes(routes!(consent::handler))
        // Clients get this URL from an archive's `files`, so it is not an operation of the document.
        .route("/files/{tenant}/{archive}/{file}", get(file::handler))
}
